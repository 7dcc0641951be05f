"""One spelling for every cell, however a table was saved."""

from __future__ import annotations

import binascii
import re
import unicodedata
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpcore._typing import FloatArray
from dpcore.schema.arrow_cells import plain_numbers
from dpcore.schema.cells import MISSING, TRUTH, Decimal, number_pattern

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
    if not pc.any(pc.match_substring(texts, ",")).as_py() and decimal == ".":
        return texts
    group = "." if decimal == "," else ","
    bare = pc.replace_substring(pc.replace_substring(texts, group, ""), decimal, ".")
    return pc.if_else(pc.match_substring_regex(texts, number_pattern(decimal)), bare, texts)


def _one_by_one(texts: pa.Array) -> pa.Array:
    """Spell a column that is not all plain numbers, every distinct text once."""
    pairs = pc.dictionary_encode(texts)
    distinct = pairs.dictionary
    is_plain = pc.match_substring_regex(distinct, _PLAIN)
    numbers = pc.cast(pc.if_else(is_plain, distinct, pa.scalar(None)), pa.float64())
    found = _from_numbers(numbers).to_pylist()
    large = pc.fill_null(pc.greater_equal(pc.abs(numbers), _EXACT), False).to_pylist()
    for place, (text, number) in enumerate(
        zip(distinct.to_pylist(), is_plain.to_pylist(), strict=True)
    ):
        if not number:
            found[place] = canonical_text(text)
        elif large[place] and _WHOLE.fullmatch(text):
            found[place] = _whole(text, found[place])
    spelled = pa.array(found, pa.large_string()).take(pairs.indices)
    return pc.fill_null(spelled, "")


def _whole(text: str, as_double: str) -> str:
    """A whole number beyond 2^53: the double if that is the number, else all its digits."""
    digits = text.lstrip("+-").lstrip("0")
    sign = "-" if text.startswith("-") else ""
    value = float(text)
    exact = np.isfinite(value) and len(digits) < 400 and int(value) == int(sign + digits)
    return as_double if exact else f"i{sign}{digits}"
