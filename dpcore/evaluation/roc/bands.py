"""Where the test-set ROC curve may lie, given the noise: from released values only."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation.roc.binned_curve import rates
from dpcore.evaluation.roc.curve import Bins
from dpcore.noise.monte_carlo import monte_carlo

__all__ = ["Band", "auc_interval", "envelope", "rate_band"]

_DRAWS = 5_000
_AUC_DRAWS = 1_000
# Shapes of a curve at which the critical value is computed: shares (k / bins) ** power.
_POWERS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0)


class Band(NamedTuple):
    """Lower and upper rates of each class, shape (2, points) each."""

    fpr: FloatArray
    tpr: FloatArray


def rate_band(bins: Bins, confidence: float) -> Band:
    """Simultaneous band for the rates of both classes at every threshold.

    Parameters
    ----------
    bins : Bins
        Released counts and their noise.
    confidence : float
        Chance, at least nearly, that every true rate of both classes lies in the band.

    Returns
    -------
    Band
        At each point of the curve. Between two cuts nothing is known of the order of the records,
        so points there get the box that the neighbouring cuts span.

    Notes
    -----
    With k of K bins counted so far, t is in the set of a cut if the noise that it implies,
    |C_k - t C_K|, is at most c standard deviations: a quadratic inequality in t (Fieller). The
    critical value c makes the largest such ratio over all cuts and both classes rare; it depends
    on the number of bins only, as the law of the noise is known. Rates never fall, which tightens
    the sets to their monotone envelope.

    References
    ----------
    E. C. Fieller (1954), Some problems in interval estimation, J. R. Stat. Soc. B 16(2).
    """
    critical = _critical(bins.negatives.size, confidence)
    fpr = _share_sets(bins.negatives, critical * bins.negative_scale)
    tpr = _share_sets(bins.positives, critical * bins.positive_scale)
    return Band(_along(fpr, bins.knots), _along(tpr, bins.knots))


def envelope(band: Band) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The band as one region under the curve's axes, for drawing and for its area.

    Returns
    -------
    fpr, lower, upper : float arrays, shape (m,)
        Step functions at non-decreasing fpr: any curve whose points lie in the boxes lies between.
    """
    fpr = np.unique(np.concatenate([[0.0, 1.0], band.fpr[0], band.fpr[1]]))
    # The lowest corner of any box that reaches this fpr, and the highest of any that begins by it.
    first = np.searchsorted(band.fpr[1], fpr)
    last = np.searchsorted(band.fpr[0], fpr, side="right") - 1
    lower = band.tpr[0][np.minimum(first, band.tpr.shape[1] - 1)]
    upper = band.tpr[1][last]
    # A step function as a line: each value holds up to (lower) or from (upper) its abscissa.
    steps = np.repeat(fpr, 2)[1:-1]
    return steps, np.repeat(lower[1:], 2), np.repeat(upper[:-1], 2)


def auc_interval(bins: Bins, confidence: float) -> tuple[float, float]:
    """Interval for the area under the test-set curve.

    Quantiles of the area under noisy copies of the released counts, widened by half of the mass
    that both classes share within bins, where the order of records is unknown.
    """
    noise = _unit_noise(bins.negatives.size)
    negatives = _copies(bins.negatives, bins.negative_scale * noise[0])
    positives = _copies(bins.positives, bins.positive_scale * noise[1])
    above = np.cumsum(positives, axis=1) - positives / 2.0
    areas = np.sum(negatives * above, axis=1)
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(areas, [tail, 1.0 - tail])
    shared = float(np.diff(rates(bins.negatives)) @ np.diff(rates(bins.positives))) / 2.0
    return max(float(low) - shared, 0.0), min(float(high) + shared, 1.0)


@lru_cache(maxsize=64)
def _critical(bins: int, confidence: float) -> float:
    """How many standard deviations the noise exceeds nowhere, with this confidence."""
    if bins < 2:
        return 0.0
    noise = monte_carlo(0).laplace(size=(_DRAWS, bins))
    so_far = np.cumsum(noise, axis=1)
    first, total = so_far[:, :-1], so_far[:, -1:]
    counted = np.arange(1, bins)
    # The classes are independent, so each may fail in half of the cases, nearly.
    each = np.sqrt(confidence)
    worst = 0.0
    for power in _POWERS:
        share = (counted / bins) ** power
        spread = np.sqrt(2.0 * ((1.0 - share) ** 2 * counted + share**2 * (bins - counted)))
        largest = np.max(np.abs(first - share * total) / spread, axis=1)
        worst = max(worst, float(np.quantile(largest, each)))
    return worst


def _share_sets(counts: IntArray, width: float) -> FloatArray:
    """Lowest and highest share of a class up to the end of each bin, shape (2, bins + 1)."""
    total = float(counts.sum())
    so_far = np.concatenate([[0.0], np.cumsum(counts)])
    counted = np.arange(so_far.size)
    weight = 2.0 * width**2
    # a t^2 - 2 b t + c <= 0; without a positive a, nothing is known.
    a = total**2 - weight * counts.size
    b = so_far * total - weight * counted
    c = so_far**2 - weight * counted
    low, high = np.zeros(so_far.size), np.ones(so_far.size)
    if a > 0.0 and total > 0.0:
        root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
        low, high = np.clip((b - root) / a, 0.0, 1.0), np.clip((b + root) / a, 0.0, 1.0)
    high[0], low[-1] = 0.0, 1.0
    low[0], high[-1] = 0.0, 1.0
    low = np.maximum.accumulate(low[:-1])
    high = np.minimum.accumulate(high[:0:-1])[::-1]
    low, high = np.append(low, 1.0), np.insert(high, 0, 0.0)
    # Sets that contradict one another: the noise was larger than the band allows for.
    return np.stack([np.minimum(low, high), np.maximum(low, high)])


def _along(sets: FloatArray, knots: IntArray) -> FloatArray:
    """Bounds at every point of the curve, from bounds at its knots."""
    points = np.arange(knots[-1] + 1)
    before = np.searchsorted(knots, points, side="right") - 1
    return np.stack([sets[0][before], sets[1][np.searchsorted(knots, points)]])


@lru_cache(maxsize=16)
def _unit_noise(bins: int) -> FloatArray:
    """Laplace noise of scale one for copies of both classes, shape (2, draws, bins)."""
    noise = monte_carlo(1).laplace(size=(2, _AUC_DRAWS, bins))
    noise.setflags(write=False)
    return noise


def _copies(counts: IntArray, noise: FloatArray) -> FloatArray:
    """Shares of a class per bin in noisy copies of its fitted counts, shape (draws, bins)."""
    total = max(float(counts.sum()), 1.0)
    fitted = np.diff(rates(counts)) * total
    positive = np.maximum(fitted + noise, 0.0)
    mass = positive.sum(axis=1, keepdims=True)
    return np.where(mass > 0.0, positive / np.where(mass > 0.0, mass, 1.0), 1.0 / counts.size)
