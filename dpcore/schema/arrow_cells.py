"""The cells of an Arrow column as an array, none of which decides how another one is spelled."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dpcore._typing import BoolArray, FloatArray, NDArray

_DAY = 86_400 * 10**9

# Billionths of a second; finer units are rounded down to these.
_NANOSECONDS = {"W": 7 * _DAY, "D": _DAY, "h": 3600 * 10**9, "m": 60 * 10**9, "s": 10**9}
_NANOSECONDS |= {"ms": 10**6, "us": 10**3, "ns": 1}


def moment_text(moment: np.datetime64) -> str:
    """Spell a moment in full: the day, the time to the second, and what is left of a second.

    Examples
    --------
    >>> [moment_text(np.datetime64(text)) for text in ("2020", "2020-01-31T10:11:12.500")]
    ['2020-01-01 00:00:00', '2020-01-31 10:11:12.500000']
    """
    if np.isnat(moment):
        return ""
    day, _, clock = str(np.datetime_as_string(moment)).partition("T")
    day += "-01" * (2 - day.lstrip("-").count("-"))
    whole, _, fraction = clock.partition(".")
    return f"{day} {whole}{'00:00:00'[len(whole) :]}{_fraction(fraction)}"


def clock_text(nanoseconds: int) -> str:
    """Spell a time of day.

    Examples
    --------
    >>> clock_text(3_723_000_000_000), clock_text(1)
    ('01:02:03', '00:00:00.000000001')
    """
    seconds, fraction = divmod(nanoseconds, 10**9)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}{_fraction(f'{fraction:09}')}"


def duration_text(duration: np.timedelta64) -> str:
    """Spell a duration in days and a time of day.

    Examples
    --------
    >>> duration_text(np.timedelta64(36, "h")), duration_text(np.timedelta64(-1, "s"))
    ('1 days 12:00:00', '-1 days +23:59:59')
    """
    if np.isnat(duration):
        return ""
    unit, step = np.datetime_data(duration.dtype)
    count = int(duration.astype(np.int64)) * step
    if unit not in _NANOSECONDS:
        return f"{count} {unit}"
    days, rest = divmod(count * _NANOSECONDS[unit], _DAY)
    return f"{days} days {'+' if days < 0 else ''}{clock_text(rest)}"


def date_text(value: Any) -> str | None:
    """Spell a date, a time of day or a moment of Python, pandas or NumPy; None for anything else.

    Examples
    --------
    >>> date_text(date(2020, 1, 31)), date_text(time(1, 2, 3)), date_text("2020")
    ('2020-01-31', '01:02:03', None)
    """
    if isinstance(value, pd.Timestamp):
        value = value.to_datetime64()
    if isinstance(value, np.datetime64):
        return moment_text(value)
    if isinstance(value, datetime):
        try:
            value = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
        except OverflowError:
            return str(value.isoformat(" "))
        return moment_text(np.datetime64(value, "us"))
    if isinstance(value, date):
        return str(value.isoformat())
    if isinstance(value, time):
        clock = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
        return clock_text((clock // timedelta(microseconds=1) + value.microsecond) * 1000)
    return None


def _fraction(digits: str) -> str:
    """Of a second: nothing, millionths, or whatever finer digits there are."""
    digits = digits.rstrip("0")
    return f".{digits:0<6}" if 0 < len(digits) <= 6 else f".{digits:0<9}" if digits else ""


_LOOKED_AT, _AT_ONCE = 1000, 2**16

# Numbers that Arrow and Python read alike, none of them beyond the range of a double.
_SHORT = {
    mark: rf"^-?[0-9]{{1,17}}([{mark}][0-9]{{1,17}})?([eE][+-]?[0-9]{{1,2}})?$" for mark in ".,"
}


def arrow_cells(column: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Cells as an array: numbers as they are stored, NaN where one is missing, or else objects.

    Dates, times, moments and durations become texts by their counts, so that one beyond the range
    of Python's own types is a cell like any other. Bytes that are no UTF-8 become replacement
    characters.

    Examples
    --------
    >>> arrow_cells(pa.array([1, None, 3], pa.int8())).tolist()
    [1.0, nan, 3.0]
    >>> arrow_cells(pa.array([0, 2**31 - 1, None], pa.date32())).tolist()
    ['1970-01-01', '5881580-07-11', None]
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column.type, pa.ExtensionType):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        if _is_bytes(column.type.value_type) and len(column.dictionary) < len(column):
            # Each text is decoded once.
            words = objects([*arrow_cells(column.dictionary), None])
            places = column.indices.fill_null(words.size - 1)
            return np.asarray(words[places.to_numpy(zero_copy_only=False)])
        # A dictionary is decoded by its own places; it may be longer than the column.
        column = column.dictionary_decode()
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    kind = column.type
    is_whole = pa.types.is_boolean(kind) and not column.null_count
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or is_whole:
        return np.asarray(column.to_numpy(zero_copy_only=False))
    if pa.types.is_temporal(kind):
        return _spelled(column)
    if _is_bytes(kind):
        # Bytes that are no UTF-8 are one odd cell, and no reason to read none of them.
        stored = column.cast(pa.large_binary()).to_pylist()
        return objects([None if cell is None else cell.decode(errors="replace") for cell in stored])
    return objects([_python(cell) for cell in column])


def plain_numbers(texts: pa.Array) -> pa.Array | None:
    """All cells as doubles if every one is a plain number, infinite, "nan" or null.

    Examples
    --------
    >>> plain_numbers(pa.array(["1", "2.5", None])).to_pylist()
    [1.0, 2.5, None]
    >>> plain_numbers(pa.array(["1", "two"]))
    """
    try:
        # Arrow words an error for every cell that fails: a few show soon whether one will.
        pc.cast(texts[:_LOOKED_AT], pa.float64())
        return pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:
        return None


def numbers_and_others(column: pa.ChunkedArray, decimal: str) -> tuple[FloatArray, BoolArray]:
    """Read the plain numbers of a column of texts, and mark the cells that are anything else.

    A number is the same whichever way it is read, so no cell decides what another one is.

    Examples
    --------
    >>> numbers, others = numbers_and_others(pa.chunked_array([["1,5", "two", None]]), ",")
    >>> numbers.tolist(), others.tolist()
    ([1.5, nan, nan], [False, True, False])
    """
    found = np.full(len(column), np.nan)
    others = np.zeros(len(column), np.bool_)
    start = 0
    for chunk in column.chunks:
        for first in range(0, len(chunk), _AT_ONCE):
            texts = chunk[first : first + _AT_ONCE]
            values = plain_numbers(texts) if decimal == "." else None
            stop = start + len(texts)
            if values is None:
                short = pc.match_substring_regex(texts, _SHORT[decimal])
                others[start:stop] = pc.fill_null(pc.invert(short), False)
                texts = pc.if_else(short, texts, pa.scalar(None, texts.type))
                values = pc.cast(pc.replace_substring(texts, decimal, "."), pa.float64())
            found[start:stop] = pc.fill_null(values, np.nan)
            start = stop
    return found, others


def byte_codes(values: NDArray[np.str_]) -> tuple[NDArray[np.integer], NDArray[np.str_]]:
    """Number the distinct cells of an array of texts in one piece, and list them.

    Examples
    --------
    >>> [found.tolist() for found in byte_codes(np.array(["no", "yes", "no"]))]
    [[0, 1, 0], ['no', 'yes']]
    """
    letters = values.view(np.uint32).reshape(values.size, -1)
    if letters.shape[1] <= 8 and letters.max() < 2**8:
        # So few plain letters are a whole number, of which all are numbered in half the time.
        short = np.zeros((values.size, 8), dtype=np.uint8)
        short[:, : letters.shape[1]] = letters
        codes, numbered = pd.factorize(short.view(np.int64).ravel())
        return codes, numbered.view(np.uint8).astype(np.uint32).view("U8")
    width, content = pa.binary(values.itemsize), pa.py_buffer(values)
    pairs = pa.Array.from_buffers(width, values.size, [None, content]).dictionary_encode()
    distinct = np.frombuffer(pairs.dictionary.buffers()[1], values.dtype, len(pairs.dictionary))
    return pairs.indices.to_numpy(), distinct


def _is_bytes(kind: pa.DataType) -> bool:
    texts = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    plain = pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    return bool(texts or plain or pa.types.is_fixed_size_binary(kind))


def _spelled(column: pa.Array) -> NDArray[Any]:
    """Dates, times, moments and durations as texts, each distinct one spelled once."""
    pairs = pc.dictionary_encode(column)
    places = pairs.indices.fill_null(len(pairs.dictionary)).to_numpy(zero_copy_only=False)
    return np.asarray(objects([*_words(pairs.dictionary), None])[places])


def _words(distinct: pa.Array) -> list[str]:
    kind = distinct.type
    if pa.types.is_time(kind):
        width = pa.int32() if pa.types.is_time32(kind) else pa.int64()
        step = _NANOSECONDS[kind.unit]
        return [clock_text(count * step) for count in distinct.cast(width).to_pylist()]
    if pa.types.is_date(kind):
        days = distinct.to_numpy(zero_copy_only=False).astype("datetime64[D]")
        return [str(day) for day in days]
    if pa.types.is_interval(kind):
        return [str(_python(cell)) for cell in distinct]
    spelled = duration_text if pa.types.is_duration(kind) else moment_text
    return [spelled(value) for value in distinct.to_numpy(zero_copy_only=False)]


def _python(cell: pa.Scalar) -> object:
    try:
        return cell.as_py()
    # What Python cannot hold is one odd cell.
    except Exception:  # noqa: BLE001
        return None


def objects(cells: Sequence[Any]) -> NDArray[Any]:
    """Cells as an array; whatever lies among them, a list as well, is one cell."""
    return np.fromiter(cells, dtype=object, count=len(cells))
