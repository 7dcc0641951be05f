"""The result of a private calibration in one call, with statistics that know its noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, logit

from dpcore import _check
from dpcore._notebook import Shown
from dpcore._typing import FloatArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation.calibration.table import CalibrationTable, Groups, Measurement, Sums
from dpcore.evaluation.scores_of import evaluation, positive_loss
from dpcore.noise import NoiseSource
from dpcore.noise.seeded import Generator, monte_carlo
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Charge, Ledger, Neighbors, Number, Part
from dpcore.registry import Registry
from dpcore.release import Exported, Gate

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
    spread = ((1.0 - position**2) * half_width) ** 2 / 3.0
    return Scores(size, mean, mean**2 + spread)


def _sizes(measured: Measurement, sums: Sums) -> FloatArray:
    """Numbers of records, at least one, shrunk towards their mean (empirical Bayes)."""
    counted = sums.positives + sums.negatives
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
    drawn = statistics(
        measured,
        Sums(
            exact.positives + noise.positives,
            exact.negatives + noise.negatives,
            exact.offsets + noise.offsets,
        ),
    )
    return observed, Statistics(
        _share_at_least(drawn.trend, observed.trend),
        _share_at_least(drawn.omnibus, observed.omnibus),
    )


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


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationRelease(Exported, Shown):
    """How well the scores of a model match the outcomes, and what it cost to say so.

    Parameters
    ----------
    trend_statistic, trend_p_value : float
        Test of a shift and a slope of the scores' logit, two degrees of freedom: the one to read
        first. P-values account for the noise.
    statistic, p_value : float
        Test of any deviation, one degree of freedom per group.
    statistic_naive, p_value_naive : float
        The Hosmer-Lemeshow statistic of the noisy counts and its chi-square p-value. Not valid:
        noise makes it reject models that are perfectly calibrated. For comparison only.
    calibration_error : float
        Expected calibration error: mean of abs(observed - expected), weighted by group size.
    calibration_error_interval : pair of float
        Where the test set's own value lies (privacy only), at `confidence`: it describes these
        records, not the model. A perfectly calibrated model shows `table.error_by_chance`.
    table : CalibrationTable
        One row per group.
    confidence : float
        Of the interval, and of each band in all groups at once.
    charges : tuple of Charge
    simulated : bool
        True if the noise can be repeated: such a release must never be called private.
    method : str
    parameters : mapping
        Public: number and kind of groups, and what the method takes.
    neighbors : Neighbors
    """

    KIND: ClassVar[str] = "calibration"
    READ: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "CalibrationTable": CalibrationTable.from_json,
    }

    trend_statistic: float
    trend_p_value: float
    statistic: float
    p_value: float
    statistic_naive: float
    p_value_naive: float
    calibration_error: float
    calibration_error_interval: tuple[float, float]
    table: CalibrationTable
    confidence: float
    charges: tuple[Charge, ...]
    simulated: bool
    method: str
    parameters: Mapping[str, Any]
    neighbors: Neighbors

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any calibration error possible."""
        return leaves_everything(*self.calibration_error_interval)

    def beside(self) -> dict[str, Any]:
        """The calibration error that chance alone makes."""
        return {"calibration_error_by_chance": self.table.error_by_chance}


def calibration_error(
    measured: Measurement, confidence: float, draws: int = DRAWS
) -> tuple[float, tuple[float, float]]:
    """Estimate the test set's mean of abs(observed rate - expected rate), weighted by group size.

    Parameters
    ----------
    confidence
        Probability that the interval holds the test set's own value (privacy only).

    Returns
    -------
    error : float
        In [0, 1]. Noise lengthens a residual, so its variance is taken off the square first.

    Notes
    -----
    The sum of abs(S + noise) over the groups exceeds that of abs(S) by at most the sum of
    abs(noise), and falls short of it by at most the sum of the noise with the signs of S. Quantiles
    of these two, with the noise of the total size taken along, give an interval that needs no guess
    of S.
    """
    size = float(max((measured.sums.positives + measured.sums.negatives).sum(), 1))
    rest = measured.residual
    noisy = float(np.abs(rest).sum())
    likely = np.sqrt(np.maximum(rest**2 - measured.residual_variance, 0.0)).sum()

    noise = noise_draws(measured, monte_carlo(measured.seed), draws)
    on_rest = noise.residual(measured.groups)
    on_size = (noise.positives + noise.negatives).sum(axis=1) * min(noisy / size, 1.0)
    level = (1.0 + confidence) / 2.0
    above = np.quantile(np.abs(on_rest).sum(axis=1) - on_size, level)
    below = np.quantile(on_size - (on_rest * np.sign(rest)).sum(axis=1), level)
    low, error, high = _shares(np.array([noisy - above, likely, noisy + below]), size)
    return float(np.clip(error, low, high)), (float(low), float(high))


def _shares(sums: FloatArray, size: float) -> FloatArray:
    return np.clip(sums / size, 0.0, 1.0)


EDGES = ("quantile", "fixed")

calibration_methods = Registry("dpcore.evaluation.calibration", "calibration method")


def private_calibration(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None = None,
    *,
    epsilon: Number,
    groups: int = 10,
    edges: str = "quantile",
    method: str = "observed-minus-expected",
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: tuple[float, float] | None = None,
    **method_parameters: Any,
) -> CalibrationRelease:
    """Release a calibration table, two tests of calibration and the calibration error.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
        Class of each record; or the counted scores, and then without `y_score`.
    y_score : array-like, shape (n,), optional
        Probability of the positive class.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole release; positive.
    groups : int, default 10
        Number of groups of scores, 3 to 20; ties can merge some.
    edges : {"quantile", "fixed"}, default "quantile"
        Groups of nearly equal size, at private quantiles, or of equal width.
    method : str, default "observed-minus-expected"
        One of `calibration_methods()`.
    neighbors : Neighbors or str, default "add-remove"
    noise : NoiseSource, optional
        The system's entropy by default.
    ledger : Ledger, optional
        Where the charges go; by default a fresh one with this budget.
    part : Part, optional
        The disjoint share of the records that these are.
    confidence : float, default 0.9
        Of bands and intervals, in [0.5, 0.999].
    pos_label : object, optional
        1 if left out, which is allowed where labels are numbers; a simulation warns if they are
        others than 0 and 1, or -1 and 1.
    scale : {"probability", "percent", "log-odds", "any"}, default "probability"
        What the scores are, which must be probabilities in some form: "any" is refused.
    bounds : (float, float), optional
        Public ends of the scale "any".
    **method_parameters
        As declared by the method.

    Returns
    -------
    CalibrationRelease

    Raises
    ------
    InvalidArgument, UnknownMethod
        If an argument is out of range, or labels are no numbers and `pos_label` is left out; in a
        simulation also if a score is not on its scale. Nothing is charged.
    BudgetExceeded, NeighborsMismatch, NotPrivate
        If the release is refused; nothing is charged or drawn.

    Sensitivity
        Argued by the method.
    Privacy
        epsilon-DP, composed of the charges that the release lists. Statistics, p-values, bands and
        intervals are computed from released values. With real noise no record makes an error; what
        becomes of one without a label or a usable score is as for `private_roc_curve`.

    Notes
    -----
    The model must not have been trained on these records: then a calibrated model's statistics have
    no degree of freedom less. Scores are read from the cells of a `ScoreHistogram`; the cell is
    0.0006 wide in logit, which could be told apart from miscalibration only if some 10^7 records
    shared a few scores.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 5.2.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore import SeededNoise
    >>> scores = np.linspace(0.01, 0.99, 2000)
    >>> label = np.arange(2000) * 0.618034 % 1 < scores  # a fair coin for each score
    >>> released = private_calibration(label, scores, epsilon=1, noise=SeededNoise(1))
    >>> released.trend_p_value > 0.05, released.table.n.size
    (True, 10)
    """
    declared = calibration_methods.get(method)
    parameters = declared.check(method_parameters)
    _check.integer_in_range(3, 20, groups=groups)
    _check.one_of(EDGES, edges=edges)
    _check.in_range(0.5, 0.999, confidence=confidence)
    loss = positive_loss(epsilon)
    on = ScoreScale.of(scale, bounds)
    if on.name == "any":
        raise InvalidArgument("scale", on.name, "one whose numbers are probabilities")
    cut = {"groups": groups, "edges": edges}
    with evaluation(
        "calibration", y_true, y_score, loss=loss, method=declared, neighbors=neighbors,
        noise=noise, ledger=ledger, part=part, pos_label=pos_label, scale=on,
    ) as (counted, gate):  # fmt: skip
        measured = declared.run(counted, loss=loss, gate=gate, **cut, **parameters)
        return _released(measured, gate, confidence, method, cut | parameters)


def _released(
    measured: Measurement,
    gate: Gate,
    confidence: float,
    method: str,
    parameters: dict[str, Any],
) -> CalibrationRelease:
    observed, p_values = null_p_values(measured)
    naive = hosmer_lemeshow(
        np.stack([measured.sums.positives, measured.sums.negatives]), measured.expected
    )
    error, interval = calibration_error(measured, confidence)
    return CalibrationRelease(
        trend_statistic=float(observed.trend),
        trend_p_value=float(p_values.trend),
        statistic=float(observed.omnibus),
        p_value=float(p_values.omnibus),
        statistic_naive=naive,
        p_value_naive=naive_p_value(naive, measured.groups.size),
        calibration_error=error,
        calibration_error_interval=interval,
        table=CalibrationTable.of(measured, confidence),
        confidence=float(confidence),
        charges=gate.charges,
        simulated=gate.simulated,
        method=method,
        parameters=parameters,
        neighbors=gate.neighbors,
    )
