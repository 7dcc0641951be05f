"""Cells that no column was declared to hold, one of each kind, and how files hold them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from dpcore.schema.arrow_cells import arrow_cells
from dpcore.schema.cells import texts


class Mute:
    """An object that raises whatever it is asked."""

    def __float__(self) -> float:
        raise RuntimeError("secret")

    def __str__(self) -> str:
        raise RuntimeError("secret")

    __repr__ = __str__


_DEEP: list[Any] = []
for _ in range(2000):
    _DEEP = [_DEEP]

ODD: dict[str, Any] = {
    "nothing": None,
    "not a number": float("nan"),
    "pandas' missing": pd.NA,
    "no moment": pd.NaT,
    "infinity": float("inf"),
    "largest double": 1e308,
    "whole number": 7,
    "beyond exact doubles": 2**53 + 1,
    "largest of 64 bits": 2**64 - 1,
    "beyond 64 bits": 2**70,
    "beyond doubles": 10**400,
    "5,000 digits": -(10**5000),
    "truth": True,
    "complex": 1j,
    "text": "planted",
    "text of a number": "12.50",
    "text of a code": "007",
    "empty text": "",
    "word for missing": "NA",
    "half a letter": "\ud800",
    "zero byte": "a\x00b",
    "formula": '=1+"1"',
    "bytes": b"\xff1",
    "signalling NaN": Decimal("sNaN"),
    "huge decimal": Decimal("1e999999"),
    "huge fraction": Fraction(10**500, 3),
    "extended precision": np.longdouble("1e4000"),
    "date": dt.date(2020, 1, 31),
    "moment": pd.Timestamp("2020-01-31 10:11:12"),
    "moment of a zone": dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=3))),
    "far moment": np.datetime64(2**62, "us"),
    "duration": np.timedelta64(3, "s"),
    "time of day": dt.time(1, 2, 3),
    "list": [1, [2]],
    "deep list": _DEEP,
    "array": np.array([1]),
    "mapping": {"a": 1},
    "object": object(),
    "mute object": Mute(),
}

# Said by no exception, warning, message or log: what could be told of the cells above.
TELLING = ("planted", "secret", "a\x00b", '=1+"1"', "1e4000", "10:11:12")

# What a CSV writer makes of them where `str` would fail; the mute object no writer can write.
_WRITTEN: dict[str, bytes] = {
    "nothing": b"",
    "pandas' missing": b"",
    "no moment": b"",
    "5,000 digits": b"-1" + b"0" * 5000,
    "half a letter": "\ud800".encode("utf-8", "surrogatepass"),
    "bytes": b"\xff1",
    "deep list": b"[" * 2000 + b"]" * 2000,
}
# Lines that no CSV writer writes, by what stands in the place of one cell.
LINES = {"open mark": b'"open', "mark within": b'a"b"', "more cells": b"1,2,3", "carriage": b"a\rb"}


def written(kind: str) -> bytes | None:
    """One cell of a CSV file; None where there is none such."""
    if kind in _WRITTEN:
        return _WRITTEN[kind]
    if kind == "mute object":
        return None
    text = str(ODD[kind])
    marked = any(mark in text for mark in '",\n')
    return (f'"{text.replace(chr(34), chr(34) * 2)}"' if marked else text).encode()


_DAY = 86_400 * 10**9
# Of what type a Parquet file holds them, with two plain cells beside, and how these are spelled.
# All others it holds as texts, as a CSV file does.
_TYPES: dict[str, tuple[pa.DataType, list[Any], Any]] = {
    "nothing": (pa.int64(), [10**16, 12_345_678_901_234_567], None),
    "not a number": (pa.float64(), [12.5, 1e16], float("nan")),
    "pandas' missing": (pa.bool_(), [True, False], None),
    "no moment": (pa.timestamp("ns"), [0, _DAY], None),
    "infinity": (pa.float32(), [12.5, 1.0], float("inf")),
    "largest double": (pa.float64(), [0.0, 1.0], 1e308),
    "whole number": (pa.int8(), [0, 1], 7),
    "beyond exact doubles": (pa.int64(), [0, 1], 2**53 + 1),
    "largest of 64 bits": (pa.uint64(), [0, 1], 2**64 - 1),
    "beyond 64 bits": (pa.decimal128(38, 2), [Decimal("12.50"), Decimal(1)], Decimal(2**70)),
    "huge decimal": (pa.decimal256(76, 0), [Decimal(0), Decimal(1)], Decimal(10) ** 75),
    "truth": (pa.bool_(), [False, True], True),
    "signalling NaN": (pa.float64(), [0.0, 1.0], np.uint64(0x7FF4 << 48).view(np.float64)),
    "text of a code": (pa.dictionary(pa.int8(), pa.string()), ["u", "v"], "007"),
    "date": (pa.date32(), [0, 1], 2**31 - 1),
    "moment": (pa.timestamp("us"), [0, 10**12], 2**62),
    "moment of a zone": (pa.timestamp("ns", "Europe/Berlin"), [0, _DAY], -(2**62)),
    "far moment": (pa.timestamp("ms"), [0, 1000], -(2**62)),
    "duration": (pa.duration("s"), [3, 4], 2**62),
    "time of day": (pa.time64("us"), [0, 10**6], 2**62),
}


def stored(kind: str) -> tuple[pa.DataType, list[Any], Any] | None:
    """A type of Parquet, two plain cells of it and the odd one; None where there is none such."""
    text = written(kind)
    if kind in _TYPES or text is None:
        return _TYPES.get(kind)
    return pa.string(), [b"12.50", b"free"], text


def parquet_column(kind: pa.DataType, cells: list[Any]) -> pa.Array:
    """A column of a type; texts may be bytes, which need be no UTF-8."""
    if kind == pa.string() and any(isinstance(cell, bytes) for cell in cells):
        return pa.array(cells, pa.binary()).view(kind)
    return pa.array(cells, kind)


def spelled(kind: pa.DataType, cells: list[Any]) -> list[str]:
    """How a schema calls them."""
    return texts(arrow_cells(parquet_column(kind, cells)))
