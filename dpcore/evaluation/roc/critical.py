"""Critical values: how many standard deviations the noise of binned counts exceeds nowhere."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation.roc.binned_curve import rates
from dpcore.evaluation.roc.curve import Bins
from dpcore.noise.seeded import monte_carlo

_DRAWS = 4_000
# Share of the allowed misses kept back, because the curve and the quantiles are estimates.
_RESERVE = 0.2
# Shares of the allowed misses, on a log scale, that the negatives may get.
_SPLITS = np.linspace(0.05, 0.95, 19)


def critical_values(bins: Bins, confidence: float) -> tuple[float, float]:
    """Critical values of the negatives and of the positives, which together hold.

    Parameters
    ----------
    bins
        Released counts and their noise.
    confidence
        Chance that in no class, at no cut, the noise exceeds the class's critical value.

    Returns
    -------
    negatives, positives : float
        In standard deviations.

    Notes
    -----
    With k of K bins counted so far, what the noise e adds to C_k - t_k C_K is studentised by its
    standard deviation, and the largest ratio over all cuts simulated: its law depends on the
    curve t a little (about a tenth at most), which is taken as released. The classes are
    independent, so chances of p and q make p q together; of all such p and q those are taken
    that make the sum of both classes' widths least, which leaves the more accurate class the
    smaller share of the misses. A fifth of the misses is kept in reserve.

    Examples
    --------
    >>> counts = np.array([100, 100, 100, 100])
    >>> even = Bins(counts, counts, 1.0, 1.0, np.arange(5))
    >>> negative, positive = critical_values(even, 0.9)
    >>> 2 < negative < 3, 2 < positive < 3
    (True, True)
    """
    if bins.negatives.size < 2:
        return 0.0, 0.0
    aim = 1.0 - (1.0 - _RESERVE) * (1.0 - confidence)
    negatives, positives = (
        np.quantile(_largest(counts), aim**split)
        for counts, split in ((bins.negatives, _SPLITS), (bins.positives, 1.0 - _SPLITS))
    )
    cost = negatives * _width(bins.negatives, bins.negative_scale)
    cost += positives * _width(bins.positives, bins.positive_scale)
    best = int(np.argmin(cost))
    return float(negatives[best]), float(positives[best])


@lru_cache(maxsize=16)
def unit_noise(bins: int) -> FloatArray:
    """Simulated Laplace noise of scale one, shape (draws, bins), read-only."""
    noise = monte_carlo(0).laplace(size=(_DRAWS, bins))
    noise.setflags(write=False)
    return noise


def _largest(counts: IntArray) -> FloatArray:
    """Largest studentised noise of a class in each simulation, shape (draws,)."""
    share = rates(counts)[1:-1]
    counted = np.arange(1, counts.size)
    spread = np.sqrt(2.0 * ((1.0 - share) ** 2 * counted + share**2 * (counts.size - counted)))
    so_far = _running_noise(counts.size)
    excess = np.abs(so_far[:, :-1] - share * so_far[:, -1:])
    return np.asarray((excess / spread).max(axis=1), dtype=np.float64)


@lru_cache(maxsize=16)
def _running_noise(bins: int) -> FloatArray:
    return np.cumsum(unit_noise(bins), axis=1)


def _width(counts: IntArray, scale: float) -> float:
    """Noise of a class relative to its size."""
    return scale / max(float(counts.sum()), 1.0)
