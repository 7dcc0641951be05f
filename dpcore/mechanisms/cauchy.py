"""How much Cauchy noise a smooth sensitivity needs, exactly."""

from __future__ import annotations

import math

from dpcore import _check
from dpcore.errors import InvalidArgument

__all__ = ["cauchy_loss", "cauchy_rate"]


def cauchy_loss(shift: float, scale: float, other_scale: float) -> float:
    """Largest privacy loss between two Cauchy distributions.

    Parameters
    ----------
    shift : float
        Distance between their medians.
    scale, other_scale : float
        Their scales; positive.

    Returns
    -------
    float
        The supremum of the absolute log-ratio of the densities. It is the distance of the points
        (median, scale) in the hyperbolic half-plane.

    Examples
    --------
    >>> round(cauchy_loss(0.0, 1.0, math.e), 12)
    1.0
    """
    _check.positive(scale=scale, other_scale=other_scale)
    excess = (shift * shift + (scale - other_scale) ** 2) / (2.0 * scale * other_scale)
    # arcosh(1 + excess), accurate also where the excess is tiny.
    return math.log1p(excess + math.sqrt(excess * (2.0 + excess)))


def cauchy_rate(epsilon: float, beta: float) -> float:
    """Largest alpha for which f(x) + S(x)/alpha * Cauchy is epsilon-DP, S beta-smooth.

    Parameters
    ----------
    epsilon : float
        Privacy loss; positive.
    beta : float
        S changes by a factor of at most e^beta between neighbours; in [0, epsilon).

    Privacy
        Neighbours have medians at most S apart and scales S/alpha and e^b S/alpha, 0 <= b <= beta.
        `cauchy_loss` of the two is at most epsilon iff
        alpha^2 <= 2 e^b (cosh(epsilon) - cosh(b)). The right-hand side, as a function of b, is
        lowest at an end of [0, beta], hence
        alpha = min(2 sinh(epsilon / 2), sqrt(2 e^beta (cosh(epsilon) - cosh(beta)))).
        At beta = epsilon it is zero: no amount of noise suffices.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, Section 2 (with a constant about six times larger). doi:10.1145/1250790.1250803

    Examples
    --------
    >>> round(cauchy_rate(1.0, 0.5), 3)
    1.042
    """
    _check.positive(epsilon=epsilon)
    if not 0.0 <= beta < epsilon:
        raise InvalidArgument("beta", beta, f"at least 0 and below epsilon = {epsilon}")
    at_zero = 2.0 * math.sinh(epsilon / 2.0)
    # cosh(epsilon) - cosh(beta), without cancellation.
    gap = 2.0 * math.sinh((epsilon + beta) / 2.0) * math.sinh((epsilon - beta) / 2.0)
    return min(at_zero, math.sqrt(2.0 * math.exp(beta) * gap))
