"""How much two normal laws differ beyond epsilon, in closed form."""

from __future__ import annotations

import math

from scipy.stats import norm


def normal_delta(shift: float, scale: float, other: float, epsilon: float) -> float:
    """Smallest delta with P(A) <= e^epsilon Q(A) + delta for all A; P = N(0, scale^2).

    Q is N(shift, other^2). P exceeds e^epsilon Q where a quadratic of the point is positive.
    """
    a = (1 / other**2 - 1 / scale**2) / 2
    b = -shift / other**2
    c = shift**2 / (2 * other**2) + math.log(other / scale) - epsilon
    if abs(a) < 1e-300:
        if b == 0.0:
            return max(0.0, -math.expm1(epsilon)) if c > 0 else 0.0
        root = -c / b
        regions = [(root, math.inf)] if b > 0 else [(-math.inf, root)]
    else:
        square = b * b - 4 * a * c
        if square <= 0:
            regions = [(-math.inf, math.inf)] if a > 0 else []
        else:
            low, high = sorted(
                ((-b - math.sqrt(square)) / (2 * a), (-b + math.sqrt(square)) / (2 * a))
            )
            regions = [(-math.inf, low), (high, math.inf)] if a > 0 else [(low, high)]

    def mass(centre: float, sigma: float) -> float:
        return sum(
            norm.cdf((right - centre) / sigma) - norm.cdf((left - centre) / sigma)
            if left <= centre
            else norm.sf((left - centre) / sigma) - norm.sf((right - centre) / sigma)
            for left, right in regions
        )

    return max(0.0, float(mass(0.0, scale) - math.exp(epsilon) * mass(shift, other)))


def worst_normal_delta(shift: float, scale: float, other: float, epsilon: float) -> float:
    """The larger of both directions."""
    there = normal_delta(shift, scale, other, epsilon)
    return max(there, normal_delta(shift, other, scale, epsilon))
