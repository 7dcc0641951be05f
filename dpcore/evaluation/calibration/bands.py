"""Bands for rates in groups, from released values only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from dpcore._typing import BoolArray, FloatArray
from dpcore.evaluation.calibration.measurement import Measurement

_HALVINGS = 30


def observed_band(measured: Measurement, confidence: float, *, sampling: bool) -> FloatArray:
    """Band for the rate of positives, simultaneous over the groups, shape (2, groups).

    Parameters
    ----------
    measured : Measurement
    confidence : float
        Probability that all groups' rates lie in the band.
    sampling : bool
        False: for the rate in the test set, which is blurred by privacy only. True: for the rate in
        the population that the test set was drawn from, blurred by both.

    Notes
    -----
    For each rate r, positives - r * size has mean zero if r is the true rate, and a known variance
    and kurtosis. The band holds the rates at which it is not surprisingly far from zero, after half
    a count of continuity correction. Groups have independent noise, so each gets the level
    confidence^(1 / groups).
    """
    positives = np.maximum(measured.sums.positives, 0).astype(np.float64)
    size = positives + np.maximum(measured.sums.negatives, 0)
    scale = measured.count_scale
    tail = _Tail.of(measured, confidence)

    def reach(rate: FloatArray) -> FloatArray:
        weights = (1.0 - rate) ** 2 + rate**2, (1.0 - rate) ** 4 + rate**4
        binomial = size * rate * (1.0 - rate) * sampling
        variance = 2.0 * scale**2 * weights[0] + binomial
        fourth = 12.0 * scale**4 * weights[1] + binomial * (1.0 - 6.0 * rate * (1.0 - rate))
        return tail.quantile(variance, fourth) + 0.5

    zero, one = np.zeros(size.size), np.ones(size.size)
    return _ratios(positives, size, reach, zero, one)


def expected_band(measured: Measurement, confidence: float) -> FloatArray:
    """Band for the mean score, simultaneous over the groups, shape (2, groups).

    As `observed_band`, for the offset of the mean score from the middle of the group.
    """
    size = np.maximum(measured.sums.positives + measured.sums.negatives, 0).astype(np.float64)
    limit = measured.groups.half_width
    offsets = np.clip(measured.sums.offsets, -size * limit, size * limit)
    scale = measured.count_scale
    tail = _Tail.of(measured, confidence)
    on_offsets = (measured.offset_scales**4).sum(axis=0)

    def reach(mean: FloatArray) -> FloatArray:
        variance = measured.offset_variance + 4.0 * scale**2 * mean**2
        fourth = 12.0 * on_offsets + 24.0 * scale**4 * mean**4
        return tail.quantile(variance, fourth) + np.abs(mean)

    band = measured.groups.middle + _ratios(offsets, size, reach, -limit, limit)
    return np.clip(band, measured.groups.edges[:-1], measured.groups.edges[1:])


class _Tail(NamedTuple):
    """Standardised quantiles of the two extreme laws, of normal and of Laplace noise."""

    normal: float
    laplace: float

    @classmethod
    def of(cls, measured: Measurement, confidence: float) -> _Tail:
        """For one group, when all of them are to be in their bands with that confidence."""
        level = 1.0 - confidence ** (1.0 / measured.groups.size)
        normal = float(-ndtri(level / 2.0))
        return cls(normal, max(normal, float(-np.log(level) / np.sqrt(2.0))))

    def quantile(self, variance: FloatArray, fourth_cumulant: FloatArray) -> FloatArray:
        """A bound on the size of a sum of Laplace and nearly normal noise.

        Cornish and Fisher's expansion, which overshoots for heavy tails; a Laplace variable has the
        heaviest tail of them all, so its own quantile is a bound too.
        """
        z = self.normal
        kurtosis = np.minimum(fourth_cumulant / np.maximum(variance, 1e-300) ** 2, 3.0)
        expansion = z + (z**3 - 3.0 * z) * kurtosis / 24.0
        return np.asarray(np.minimum(expansion, self.laplace) * np.sqrt(variance))


def _ratios(
    numerator: FloatArray,
    denominator: FloatArray,
    reach: Callable[[FloatArray], FloatArray],
    low: FloatArray,
    high: FloatArray,
) -> FloatArray:
    """Outermost ratios r in [low, high] with abs(numerator - r * denominator) <= reach(r)."""
    empty = denominator <= 0.0
    start = np.clip(numerator / np.where(empty, 1.0, denominator), low, high)

    def covered(ratio: FloatArray) -> BoolArray:
        return np.abs(numerator - ratio * denominator) <= reach(ratio)

    ends = np.stack([low, high])
    inside, outside = np.stack([start, start]), ends
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2.0
        kept = covered(middle)
        inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
    return np.where(covered(ends) | empty, ends, inside)
