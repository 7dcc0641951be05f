"""Scales are rounded up, never down."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpcore.noise.rounding import ceil_to_float


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_smallest_double_not_below(value: Fraction) -> None:
    rounded = ceil_to_float(value)
    assert Fraction(rounded) >= value
    assert Fraction(math.nextafter(rounded, 0.0)) < value
