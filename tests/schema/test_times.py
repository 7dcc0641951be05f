"""A moment has one spelling, whatever unit it is stored in."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.schema.times import clock_text, duration_text, moment_text


@pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns"])
def test_the_unit_decides_nothing(unit: str) -> None:
    day = np.datetime64("2020-01-31", unit)
    assert moment_text(day) == "2020-01-31 00:00:00"
    assert duration_text(np.timedelta64(2, "D").astype(f"m8[{unit}]")) == "2 days 00:00:00"


def test_what_is_no_moment_has_no_text() -> None:
    assert moment_text(np.datetime64("NaT")) == ""
    assert duration_text(np.timedelta64("NaT")) == ""


def test_moments_far_away_are_spelled() -> None:
    assert moment_text(np.datetime64(2**62, "s")).count(":") == 2
    assert moment_text(np.datetime64("-0044-03-15", "D")).endswith("-03-15 00:00:00")


def test_fractions_lose_no_digit() -> None:
    assert clock_text(86_399_999_999_999) == "23:59:59.999999999"
    assert moment_text(np.datetime64("2020-01-01T00:00:00.000000001")).endswith(".000000001")
