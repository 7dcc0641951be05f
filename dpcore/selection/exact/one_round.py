"""One round of the published clustering of features: how likely a cluster is accepted."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import quad

from dpcore import _check

__all__ = ["acceptance"]


def acceptance(
    total: float, size: int, threshold: float, *, sum_scale: float, size_scale: float
) -> float:
    """Probability that the noisy centre of one-dimensional points reaches a threshold.

    Parameters
    ----------
    total : float
        Sum of the points of the cluster.
    size : int
        Their number.
    threshold : float
    sum_scale, size_scale : float
        Of the Laplace noise on both; the centre is the noisy sum over the noisy size, at least 1.

    Returns
    -------
    float

    Examples
    --------
    >>> round(acceptance(7.0, 1, 5.0, sum_scale=2.0, size_scale=2.0), 3)
    0.505
    """
    _check.positive(sum_scale=sum_scale, size_scale=size_scale)

    def given(noise: float) -> float:
        gap = (total - threshold * max(size + noise, 1.0)) / sum_scale
        above = 1.0 - 0.5 * np.exp(-gap) if gap > 0 else 0.5 * np.exp(gap)
        return float(above * np.exp(-abs(noise) / size_scale) / (2.0 * size_scale))

    reach = 50.0 * size_scale
    kinks = sorted({-reach, reach, 0.0, 1.0 - size, *_inside(total / threshold - size, reach)})
    pairs = pairwise(kinks)
    return float(sum(quad(given, low, high, epsabs=1e-13, limit=200)[0] for low, high in pairs))


def _inside(kink: float, reach: float) -> list[float]:
    return [kink] if abs(kink) < reach else []
