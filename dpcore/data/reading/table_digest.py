"""The name of a table: the same however it was saved, another if any cell is."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpcore._typing import IntArray
from dpcore.data.reading.canonical_cells import canonical_cells
from dpcore.data.reading.delimited import read_cells
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.limits import Limits
from dpcore.data.reading.parquet import stored_table
from dpcore.data.reading.source import PARQUET_MAGIC, Source, open_source, refuse_foreign
from dpcore.data.reading.tables import only_intake_errors
from dpcore.data.reading.workbooks import written_out
from dpcore.schema.cells import Decimal

_HEAD = b"dpcore table 2\n"
_BETWEEN, _ESCAPE = "\x1f", "\x1b"
_ROWS = 2**16
_LINE_END = re.compile(rb"\r\n|\n|\r")
_MARK = b"\xef\xbb\xbf"
_NAMELESS = re.compile(r"column_\d+|Unnamed: \d+|__index_level_\d+__|index")


@only_intake_errors
@in_limited_process()
def digest_of_file(source: bytes | Path, *, limits: Limits, by_lines: bool = False) -> str:
    """`digest_of_table` of a file, or `digest_of_lines`, within the limits.

    Raises
    ------
    IntakeError
        If it is too large, or a damaged gzip file.
    """
    opened = open_source(source, "", limits)
    return digest_of_lines(opened) if by_lines else digest_of_table(opened, limits)


def digest_of_table(source: Source, limits: Limits) -> str:
    r"""SHA-256 of the canonical bytes of a table, whatever file it lies in.

    Parameters
    ----------
    source : Source
        A delimited text, a Parquet file, a workbook (of which the first sheet that holds a table
        counts, whichever is declared) or JSON lines.
    limits : Limits

    Returns
    -------
    str
        64 hexadecimal digits. Delimiter, quotation marks, line ends, encoding, decimal mark,
        compression, the order of rows and columns, and in what form it is make no difference, nor
        does any schema: nothing but the file is asked. A column without a name that numbers
        the rows is left out. A file that is no table has the digest of its lines.

    Notes
    -----
    The canonical bytes are the names of the columns, sorted, and the SHA-256 of every row, sorted.
    A row is its cells in the order of the names, each as `canonical_cells` spells it.

    Examples
    --------
    >>> from dpcore.data.reading.source import open_source
    >>> files = b"label,score\n1,0.5\n0,2\n", b'score;"label"\r\n2,0;0\r\n0,50;1\r\n'
    >>> first, second = (
    ...     digest_of_table(open_source(file, "", Limits()), Limits()) for file in files
    ... )
    >>> first == second
    True
    """
    try:
        table, decimal = _raw(source, limits)
        return _digest(table, decimal)
    # How much memory there is must not give a table another name.
    except MemoryError:
        raise
    # Whatever a strange file makes a parser stumble over; a row must not decide what is said.
    except Exception:  # noqa: BLE001
        return digest_of_lines(source)


def digest_of_lines(source: Source) -> str:
    """SHA-256 of the sorted lines of a text, or of all bytes of a Parquet file.

    Under this name earlier versions kept the budgets of all data sets.
    """
    content = source.content
    if not content.startswith(PARQUET_MAGIC):
        lines = _LINE_END.split(content.removeprefix(_MARK))
        content = b"\n".join(sorted(line for line in lines if line.strip()))
    return hashlib.sha256(content).hexdigest()


def _raw(source: Source, limits: Limits) -> tuple[pa.Table, Decimal]:
    """The table as it stands in the file, and the decimal mark of its texts."""
    if source.content.startswith(PARQUET_MAGIC):
        return stored_table(source, limits), "."
    other = written_out(source, limits)
    source = source if other is None else other.source
    refuse_foreign(source.content, source.title)
    found = read_cells(source, limits)
    return found.table, found.sniffed.decimal


def _digest(table: pa.Table, decimal: Decimal) -> str:
    table = _without_row_numbers(table)
    names = [unicodedata.normalize("NFC", name.strip()) for name in table.column_names]
    order = sorted(range(len(names)), key=names.__getitem__)
    found = hashlib.sha256(_HEAD)
    found.update(json.dumps([names[place] for place in order]).encode() + b"\n")
    rows: list[bytes] = []
    for start in range(0, table.num_rows, _ROWS):
        part = table.slice(start, _ROWS)
        cells = [_spelled(part.column(place), decimal) for place in order]
        rows.append(b"".join(_rows(cells)))
    # Sorted as bytes: numpy compares them so, trailing zeros included.
    digests = np.frombuffer(b"".join(rows), dtype=">u8").reshape(-1, 4)
    found.update(digests[_order(digests)].tobytes())
    return found.hexdigest()


def _order(digests: NDArray[np.uint64]) -> IntArray:
    """The order of rows: by their first eight bytes, and by all where two share these."""
    first = digests[:, 0].astype(np.uint64)
    order = np.argsort(first)
    if (first[order[1:]] == first[order[:-1]]).any():
        return np.lexsort(digests.T[::-1])
    return order


def _spelled(column: pa.ChunkedArray, decimal: Decimal) -> pa.Array:
    cells = canonical_cells(column.combine_chunks(), decimal)
    content = cells.buffers()[2]
    text = content.to_pybytes() if content is not None else b""
    if _BETWEEN.encode() not in text and _ESCAPE.encode() not in text:
        return cells
    cells = pc.replace_substring(cells, _ESCAPE, _ESCAPE + "e")
    return pc.replace_substring(cells, _BETWEEN, _ESCAPE + "b")


def _rows(columns: list[pa.Array]) -> list[bytes]:
    """SHA-256 of every row."""
    joined = pc.binary_join_element_wise(*columns, pa.scalar(_BETWEEN, pa.large_string()))
    _, ends, content = joined.buffers()
    text = memoryview(content) if content is not None else memoryview(b"")
    places = np.frombuffer(ends, dtype=np.int64)[joined.offset :][: len(joined) + 1].tolist()
    return [hashlib.sha256(text[start:end]).digest() for start, end in pairwise(places)]


def _without_row_numbers(table: pa.Table) -> pa.Table:
    """Drop the columns that programs add when they save: nameless ones that number the rows."""
    added = [
        name
        for name in table.column_names
        if _NAMELESS.fullmatch(name) and _numbers_rows(table.column(name))
    ]
    return table.drop_columns(added) if len(added) < table.num_columns else table


def _numbers_rows(column: pa.ChunkedArray) -> bool:
    try:
        numbers = np.sort(np.asarray(pc.cast(column, pa.int64())))
    except (pa.ArrowException, TypeError):
        return False
    return bool(
        numbers.size
        and numbers[0] in (0, 1)
        and (numbers == numbers[0] + np.arange(numbers.size)).all()
    )
