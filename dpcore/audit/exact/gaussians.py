"""Exact losses of running counts with Gaussian noise, at the declared delta."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.special import log_ndtr

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms import GaussianPrefixes
from dpcore.mechanisms.counts.dyadic_prefixes import with_interval_noise

__all__ = ["EXACT", "gaussian_epsilon"]


def gaussian_epsilon(shift: float, delta: float) -> float:
    """The least epsilon of Gaussian noise at a delta.

    Parameters
    ----------
    shift : float
        Distance of the two centres in standard deviations; zero or positive.
    delta : float
        In (0, 1).

    References
    ----------
    B. Balle, Y.-X. Wang (2018), Improving the Gaussian mechanism for differential privacy, ICML,
    Theorem 8. arXiv:1805.06530

    Examples
    --------
    >>> round(gaussian_epsilon(1.0, 1e-5), 3)
    4.377
    >>> gaussian_epsilon(0.0, 1e-5)
    0.0
    """
    if shift == 0.0:
        return 0.0

    def needed(epsilon: float) -> float:
        ends = shift / 2.0 - epsilon / shift, -shift / 2.0 - epsilon / shift
        logs = log_ndtr(np.array(ends)) + np.array([0.0, epsilon])
        return float(np.exp(logs[0]) - np.exp(logs[1]))

    if needed(0.0) <= delta:
        return 0.0
    # It is needed at the lower end and not at the upper one: Bun and Steinke 2016.
    low, high = 0.0, shift**2 / 2.0 + shift * math.sqrt(2.0 * math.log(1.0 / delta))
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (middle, high) if needed(middle) > delta else (low, middle)
    return high


def _intervals(points: int) -> FloatArray:
    """Which intervals' noise each point has, shape (points, intervals), read off single ones."""
    nothing = np.zeros(points, dtype=np.int64)
    sizes: list[int] = []

    def counted(size: int) -> IntArray:
        sizes.append(size)
        return np.zeros(size, dtype=np.int64)

    with_interval_noise(nothing, counted)
    columns = []
    for one in np.eye(sum(sizes), dtype=np.int64):
        levels = np.split(one, np.cumsum(sizes)[:-1])
        # The levels are asked for in the same order as above.
        columns.append(with_interval_noise(nothing, partial(_next, iter(levels))))
    return np.array(columns, dtype=np.float64).T


def _next(levels: Iterator[IntArray], size: int) -> IntArray:
    return next(levels)[:size]


def _loss(mechanism: GaussianPrefixes, pair: Pair) -> float:
    """Noise of covariance A A' sigma^2 moves the centre by its Mahalanobis length.

    As if the noise were continuous: with deviations of several cells the difference is far below
    what is compared here.
    """
    here, there = (np.cumsum(np.ravel(side)) for side in (pair.here, pair.there))
    noise = _intervals(here.size)
    moved = np.linalg.solve(noise @ noise.T, there - here) @ (there - here)
    shift = math.sqrt(float(moved)) / mechanism.deviation(here.size)
    return gaussian_epsilon(shift, float(mechanism.loss.delta))


EXACT = ExactLaw(mechanisms=(GaussianPrefixes,), loss=_loss)
