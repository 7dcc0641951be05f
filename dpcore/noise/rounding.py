"""Rounding that never loses privacy."""

from __future__ import annotations

import math
from fractions import Fraction


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
