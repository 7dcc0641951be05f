"""Gaussian noise in whole numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.mechanisms.exponential_noise import fine_uniform
from dpcore.noise import NoiseSource

__all__ = ["ACCEPTANCE_ROUNDING", "discrete_gaussian"]

# A probability under the law that is drawn is that of the exact law times e^(+-2^-39), so one move
# of the noise pays twice that beyond its share.
ACCEPTANCE_ROUNDING = Fraction(1, 2**38)


def discrete_gaussian(deviation: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw integers z with probability proportional to exp(-z^2 / (2 deviation^2)).

    Parameters
    ----------
    deviation : float
        Positive; the standard deviation, but for very small values.
    size : int
    noise : NoiseSource

    Notes
    -----
    Discrete Laplace numbers y of scale t = floor(deviation) + 1 are kept with probability
    exp(-(|y| - deviation^2 / t)^2 / (2 deviation^2)), about three in four. Acceptance compares with
    uniform numbers that are spaced by less than 2^-44 of themselves, so that the tails keep their
    proportions.

    References
    ----------
    C. Canonne, G. Kamath, T. Steinke (2020), The discrete Gaussian for differential privacy,
    NeurIPS, Algorithm 3. arXiv:2004.00010

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> discrete_gaussian(3.0, 5, SeededNoise(1)).shape
    (5,)
    """
    _check.positive(deviation=deviation)
    width = math.floor(deviation) + 1
    kept: list[IntArray] = []
    missing = size
    while missing > 0:
        drawn = noise.discrete_laplace(width, missing + missing // 2 + 8)
        off = (np.abs(drawn) - deviation**2 / width) / deviation
        accepted = drawn[fine_uniform(drawn.size, noise) < np.exp(-(off**2) / 2.0)]
        kept.append(accepted[:missing])
        missing -= kept[-1].size
    return np.concatenate(kept) if kept else np.zeros(0, dtype=np.int64)
