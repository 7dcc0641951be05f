"""What files declare of their labels, which is public: their types, and never a row."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dpcore.cli.program import UsageError
from dpcore.data.reading.nested_cells import column_of
from dpcore.schema.cells import level_key

_DECLARING = {".parquet", ".pq"}
_REMEDY = "name the positive label, as in --positive yes, or --positive 1 for labels 0 and 1"


def check_labels(
    paths: Sequence[Path], column: str, *, positive: str | None, negative: str | None = None
) -> None:
    """Refuse labels that could never be found, for then every row would count as negative.

    Parquet declares the type of a column. CSV and TSV declare none, and to look at the labels would
    be to answer from private rows: see `assumed`.

    Parameters
    ----------
    paths
        Files that have the column.
    positive, negative
        Labels as they were given; None if they were left out.

    Raises
    ------
    UsageError
        At the first file of which no row could be positive.
    """
    for path in paths:
        problem = _problem(_declared(path, column), positive, negative)
        if problem:
            raise UsageError(f"column {column!r} of {path.name} {problem}")


def assumed(paths: Sequence[Path], column: str, *, positive: str | None) -> str | None:
    """What to say where no type tells whether the label 1 was meant; None if one does.

    Examples
    --------
    >>> assumed([Path("a.csv")], "ill", positive=None)
    "rows whose 'ill' is 1 count as positive; name another label with --positive"
    """
    if positive is not None or all(path.suffix.lower() in _DECLARING for path in paths):
        return None
    return f"rows whose {column!r} is 1 count as positive; name another label with --positive"


def _problem(kind: pa.DataType | None, positive: str | None, negative: str | None) -> str | None:
    """What is wrong with the labels given for a column of this type."""
    if kind is None:
        return None
    if _is_number(kind):
        for name, label in {"--positive": positive, "--negative": negative}.items():
            if label is not None and isinstance(level_key(label), str):
                return f"holds numbers, and none can be {label!r}; give {name} a number"
        return None
    # A column without any value has a type of its own, which fits all labels.
    if positive is None and not pa.types.is_null(kind):
        return f"holds cells of type {kind}, not numbers; {_REMEDY}"
    return None


def _declared(path: Path, column: str) -> pa.DataType | None:
    """The type of a column, if the file declares one; that of a dictionary is its values'."""
    if path.suffix.lower() not in _DECLARING:
        return None
    declared = pq.read_schema(path)
    kind = declared.field(column_of(column, declared.names)).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_number(kind: pa.DataType) -> bool:
    """Whether cells are numbers, as truth values are: 1 and 0."""
    exact = pa.types.is_integer(kind) or pa.types.is_decimal(kind)
    return bool(exact or pa.types.is_floating(kind) or pa.types.is_boolean(kind))
