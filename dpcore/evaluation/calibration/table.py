"""The Hosmer-Lemeshow table: observed and expected rates of each group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.evaluation.calibration.measurement import Measurement
from dpcore.exported import as_plain


def observed_band(measured: Measurement, confidence: float, *, sampling: bool) -> FloatArray:
    """Band for the rate of positives, simultaneous over the groups, shape (2, groups).

    Parameters
    ----------
    confidence
        Probability that all groups' rates lie in the band.
    sampling
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

    def half_width(rate: FloatArray) -> FloatArray:
        weights = (1.0 - rate) ** 2 + rate**2, (1.0 - rate) ** 4 + rate**4
        binomial = size * rate * (1.0 - rate) * sampling
        variance = 2.0 * scale**2 * weights[0] + binomial
        fourth = 12.0 * scale**4 * weights[1] + binomial * (1.0 - 6.0 * rate * (1.0 - rate))
        return tail.quantile(variance, fourth) + 0.5

    return _ratios(positives, size, half_width, np.stack([np.zeros(size.size), np.ones(size.size)]))


def expected_band(measured: Measurement, confidence: float) -> FloatArray:
    """Band for the mean score, simultaneous over the groups, shape (2, groups).

    As `observed_band`, for the offset of the mean score from the middle of the group.
    """
    size = np.maximum(measured.sums.records, 0).astype(np.float64)
    limit = measured.groups.half_width
    offsets = np.clip(measured.sums.offsets, -size * limit, size * limit)
    scale = measured.count_scale
    tail = _Tail.of(measured, confidence)
    on_offsets = (measured.offset_scales**4).sum(axis=0)

    def half_width(mean: FloatArray) -> FloatArray:
        variance = measured.offset_variance + 4.0 * scale**2 * mean**2
        fourth = 12.0 * on_offsets + 24.0 * scale**4 * mean**4
        return tail.quantile(variance, fourth) + np.abs(mean)

    band = measured.groups.middle + _ratios(offsets, size, half_width, np.stack([-limit, limit]))
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
        kurtosis = np.minimum(fourth_cumulant / np.maximum(variance, 1e-150) ** 2, 3.0)
        expansion = z + (z**3 - 3.0 * z) * kurtosis / 24.0
        return np.asarray(np.minimum(expansion, self.laplace) * np.sqrt(variance))


def _ratios(
    part: FloatArray, whole: FloatArray, reach: Callable[[FloatArray], FloatArray], ends: FloatArray
) -> FloatArray:
    """Outermost ratios r between ends with abs(part - r * whole) <= reach(r)."""
    empty = whole <= 0.0
    start = np.clip(part / np.where(empty, 1.0, whole), *ends)

    def covered(ratio: FloatArray) -> BoolArray:
        return np.abs(part - ratio * whole) <= reach(ratio)

    inside, outside = np.stack([start, start]), ends
    for _ in range(30):
        middle = (inside + outside) / 2.0
        kept = covered(middle)
        inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
    return np.where(covered(ends) | empty, ends, inside)


@dataclass(frozen=True, eq=False)
class CalibrationTable:
    """Groups of scores, lowest first; arrays of shape (groups,), bands of shape (2, groups).

    Parameters
    ----------
    lower, upper : float arrays
        Edges of the group.
    n : int array
        Number of records; never negative.
    observed, expected : float arrays
        Rate of positives and mean score, in [0, 1]. A group of which no record was counted (`n` is
        0) has no rate, NaN; its mean score is given as its middle, which is where to draw it.
    observed_band, expected_band : float arrays
        "Privacy": where the test set's own rate and mean score lie, simultaneously in all groups.
    population_band : float array
        "Sampling + privacy": where the population's rate of positives lies, simultaneously.
    """

    lower: FloatArray
    upper: FloatArray
    n: IntArray
    observed: FloatArray
    expected: FloatArray
    observed_band: FloatArray
    expected_band: FloatArray
    population_band: FloatArray

    @classmethod
    def of(cls, measured: Measurement, confidence: float) -> CalibrationTable:
        """The table of a measurement."""
        groups, size = measured.groups, measured.size
        positives = np.clip(measured.sums.positives, 0, size)
        lower, upper = groups.edges[:-1], groups.edges[1:]
        counted = measured.sums.records > 0
        mean = np.clip(groups.middle + measured.sums.offsets / size, lower, upper)
        return cls(
            lower=lower,
            upper=upper,
            n=np.maximum(measured.sums.records, 0),
            observed=np.where(counted, positives / size, np.nan),
            expected=np.where(counted, mean, groups.middle),
            observed_band=observed_band(measured, confidence, sampling=False),
            expected_band=expected_band(measured, confidence),
            population_band=observed_band(measured, confidence, sampling=True),
        )

    @property
    def edges(self) -> FloatArray:
        """Where groups begin and end, shape (groups + 1,)."""
        return np.append(self.lower, self.upper[-1])

    @property
    def tells(self) -> BoolArray:
        """Groups about whose rate something is known: not any is possible."""
        width = self.observed_band[1] - self.observed_band[0]
        return np.asarray((width < 1.0) & np.isfinite(self.observed))

    @property
    def error_by_chance(self) -> float:
        """Calibration error that a perfectly calibrated model shows on so many records.

        The positives of a group then differ from the sum of its scores by sampling alone, on
        average by sqrt(2 V / pi) if they are many, where V is the sum of p (1 - p), and by at most
        twice the number expected if they are few. Computed from released values, so that it costs
        no privacy. Scores are taken to spread within a group as `score_moments` takes them to.
        """
        half_width = np.maximum((self.upper - self.lower) / 2.0, 1e-300)
        position = (self.expected - (self.lower + self.upper) / 2.0) / half_width
        spread = ((1.0 - np.clip(position, -1.0, 1.0) ** 2) * half_width) ** 2 / 3.0
        p = self.expected
        variance = self.n * np.maximum(p * (1.0 - p) - spread, 0.0)
        few = 2.0 * self.n * np.minimum(p, 1.0 - p)
        off = np.minimum(np.sqrt(2.0 * variance / np.pi), few)
        return float(off.sum() / max(int(self.n.sum()), 1))

    def rows(self) -> list[dict[str, float | int | None]]:
        """One flat dictionary per group, for a table or a data frame; None where there is no rate.

        Examples
        --------
        >>> import pandas as pd
        >>> one = np.array([[0.0], [1.0]])
        >>> empty = CalibrationTable(
        ...     lower=one[0],
        ...     upper=one[1],
        ...     n=np.array([0]),
        ...     observed=np.array([np.nan]),
        ...     expected=np.array([0.5]),
        ...     observed_band=one,
        ...     expected_band=one,
        ...     population_band=one,
        ... )
        >>> pd.DataFrame(empty.rows())["observed"].isna().tolist()
        [True]
        """
        columns: dict[str, Any] = {"group": np.arange(1, self.n.size + 1)}
        for field in fields(self):
            values = getattr(self, field.name)
            if values.ndim == 2:
                columns |= {f"{field.name}_lower": values[0], f"{field.name}_upper": values[1]}
            else:
                columns[field.name] = values
        return [
            {name: as_plain(values[row].item()) for name, values in columns.items()}
            for row in range(self.n.size)
        ]
