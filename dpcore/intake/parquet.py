"""Parquet files as Arrow tables."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpcore.errors import IntakeError
from dpcore.intake.cell_types import without_missing
from dpcore.intake.dialect import Dialect
from dpcore.intake.header import repaired_names
from dpcore.intake.limits import Limits, byte_size
from dpcore.intake.problems import Problem, limited
from dpcore.intake.size import require_columns, require_rows
from dpcore.intake.source import Source
from dpcore.schema.arrow_cells import arrow_cells
from dpcore.schema.cells import cell_text, numbers


def read_parquet(
    source: Source, limits: Limits, *, declared: bool = False
) -> tuple[pa.Table, Dialect, list[Problem]]:
    """Read a Parquet file.

    Parameters
    ----------
    source : Source
    limits : Limits
    declared : bool, default=False
        Whether its owner declared a schema. No cell then decides how another one is read, and there
        may be no rows.

    Returns
    -------
    (Table, Dialect, list of Problem)
        Every column is int64, float64 or string; dates and truth values become text. Bytes that are
        no UTF-8 become replacement characters. If declared, whole numbers are float64 too, as they
        would be beside a missing cell, and a text keeps the words for "missing".

    Raises
    ------
    IntakeError
        If the file is damaged, has no rows or too many, or a column is nested or binary.
    """
    try:
        stored = stored_table(source, limits, may_be_empty=declared)
    except (pa.ArrowException, OSError) as error:
        raise IntakeError(
            f"{source.title} is a damaged Parquet file", remedy="write or download it again"
        ) from error
    names, problems = repaired_names(stored.column_names)
    columns = [_declared(cells) if declared else _plain(cells) for cells in stored.itercolumns()]
    dialect = Dialect("parquet", compressed=source.compressed)
    return pa.table(columns, names=names), dialect, limited(problems, "have no name of their own")


def without_rows(content: bytes) -> bytes:
    """A Parquet file of the same columns and no rows: all that may be judged before one is read.

    Raises
    ------
    IntakeError
        If its footer, which names the columns and their types, cannot be read.

    Examples
    --------
    >>> stream = pa.BufferOutputStream()
    >>> pq.write_table(pa.table({"age": [30, 41]}), stream)
    >>> pq.read_table(pa.BufferReader(without_rows(stream.getvalue().to_pybytes()))).shape
    (0, 1)
    """
    stream = pa.BufferOutputStream()
    try:
        pq.write_table(pq.read_schema(pa.BufferReader(content)).empty_table(), stream)
    except (pa.ArrowException, OSError):
        raise IntakeError(
            "the file is not a Parquet file that this server can read",
            remedy="read it where its rows may be seen, with python -m dpcore release --plan",
        ) from None
    return bytes(stream.getvalue().to_pybytes())


def stored_table(source: Source, limits: Limits, *, may_be_empty: bool = False) -> pa.Table:
    """The columns as they are stored, repeated texts in dictionaries.

    Raises
    ------
    IntakeError
        If it has no rows or too many, or a column is nested or binary.
    """
    described = pq.ParquetFile(pa.BufferReader(source.content))
    size = described.metadata
    require_columns(len(described.schema_arrow), source.title, limits)
    require_rows(size.num_rows, len(described.schema_arrow), source.title, limits)
    if len(described.schema_arrow) == 0 or (size.num_rows == 0 and not may_be_empty):
        raise IntakeError(f"{source.title} has no data rows", remedy="write a table with rows")
    for field in described.schema_arrow:
        _require_flat(field)
    # A repeated text takes no room while it stays in its dictionary, so its full size can be
    # checked before it is spelled out.
    texts = [field.name for field in described.schema_arrow if _is_text(_values(field.type))]
    table = pq.ParquetFile(pa.BufferReader(source.content), read_dictionary=texts).read()
    if _full_size(table) > limits.decompressed_bytes:
        raise IntakeError(
            f"{source.title} unfolds to more than {byte_size(limits.decompressed_bytes)}",
            remedy="upload fewer rows, or raise the limit on decompressed size",
        )
    return table


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _values(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _require_flat(field: pa.Field) -> None:
    kind = _values(field.type)
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise IntakeError(
            f"it holds values of type {kind}, which fit no cell",
            column=field.name,
            remedy="write one plain column per value, or leave it out",
        )


def _full_size(table: pa.Table) -> int:
    return sum(
        _spelled_out(chunk) if pa.types.is_dictionary(chunk.type) else chunk.nbytes
        for column in table.itercolumns()
        for chunk in column.chunks
    )


def _spelled_out(chunk: pa.DictionaryArray) -> int:
    lengths = pc.cast(pc.binary_length(pc.cast(chunk.dictionary, pa.string())), pa.int64())
    return pc.sum(lengths.take(chunk.indices)).as_py() or 0


def _declared(column: pa.ChunkedArray) -> pa.Array:
    """Numbers as doubles and all else as texts, none of which a declared column cannot be."""
    cells = arrow_cells(column)
    if cells.dtype.kind in "iuf":
        return pa.array(numbers(cells), pa.float64(), from_pandas=True)
    return _texts(cells)


def _texts(cells: NDArray[Any]) -> pa.Array:
    return pa.array([cell_text(cell) or None for cell in cells], pa.string())


def _plain(column: pa.ChunkedArray) -> pa.Array:
    cells = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if pa.types.is_integer(cells.type):
        return _whole(cells)
    if pa.types.is_floating(cells.type) or pa.types.is_decimal(cells.type):
        return pc.cast(cells, pa.float64())
    return without_missing(_texts(arrow_cells(cells)))


def _whole(cells: pa.Array) -> pa.Array:
    try:
        return pc.cast(cells, pa.int64())
    except pa.ArrowInvalid:
        return pc.cast(cells, pa.float64(), safe=False)
