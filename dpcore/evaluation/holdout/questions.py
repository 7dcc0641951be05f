"""What can be asked of training and holdout records."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from dpcore._typing import ArrayLike, NDArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.threshold.reusable_holdout import Summed, Values
from dpcore.schema.cell_arrays import number_matrix, numbers_of

# From records to one number for each of them.
Query: TypeAlias = Callable[[Any], ArrayLike]


def size_of(records: Any) -> int:
    """Number of records of an array, a frame, a sparse matrix or a sequence.

    Examples
    --------
    >>> size_of([1, 2, 3]), size_of(np.zeros((5, 2)))
    (3, 5)
    """
    shape = getattr(records, "shape", None)
    return int(shape[0]) if shape else len(records)


def values_of(query: Query, records: Any, *, simulated: bool = True) -> NDArray[np.generic]:
    """What a query says of each record, shape (1, records).

    With real noise a record of which it says no number has none (NaN): an error would tell of it.

    Raises
    ------
    InvalidArgument
        If it does not give one number for each record.
    """
    said = query(records)
    if not (simulated or _are_numbers(said)):
        said = numbers_of(said, "query")
    given = np.asarray(said)[None]
    values_per_record(given, size_of(records), "query")
    return given


def numbers_per_record(values: ArrayLike | Summed) -> ArrayLike | Summed:
    """Values of which each is a number, NaN where one is none; shape (questions, records)."""
    if isinstance(values, Summed) or _are_numbers(values):
        return values
    if isinstance(values, list | tuple):
        # Its rows are questions, whose form is public.
        return np.asarray([numbers_of(one, "values") for one in values])
    found: ArrayLike = number_matrix(values)
    return found


def _are_numbers(values: object) -> bool:
    return isinstance(values, np.ndarray) and values.dtype.kind in "biuf"


def values_per_record(values: ArrayLike | Summed, records: int, name: str) -> Values:
    """Check that values have the shape (questions, records).

    Examples
    --------
    >>> values_per_record([[True, False]], 2, "train").shape
    (1, 2)
    """
    given = values if isinstance(values, Summed) else np.asarray(values)
    if len(given.shape) != 2 or given.shape[1] != records or given.dtype.kind not in "biuf":
        wanted = f"one number for each of the {records} records"
        raise InvalidArgument(name, f"{given.dtype} {given.shape}", wanted)
    return given
