"""Parquet files as Arrow tables."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpcore._typing import IntArray, NDArray
from dpcore.data.reading import clean_text, nested_cells, packed, text_columns
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.problems import DamagedFile, Limits, Problem
from dpcore.data.reading.source import Source, require_columns, require_rows
from dpcore.errors import IntakeError
from dpcore.schema.arrow_cells import arrow_cells
from dpcore.schema.cells import cell_text, numbers

_PLAIN_TYPES = tuple(
    getattr(pa.types, f"is_{kind}")
    for kind in ("boolean", "integer", "floating", "decimal", "temporal", "null")
)
_BATCH_BYTES = 2**24
_MOST_ROWS = 2**16
_OFFSET_BYTES = 4
# Bytes of one size for all cells are read up to that: UUIDs, and check sums.
_FEW_BYTES = 64


def read_parquet(
    source: Source, limits: Limits, *, declared: bool = False
) -> tuple[pa.Table, Dialect, list[Problem]]:
    """Read a Parquet file.

    Parameters
    ----------
    declared
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
        If the file has no rows or too many, or a column is nested or of bytes of one size.
    DamagedFile
        If it cannot be taken apart: whatever its rows say, a whole file can.
    """
    try:
        stored = stored_table(source, limits, may_be_empty=declared, nested=not declared)
    except MemoryError:
        raise
    except (pa.ArrowException, OSError) as error:
        what = f"{source.title} is a damaged Parquet file"
        raise DamagedFile(what, remedy="write or download it again") from error
    names, problems = text_columns.repaired_names(stored.column_names)
    pairs = zip(names, stored.itercolumns(), strict=True)
    columns = [_declared(cells) if declared else _plain(cells, name) for name, cells in pairs]
    dialect = Dialect("parquet", compressed=source.compressed)
    return pa.table(columns, names=names), dialect, problems


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
        what = "the file is not a Parquet file that this server can read"
        remedy = "read it where its rows may be seen, with python -m dpcore release --plan"
        raise IntakeError(what, remedy=remedy) from None
    return bytes(stream.getvalue().to_pybytes())


def stored_table(
    source: Source, limits: Limits, *, may_be_empty: bool = False, nested: bool = False
) -> pa.Table:
    """The columns as they are stored; if they may be `nested`, lists and objects as text in JSON.

    Raises
    ------
    IntakeError
        If it has no rows or too many, a column is no plain one, or it unfolds to too much.
    """
    content = pa.BufferReader(source.content)
    metadata, schema = pq.read_metadata(content), pq.read_schema(content)
    require_columns(len(schema), source.title, limits)
    # The footer may say one number and the row groups another: only what they hold is read.
    rows = sum(metadata.row_group(place).num_rows for place in range(metadata.num_row_groups))
    require_rows(rows, len(schema), source.title, limits)
    if len(schema) == 0 or (rows == 0 and not may_be_empty):
        raise IntakeError(f"{source.title} has no data rows", remedy="write a table with rows")
    for field in schema:
        if not (nested and pa.types.is_nested(field.type)) and not is_short_bytes(field.type):
            require_plain(field)
    texts = [field.name for field in schema if is_text(field.type)]
    file = pq.ParquetFile(content, metadata=metadata, read_dictionary=texts)
    batches, size, found = [], 0, 0
    at_once = rows_at_once(schema, _BATCH_BYTES, _MOST_ROWS)
    for batch in file.iter_batches(at_once, use_threads=False):
        size, found = size + full_size(batch), found + batch.num_rows
        if size > limits.decompressed_bytes:
            raise packed.unfolds_too_far(source.title, limits.decompressed_bytes)
        require_rows(found, len(schema), source.title, limits)
        batches.append(_spelled_out(batch))
    return pa.Table.from_batches(batches) if batches else schema.empty_table()


def is_text(kind: pa.DataType) -> bool:
    """Whether cells of a type are texts or bytes, each by itself or in a dictionary.

    Spark writes texts as bytes where it does not say that they are UTF-8. Bytes of one size for all
    cells cannot be read in a dictionary, and are none.
    """
    kind = _values(kind)
    types = pa.types
    texts = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    return bool(texts or types.is_binary(kind) or types.is_large_binary(kind))


def is_short_bytes(kind: pa.DataType) -> bool:
    """Whether cells are a few bytes each, such as a UUID: they are read in hexadecimal digits."""
    kind = _stored(kind)
    return bool(pa.types.is_fixed_size_binary(kind) and kind.byte_width <= _FEW_BYTES)


def require_plain(field: pa.Field, holder: str = "it") -> None:
    """Raise `IntakeError` unless every cell of a column is one number, text, moment or truth value.

    Of these the type says how large a cell is, or the cell can stay in a dictionary until its size
    is known. All others are refused, known or not: nested values, bytes of one size, whatever
    comes later.
    """
    kind = _values(field.type)
    if not (is_text(kind) or any(is_one(kind) for is_one in _PLAIN_TYPES)):
        what = f"{holder} holds values of type {kind}, which fit no cell"
        remedy = "write one plain column per value, or leave it out"
        if pa.types.is_fixed_size_binary(kind):
            what = f"{holder} holds blocks of {kind.byte_width:,} bytes, neither numbers nor text"
            remedy = "write it as text, or leave it out"
        raise IntakeError(what, column=field.name, remedy=remedy)


def _as_json(cell: pa.Scalar) -> str | None:
    # A missing cell has no length; moments may lie beyond those of Python, and bytes be no text.
    with suppress(TypeError, ValueError, OverflowError):
        return json.dumps(cell.as_py(), default=str) if len(cell) <= nested_cells.WIDEST else None
    return None


def rows_at_once(schema: pa.Schema, size: int, most: int) -> int:
    """How many rows of plain columns take so many bytes, texts in their dictionaries."""
    width = sum(_OFFSET_BYTES if is_text(field.type) else _width(field.type) for field in schema)
    return max(1, min(most, size // max(width, 1)))


def pieces(batch: pa.RecordBatch, size: int) -> Iterator[pa.RecordBatch]:
    """Cut a batch so that no piece takes more bytes once repeated texts are written out.

    A piece has one row at least.

    Examples
    --------
    >>> cells = pa.array(["x" * 96, "x" * 96, "y"]).dictionary_encode()
    >>> batch = pa.RecordBatch.from_arrays([cells], ["a"])
    >>> [piece.num_rows for piece in pieces(batch, 150)]
    [1, 2]
    """
    repeated = [cells for cells in batch.columns if pa.types.is_dictionary(cells.type)]
    if not repeated or full_size(batch) <= size:
        yield batch
        return
    ends = np.cumsum(np.sum([text_sizes(cells) for cells in repeated], axis=0))
    start = 0
    while start < batch.num_rows:
        before = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, before + size, side="right")), start + 1)
        yield batch.slice(start, stop - start)
        start = stop


def full_size(batch: pa.RecordBatch) -> int:
    """Bytes of all cells once repeated texts are written out."""
    return sum(
        int(np.sum(text_sizes(cells))) if pa.types.is_dictionary(cells.type) else cells.nbytes
        for cells in batch.columns
    )


def text_sizes(cells: pa.DictionaryArray) -> IntArray:
    """Bytes of each cell of a dictionary, without writing one out."""
    if not is_text(cells.type):
        return np.full(len(cells), _width(cells.type.value_type), dtype=np.int64)
    lengths = pc.cast(pc.binary_length(pc.cast(cells.dictionary, pa.large_binary())), pa.int64())
    found = pc.fill_null(lengths.take(cells.indices), 0)
    return np.asarray(found, dtype=np.int64) + _OFFSET_BYTES


def _values(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _stored(kind: pa.DataType) -> pa.DataType:
    return kind.storage_type if isinstance(kind, pa.UuidType) else kind


def _width(kind: pa.DataType) -> int:
    kind = _stored(kind)
    return 1 if kind.num_fields or pa.types.is_null(kind) else max(_values(kind).bit_width // 8, 1)


def _spelled_out(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch without dictionaries, each of which may hold more than the batch."""
    is_words = pa.types.is_dictionary
    columns = [one.dictionary_decode() if is_words(one.type) else one for one in batch.columns]
    columns = [
        pa.array(map(_as_json, one), pa.string()) if pa.types.is_nested(one.type) else one
        for one in columns
    ]
    columns = [_in_hexadecimal(one) if is_short_bytes(one.type) else one for one in columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _in_hexadecimal(cells: pa.Array) -> pa.Array:
    stored = cells.cast(_stored(cells.type)).to_pylist()
    return pa.array([None if one is None else one.hex() for one in stored], pa.string())


def _declared(column: pa.ChunkedArray) -> pa.Array:
    """Numbers as doubles and all else as texts, none of which a declared column cannot be."""
    cells = arrow_cells(column)
    if cells.dtype.kind in "iuf":
        return pa.array(numbers(cells), pa.float64(), from_pandas=True)
    return _texts(cells)


def _texts(cells: NDArray[Any]) -> pa.Array:
    return pa.array([cell_text(cell) or None for cell in cells], pa.string())


def _plain(column: pa.ChunkedArray, name: str) -> pa.Array:
    cells = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    kind = cells.type
    try:
        if pa.types.is_integer(kind):
            return _whole(cells)
        if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            return pc.cast(cells, pa.float64())
        return clean_text.without_missing(_texts(arrow_cells(cells)))
    except pa.ArrowException as error:
        what = f"its values of type {kind} cannot be read as numbers or text"
        remedy = "write it as numbers or text, or leave it out"
        raise IntakeError(what, column=name, remedy=remedy) from error


def _whole(cells: pa.Array) -> pa.Array:
    try:
        return pc.cast(cells, pa.int64())
    except pa.ArrowInvalid:
        return pc.cast(cells, pa.float64(), safe=False)
