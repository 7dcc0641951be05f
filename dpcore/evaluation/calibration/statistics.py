"""Two statistics of miscalibration that know how noisy their input is."""

from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, logit

from dpcore._typing import FloatArray
from dpcore.evaluation.calibration.measurement import Groups, Measurement, Sums
from dpcore.noise.seeded import Generator, monte_carlo

# Expected spread of a group's mean score, in half-widths, before anything is known about it.
_PRIOR = 0.3

# The mean score of a group is kept this share of a half-width inside the group.
_INSIDE = 0.98

# So that scores of exactly zero or one divide by something.
_LEAST_VARIANCE = 1e-12


class Statistics(NamedTuple):
    """Both statistics, floats or arrays of shape (...,).

    ``trend`` has two degrees of freedom, shift and slope of the scores' logit; ``omnibus`` has one
    per group.
    """

    trend: FloatArray
    omnibus: FloatArray


class Scores(NamedTuple):
    """What released totals say of the scores in each group, shapes (..., groups).

    ``size`` is the number of records, at least one; ``mean`` and ``square`` the means of the score
    and of its square.
    """

    size: FloatArray
    mean: FloatArray
    square: FloatArray

    @property
    def variance(self) -> FloatArray:
        """Variance of the number of positives if the model is calibrated: the sum of p (1 - p)."""
        return np.maximum(self.size * (self.mean - self.square), _LEAST_VARIANCE)


def score_moments(measured: Measurement, sums: Sums) -> Scores:
    """Estimate size and score moments of each group from noisy totals, shape (..., groups).

    Sizes are shrunk towards their mean, and the mean offset towards the middle, as far as noise
    accounts for their spread: otherwise a group would gain weight by the noise of its residual.
    The spread of scores around their mean is the one of an exponential law on the group, nearly: a
    third of the squared half-width in the middle, and none at the edges.
    """
    groups = measured.groups
    half_width = groups.half_width
    size = _sizes(measured, sums)
    prior = (_PRIOR * half_width) ** 2
    shrink = prior / (prior + measured.offset_variance / size**2)
    position = np.clip(shrink * sums.offsets / (size * half_width), -_INSIDE, _INSIDE)
    mean = groups.middle + position * half_width
    return Scores(size, mean, mean**2 + ((1.0 - position**2) * half_width) ** 2 / 3.0)


def _sizes(measured: Measurement, sums: Sums) -> FloatArray:
    """Numbers of records, at least one, shrunk towards their mean (empirical Bayes)."""
    counted = sums.records
    mean = counted.mean(axis=-1, keepdims=True)
    spread = counted.var(axis=-1, keepdims=True)
    # Twice the variance of the noise, since the spread among few groups is itself uncertain.
    noise = 4.0 * measured.count_variance.mean()
    signal = np.maximum(spread - noise, 0.0) / np.maximum(spread, 1e-9)
    return np.asarray(np.maximum(mean + signal * (counted - mean), 1.0))


def statistics(measured: Measurement, sums: Sums) -> Statistics:
    """Compute both statistics from noisy totals, shape (..., groups).

    Notes
    -----
    Let S be the residual of a group, V its variance without noise under calibration and s^2 that
    of the noise. The omnibus statistic is the sum of S^2 / (V + s^2). The trend statistic is the
    score test of a = b = 0 in logit P(y=1) = (1 + b) logit(p) + a, whose mean residual in a group
    is V (a + b logit(p)), with logit(p) taken in the middle of the group.

    References
    ----------
    D. W. Hosmer, S. Lemeshow, R. X. Sturdivant (2013), Applied Logistic Regression, Section 5.2.2.
    D. R. Cox (1958), Two further applications of a model for binary regression, Biometrika 45.
    """
    rest = sums.residual(measured.groups)
    variance = score_moments(measured, sums).variance
    total = variance + measured.residual_variance
    omnibus = (rest**2 / total).sum(axis=-1)
    return Statistics(trend(rest, variance, total, measured.groups), omnibus)


def trend(rest: FloatArray, variance: FloatArray, total: FloatArray, groups: Groups) -> FloatArray:
    """Score statistic of a shift and a slope, shape (...,), from arrays of shape (..., groups).

    `total` is the variance of the residuals `rest`, of which `variance` is not noise.
    """
    x = logit(groups.middle)
    weight = variance / total
    shift, slope = (weight * rest).sum(axis=-1), (weight * x * rest).sum(axis=-1)
    information = weight * variance
    a, b, c = ((information * x**power).sum(axis=-1) for power in (0, 1, 2))
    # The slope's part is what the shift leaves over; with a single group it leaves nothing.
    left = c - b**2 / a
    over = slope - b / a * shift
    second = np.where(left > 1e-9 * c, over**2 / np.where(left > 1e-9 * c, left, 1.0), 0.0)
    return np.asarray(shift**2 / a + second)


def hosmer_lemeshow(observed: FloatArray, expected: FloatArray) -> float:
    """The statistic as printed, from counts of shape (2, groups): positives, then negatives.

    A noisy expected count may be negative, and then so is its term. One that is exactly zero, as in
    an empty group, is moved away from zero by a millionth.
    """
    denominator = np.where(np.abs(expected) < 1e-6, 1e-6, expected)
    return float(((observed - expected) ** 2 / denominator).sum())


def naive_p_value(statistic: float, groups: int) -> float:
    """The p-value that ignores the noise: chi-square with two degrees of freedom less than groups.

    Not valid for noisy counts, and shown for comparison only: it rejects calibrated models.
    """
    # Noise can make the statistic negative, where the tail is everything.
    return float(chdtrc(max(groups - 2, 1), max(statistic, 0.0)))


DRAWS = 999


def null_p_values(measured: Measurement, draws: int = DRAWS) -> tuple[Statistics, Statistics]:
    """Both statistics, and the share of calibrated models whose statistic would be as large.

    Notes
    -----
    The null is simulated from released values alone: as many records per group as were counted,
    with the mean score that was measured, labels that follow the scores, and fresh noise of the
    law that the release had. Each draw goes through the same computation as the release did. The
    p-value (1 + number of draws at least as large) / (1 + draws) is never zero. The seed is a
    function of the released values, so the same release has the same p-value everywhere.
    """
    observed = statistics(measured, measured.sums)
    generator = monte_carlo(measured.seed)
    exact = _calibrated(measured, generator, draws)
    noise = noise_draws(measured, generator, draws)
    drawn = statistics(measured, Sums(*map(np.add, exact, noise)))
    return observed, Statistics(*map(_share_at_least, drawn, observed))


def noise_draws(measured: Measurement, generator: Generator, draws: int) -> Sums:
    """Fresh noise of the law that the release had, each of shape (draws, groups)."""
    shape = (draws, measured.groups.size)
    success = -np.expm1(-1.0 / measured.count_scale)
    # The difference of two geometric variables is a discrete Laplace variable.
    counts = generator.geometric(success, (4, *shape))
    scales = measured.offset_scales[:, None, :]
    offsets = generator.laplace(0.0, scales, (len(scales), *shape)).sum(axis=0)
    return Sums(counts[0] - counts[1], counts[2] - counts[3], offsets)


def _calibrated(measured: Measurement, generator: Generator, draws: int) -> Sums:
    """Exact totals of calibrated models with the sizes and scores that were released."""
    scores = score_moments(measured, measured.sums)
    counted = np.rint(scores.size).astype(np.int64)
    # The number of positives is a sum of coins with different odds. A binomial law with fewer
    # trials and larger odds has its mean and its variance.
    expected = counted * scores.mean
    trials = np.maximum(
        np.rint(counted * scores.mean**2 / scores.square), np.ceil(expected)
    ).astype(np.int64)
    odds = np.minimum(expected / np.maximum(trials, 1), 1.0)
    positives = generator.binomial(trials, odds, (draws, measured.groups.size))
    offsets = counted * (scores.mean - measured.groups.middle)
    return Sums(positives, counted - positives, np.broadcast_to(offsets, positives.shape))


def _share_at_least(drawn: FloatArray, seen: FloatArray) -> FloatArray:
    return np.asarray((1.0 + (drawn >= seen).sum()) / (drawn.size + 1.0))
