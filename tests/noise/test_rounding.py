"""Scales are rounded up, never down."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.noise.rounding import LARGEST_SCALE, ceil_to_float, checked_scale


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_smallest_double_not_below(value: Fraction) -> None:
    rounded = ceil_to_float(value)
    assert Fraction(rounded) >= value
    assert Fraction(math.nextafter(rounded, 0.0)) < value


@pytest.mark.parametrize("scale", [2.0**53, Fraction(10) ** 30])
def test_scales_that_would_saturate_are_refused(scale: Fraction | float) -> None:
    """Epsilon 1e-20 once gave the sign of a count away: the sampler saturated and wrapped."""
    assert checked_scale(LARGEST_SCALE) == LARGEST_SCALE
    with pytest.raises(InvalidArgument, match="ask for a larger epsilon"):
        checked_scale(scale)
