"""Cells that no column was declared to hold, one of each kind."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd


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
    "beyond 64 bits": 2**70,
    "beyond doubles": 10**400,
    "5,000 digits": -(10**5000),
    "truth": True,
    "complex": 1j,
    "text": "maybe",
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
