"""The public result of a private calibration, in one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation.calibration import statistics
from dpcore.evaluation.calibration.measurement import Measurement
from dpcore.evaluation.calibration.table import CalibrationTable
from dpcore.evaluation.estimates import EstimateRelease
from dpcore.evaluation.scores_of import account_of, evaluation, scale_of_probabilities, told
from dpcore.noise import NoiseSource
from dpcore.noise.seeded import monte_carlo
from dpcore.postprocess.monotone import leaves_everything, perhaps_nobody
from dpcore.privacy import Ledger, Neighbors, Number, Part
from dpcore.registry import Registry
from dpcore.release import Gate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CalibrationRelease(EstimateRelease):
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
    method : str
    parameters : mapping
        Public: number and kind of groups, and what the method takes.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`; each band holds in all groups at once.
    """

    KIND: ClassVar[str] = "calibration"

    trend_statistic: float
    trend_p_value: float
    statistic: float
    p_value: float
    statistic_naive: float
    p_value_naive: float
    calibration_error: float
    calibration_error_interval: Interval
    table: CalibrationTable
    method: str
    parameters: Mapping[str, Any]

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any calibration error possible."""
        return leaves_everything(*self.calibration_error_interval)

    def beside(self) -> dict[str, Any]:
        """The calibration error that chance alone makes."""
        return {"calibration_error_by_chance": self.table.error_by_chance}


def calibration_error(
    measured: Measurement, confidence: float, draws: int = statistics.DRAWS
) -> tuple[float, Interval]:
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
    size = float(max(measured.sums.records.sum(), 1))
    rest = measured.residual
    noisy = float(np.abs(rest).sum())
    likely = np.sqrt(np.maximum(rest**2 - measured.residual_variance, 0.0)).sum()

    noise = statistics.noise_draws(measured, monte_carlo(measured.seed), draws)
    on_rest = noise.residual(measured.groups)
    on_size = (noise.positives + noise.negatives).sum(axis=1) * min(noisy / size, 1.0)
    level = (1.0 + confidence) / 2.0
    above = np.quantile(np.abs(on_rest).sum(axis=1) - on_size, level)
    below = np.quantile(on_size - (on_rest * np.sign(rest)).sum(axis=1), level)
    low, error, high = np.clip(np.array([noisy - above, likely, noisy + below]) / size, 0.0, 1.0)
    return float(np.clip(error, low, high)), (float(low), float(high))


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
    bounds: Interval | None = None,
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
        If an argument is out of range; in a simulation also if labels are no numbers and
        `pos_label` is left out, or a score is not on its scale. Nothing is charged.
    BudgetExceeded, NeighborsMismatch, NotPrivate
        If the release is refused; nothing is charged or drawn.

    Warns
    -----
    UserWarning
        With real noise, if what was released says nothing, or may be of one class: as
        `private_roc_curve` does.

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
    on = scale_of_probabilities(scale, bounds)
    cut = {"groups": groups, "edges": edges}
    with evaluation(
        "calibration", y_true, y_score, method=declared, epsilon=epsilon, neighbors=neighbors,
        noise=noise, ledger=ledger, part=part, confidence=confidence, pos_label=pos_label,
        scale=on, bounds=None,
    ) as (counted, loss, gate):  # fmt: skip
        measured = declared.run(counted, loss=loss, gate=gate, **cut, **parameters)
        released = _released(measured, gate, confidence, method, cut | parameters)
    smaller = min(measured.sums.positives.sum(), measured.sums.negatives.sum())
    spread = np.hypot.reduce(np.broadcast_to(measured.count_scale, measured.groups.size))
    return told(released, y_true, one_class=perhaps_nobody(smaller, spread))


def _released(
    measured: Measurement, gate: Gate, confidence: float, method: str, parameters: dict[str, Any]
) -> CalibrationRelease:
    observed, p_values = statistics.null_p_values(measured)
    naive = statistics.hosmer_lemeshow(np.stack(measured.sums[:2]), measured.expected)
    error, interval = calibration_error(measured, confidence)
    return CalibrationRelease(
        trend_statistic=float(observed.trend),
        trend_p_value=float(p_values.trend),
        statistic=float(observed.omnibus),
        p_value=float(p_values.omnibus),
        statistic_naive=naive,
        p_value_naive=statistics.naive_p_value(naive, measured.groups.size),
        calibration_error=error,
        calibration_error_interval=interval,
        table=CalibrationTable.of(measured, confidence),
        method=method,
        parameters=parameters,
        **account_of(gate, confidence),
    )
