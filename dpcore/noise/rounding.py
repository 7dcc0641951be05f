"""Rounding that never loses privacy."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcore import _check
from dpcore.errors import InvalidArgument

# Noise of this scale stays below 2^61, and sums with clamped values inside 64 bits, but for a
# probability of exp(-512). Beyond it samplers saturate and integers wrap, which would give the
# value away.
LARGEST_SCALE = 2.0**52
LARGEST_VALUE = 2**61


def checked_scale(scale: Fraction | float) -> float:
    """A positive scale as a double, rounded up, or `InvalidArgument` if it is too wide to draw.

    Examples
    --------
    >>> checked_scale(Fraction(5, 2))
    2.5
    """
    _check.positive(scale=scale)
    if scale > LARGEST_SCALE:
        raise InvalidArgument(
            "scale", float(scale), "at most 2^52 cells, so ask for a larger epsilon"
        )
    return ceil_to_float(scale)


def ceil_to_float(value: Fraction | float) -> float:
    """The smallest double that is not below an exact value.

    A scale rounded down would spend slightly more than was charged; rounded up, it never does.

    Examples
    --------
    >>> Fraction(ceil_to_float(Fraction(1, 10))) >= Fraction(1, 10)
    True
    """
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
