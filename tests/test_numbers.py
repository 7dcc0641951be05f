"""How numbers are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore._numbers import band_names, interval, level, percent, rate, signed


@pytest.mark.parametrize(
    "written, words",
    [
        (percent(0.299), "29.9 %"),
        (percent(-0.0151), "−1.5 %"),
        (percent(0.06, digits=0), "6 %"),
        (percent(-0.0001), "0.0 %"),
        (rate(1.0), "1.000"),
        (rate(-0.25, digits=2), "−0.25"),
        (signed(37.12, digits=1), "+37.1"),
        (signed(-102.34, digits=1), "−102.3"),
        (signed(-0.0004), "0.000"),
        (level(0.9), "90 %"),
        (level(0.001), "0.1 %"),
        (interval(0.84, 0.881, 0.9), "90 % interval for these records 0.840 to 0.881"),
        (band_names(0.995)[0], "privacy band for these records, 99.5 %"),
    ],
)
def test_examples(written: str, words: str) -> None:
    assert written == words


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_every_number_is_read_back(value: float, digits: int) -> None:
    written = signed(value, digits=digits)
    assert "-" not in written
    found = float(written.replace("−", "-").replace(",", ""))
    assert found == round(value, digits)
    assert written.startswith("+") is (found > 0)
