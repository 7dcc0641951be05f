"""The name of a table and the spelling of its cells: the same however it was saved."""

import binascii
import codecs
import hashlib
import json
import re
import unicodedata
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.data.reading import delimited, dialect, limited_process, parquet, workbooks
from dpcore.data.reading.problems import Limits
from dpcore.data.reading.source import Source, form_of, is_parquet, open_source, refuse_foreign
from dpcore.schema.arrow_cells import plain_numbers
from dpcore.schema.cells import GROUP_MARKS, MISSING, TRUTH, Decimal, number_pattern

# What both Arrow and Python read as a number.
_PLAIN = r"^[+-]?((\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|(?i:inf|infinity|nan))$"

_WHOLE = re.compile(r"[+-]?\d+")

_EXACT = 2.0**53

_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?\s?(Z|UTC|[+-]\d\d:?\d\d)?"
)

_TIME = re.compile(r"(\d\d:\d\d:\d\d)\.(\d{1,9})")

_DIGITS = 16


def canonical_cells(cells: pa.Array, decimal: Decimal = ".") -> pa.Array:
    """Write every cell of a column the one way that its value can be written.

    Parameters
    ----------
    cells : Array of n texts, numbers, truth values, dates or moments
    decimal : {".", ","}
        Decimal mark of the texts.

    Returns
    -------
    Array of n large strings
        16 hexadecimal digits, an IEEE double, for a number; "i" and its digits for a whole number
        that no double holds; "=" and the text for anything else; empty where the cell is missing.
        Each depends on its own cell and the decimal mark only.

    Notes
    -----
    Numbers count by their value: 1, 1.0, 1e0, 007 as 7, and a truth value as 1 or 0. Texts lose
    surrounding spaces and are in Unicode's normal form C. Moments are in UTC, without zeros that
    say nothing. The usual words for a missing cell are missing.

    Examples
    --------
    >>> canonical_cells(pa.array(["1", "1.00", "NA", " yes "])).to_pylist()
    ['3ff0000000000000', '3ff0000000000000', '', '=yes']
    >>> canonical_cells(pa.array([True, None])).to_pylist()
    ['3ff0000000000000', '']
    """
    kind = cells.type
    if pa.types.is_dictionary(kind):
        if len(cells.dictionary) > len(cells):
            return canonical_cells(cells.dictionary_decode(), decimal)
        words = canonical_cells(cells.dictionary, decimal)
        return pc.fill_null(words.take(cells.indices), "")
    if pa.types.is_boolean(kind):
        cells = pc.cast(cells, pa.int64())
    elif not (pa.types.is_float64(kind) or pa.types.is_integer(kind)):
        # A float of 32 bits is written in its own shortest digits, as a text file would hold it.
        return _from_texts(pc.cast(cells, pa.large_string()), decimal)
    values = pc.cast(cells, pa.float64(), safe=False)
    if pa.types.is_integer(cells.type) and _beyond_doubles(values):
        return _from_texts(pc.cast(cells, pa.large_string()), decimal)
    return _from_numbers(values)


def canonical_text(text: str) -> str:
    """Spell one text that is no plain number.

    Examples
    --------
    >>> [canonical_text(text) for text in ("True", "2020-01-01 00:00:00.000", "x")]
    ['3ff0000000000000', '=2020-01-01', '=x']
    """
    if text in MISSING:
        return ""
    if (truth := TRUTH.get(text.lower())) is not None:
        return str(_hexadecimal(np.array([truth]))[0])
    if moment := _MOMENT.fullmatch(text):
        text = _moment(*moment.groups()) or text
    elif time := _TIME.fullmatch(text):
        text = _with_fraction(*time.groups())
    return "=" + unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")


def _moment(date: str, time: str, fraction: str | None, zone: str | None) -> str:
    """A date and a time in UTC; empty if there is no such moment."""
    shift = "+00:00" if zone in (None, "Z", "UTC") else zone
    try:
        when = datetime.fromisoformat(f"{date}T{time}{shift}").astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    if when.time() == datetime.min.time() and not (fraction or "").strip("0"):
        return when.date().isoformat()
    return _with_fraction(f"{when:%Y-%m-%d %H:%M:%S}", fraction or "")


def _with_fraction(whole: str, fraction: str) -> str:
    digits = fraction.rstrip("0")
    return f"{whole}.{digits}" if digits else whole


def _beyond_doubles(values: pa.Array) -> bool:
    return bool(pc.any(pc.greater_equal(pc.abs(values), _EXACT)).as_py())


def _from_numbers(values: pa.Array) -> pa.Array:
    numbers = np.asarray(pc.fill_null(values, np.nan), dtype=np.float64)
    found = _hexadecimal(numbers)
    return pc.if_else(pa.array(np.isnan(numbers)), pa.scalar("", pa.large_string()), found)


def _hexadecimal(numbers: FloatArray) -> pa.Array:
    """Big-endian bits of doubles as large strings; zero has no sign."""
    digits = binascii.hexlify((numbers + 0.0).astype(">f8").tobytes())
    ends = np.arange(numbers.size + 1, dtype=np.int64) * _DIGITS
    buffers = [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(digits)]
    return pa.Array.from_buffers(pa.large_string(), numbers.size, buffers)


def _from_texts(texts: pa.Array, decimal: Decimal) -> pa.Array:
    # Nothing to strip, to drop or to look up in a column that is all plain numbers.
    values = plain_numbers(texts) if decimal == "." else None
    if values is not None and not _beyond_doubles(values):
        return _from_numbers(values)
    stripped = pc.utf8_trim_whitespace(texts)
    missing = pc.is_in(stripped, value_set=pa.array(sorted(MISSING), pa.large_string()))
    present = pc.if_else(missing, pa.scalar(None, pa.large_string()), stripped)
    plain = _without_groups(present, decimal)
    values = plain_numbers(plain)
    if values is None or _beyond_doubles(values):
        return _one_by_one(plain)
    return _from_numbers(values)


def _without_groups(texts: pa.Array, decimal: Decimal) -> pa.Array:
    """Numbers with a decimal point and without marks between groups of three."""
    if decimal == "." and not pc.any(pc.match_substring_regex(texts, GROUP_MARKS["."])).as_py():
        return texts
    bare = pc.replace_substring_regex(texts, GROUP_MARKS[decimal], "")
    bare = pc.replace_substring(bare, decimal, ".")
    return pc.if_else(pc.match_substring_regex(texts, number_pattern(decimal)), bare, texts)


def _one_by_one(texts: pa.Array) -> pa.Array:
    """Spell a column that is not all plain numbers, every distinct text once."""
    pairs = pc.dictionary_encode(texts)
    distinct = pairs.dictionary
    is_plain = pc.match_substring_regex(distinct, _PLAIN)
    numbers = pc.cast(pc.if_else(is_plain, distinct, pa.scalar(None)), pa.float64())
    found = _from_numbers(numbers).to_pylist()
    large = pc.fill_null(pc.greater_equal(pc.abs(numbers), _EXACT), False).to_pylist()
    told = zip(distinct.to_pylist(), is_plain.to_pylist(), strict=True)
    for place, (text, number) in enumerate(told):
        if not number:
            found[place] = canonical_text(text)
        elif large[place] and _WHOLE.fullmatch(text):
            found[place] = _whole(text, found[place])
    return pc.fill_null(pa.array(found, pa.large_string()).take(pairs.indices), "")


def _whole(text: str, as_double: str) -> str:
    """A whole number beyond 2^53: the double if that is the number, else all its digits."""
    digits = text.lstrip("+-").lstrip("0")
    sign = "-" if text.startswith("-") else ""
    value = float(text)
    exact = np.isfinite(value) and len(digits) < 400 and int(value) == int(sign + digits)
    return as_double if exact else f"i{sign}{digits}"


_HEAD = b"dpcore table 2\n"

_BETWEEN, _ESCAPE = "\x1f", "\x1b"

_ROWS = 2**16


_NAMELESS = re.compile(r"column_\d+|Unnamed: \d+|__index_level_\d+__|index")


@limited_process.in_limited_process()
def digest_of_file(
    source: bytes | Path, *, limits: Limits, by_lines: bool = False, is_record: bool = False
) -> str:
    """`digest_of_table` of a file, or `digest_of_lines`, within the limits.

    Parameters
    ----------
    is_record
        Whether the file may begin with a record, which then makes no packed file of it.

    Raises
    ------
    IntakeError
        If it is too large, or a damaged gzip file.
    """
    opened = open_source(source, "", limits, is_record=is_record)
    return digest_of_lines(opened) if by_lines else digest_of_table(opened, limits)


def digest_of_table(source: Source, limits: Limits) -> str:
    r"""SHA-256 of the canonical bytes of a table, whatever file it lies in.

    Parameters
    ----------
    source
        A delimited text, a Parquet file, a workbook (of which the first sheet that holds a table
        counts, whichever is declared) or JSON.

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
    if not is_parquet(content):
        lines = dialect.LINE_END.split(content.removeprefix(codecs.BOM_UTF8))
        content = b"\n".join(sorted(line for line in lines if line.strip()))
    return hashlib.sha256(content).hexdigest()


def _raw(source: Source, limits: Limits) -> tuple[pa.Table, Decimal]:
    """The table as it stands in the file, and the decimal mark of its texts."""
    form = form_of(source.content)
    if form == "parquet":
        return parquet.stored_table(source, limits), "."
    if form != "delimited":
        source = workbooks.written_out(source, limits).source
    refuse_foreign(source.content, source.title)
    found = delimited.read_cells(source, limits)
    return found.table, found.sniffed.decimal


def _digest(table: pa.Table, decimal: Decimal) -> str:
    table = _without_row_numbers(table)
    names = [unicodedata.normalize("NFC", name.strip()) for name in table.column_names]
    order = sorted(range(len(names)), key=names.__getitem__)
    found = hashlib.sha256(_HEAD)
    found.update(json.dumps([names[place] for place in order]).encode() + b"\n")
    # Each number once: of a long table the rows' digests are larger than its cells.
    digests = np.empty((table.num_rows, 4), ">u8")
    for start in range(0, table.num_rows, _ROWS):
        part = table.slice(start, _ROWS)
        cells = [_spelled(part.column(place), decimal) for place in order]
        digests[start : start + _ROWS] = np.frombuffer(b"".join(_rows(cells)), ">u8").reshape(-1, 4)
    # Sorted as bytes: numpy compares them so, trailing zeros included.
    in_order = _order(digests)
    for start in range(0, in_order.size, _ROWS):
        found.update(digests[in_order[start : start + _ROWS]].tobytes())
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
    nameless = filter(_NAMELESS.fullmatch, table.column_names)
    added = [name for name in nameless if _numbers_rows(table.column(name))]
    return table.drop_columns(added) if len(added) < table.num_columns else table


def _numbers_rows(column: pa.ChunkedArray) -> bool:
    try:
        numbers = np.sort(np.asarray(pc.cast(column, pa.int64())))
    except (pa.ArrowException, TypeError):
        return False
    rows = np.arange(numbers.size)
    return bool(numbers.size and numbers[0] in (0, 1) and (numbers == numbers[0] + rows).all())
