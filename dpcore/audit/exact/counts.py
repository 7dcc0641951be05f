"""Exact losses of noisy counts: Gaussian running counts, K-norms, and mechanisms of few outputs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.special import log_ndtr

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.exact.laws import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.mechanisms import GaussianPrefixes
from dpcore.mechanisms.counts.dyadic_prefixes import with_interval_noise
from dpcore.mechanisms.counts.k_norm_counts import KNormCounts
from dpcore.mechanisms.counts.k_norm_histograms import KNormHistograms
from dpcore.noise import SeededNoise

__all__ = ["_GAUSSIANS", "_K_NORMS", "gaussian_epsilon", "loss_of_fixed_outputs"]


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


def _gaussians_loss(mechanism: GaussianPrefixes, pair: Pair) -> float:
    """Noise of covariance A A' sigma^2 moves the centre by its Mahalanobis length.

    As if the noise were continuous: with deviations of several cells the difference is far below
    what is compared here.
    """
    here, there = (np.cumsum(np.ravel(side)) for side in (pair.here, pair.there))
    noise = _intervals(here.size)
    moved = np.linalg.solve(noise @ noise.T, there - here) @ (there - here)
    shift = math.sqrt(float(moved)) / mechanism.deviation(here.size)
    return gaussian_epsilon(shift, float(mechanism.loss.delta))


_GAUSSIANS = ExactLaw(mechanisms=(GaussianPrefixes,), loss=_gaussians_loss)


def _k_norms_loss(mechanism: KNormCounts | KNormHistograms, pair: Pair) -> float:
    """Density exp(-rate norm(b)), so a shift costs rate times its norm, reached far out."""
    moved = np.abs(np.asarray(pair.there) - np.asarray(pair.here))
    if isinstance(mechanism, KNormCounts):
        return float(mechanism.rate) * float(moved.max())
    edges = np.cumsum(mechanism.sizes)[:-1]
    norms = [part.sum(axis=1) for part in np.split(moved, edges, axis=1)]
    return mechanism.rate * float(np.max(norms, axis=0).sum())


_K_NORMS = ExactLaw(mechanisms=(KNormCounts, KNormHistograms), loss=_k_norms_loss)


def loss_of_fixed_outputs(target: Target, pair: Pair) -> float | None:
    """Loss on a pair, of a target whose output hangs on the data alone.

    Parameters
    ----------
    target : Target
    pair : Pair

    Returns
    -------
    float or None
        Infinite if the outputs differ between the data sets, 0 if not; None if two sources of noise
        give two outputs of one data set, for then the loss is another matter.

    Examples
    --------
    >>> from dpcore.audit import mechanism_target
    >>> from dpcore.mechanisms import Geometric
    >>> pair = Pair(here=np.array([3]), there=np.array([4]), words="3 against 4")
    >>> loss_of_fixed_outputs(mechanism_target(Geometric(epsilon=1)), pair) is None
    True
    """
    here, there = (
        [target.sample(data, 2, SeededNoise(seed)) for seed in (0, 1)]
        for data in (pair.here, pair.there)
    )
    for outputs in (here, there):
        if not all(np.array_equal(row, outputs[0][0]) for one in outputs for row in one):
            return None
    return 0.0 if np.array_equal(here[0], there[0]) else math.inf


EXACT = (
    _GAUSSIANS,
    _K_NORMS,
)
