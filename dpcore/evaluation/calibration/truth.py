"""The Hosmer-Lemeshow test without privacy: the truth, for simulations only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation.calibration.groups import Groups, fixed_groups
from dpcore.evaluation.calibration.statistics import trend
from dpcore.evaluation.roc.cuts import nearest_cuts
from dpcore.evaluation.scores_of import scores_of

__all__ = ["TrueCalibration", "true_calibration"]


@dataclass(frozen=True, kw_only=True, eq=False)
class TrueCalibration:
    """Exact calibration of binned scores; private, so never part of a release.

    Parameters
    ----------
    lower, upper : float arrays, shape (groups,)
    n : int array, shape (groups,)
    observed, expected : float arrays, shape (groups,)
        Rate of positives and mean score; an empty group shows its middle.
    trend_statistic, trend_p_value : float
        Score test of a shift and a slope of the scores' logit, chi-square of two degrees.
    statistic, p_value : float
        Hosmer-Lemeshow, chi-square with one degree of freedom per group that has records. (Two less
        would belong to the data that the model was trained on.)
    calibration_error : float
    """

    lower: FloatArray
    upper: FloatArray
    n: IntArray
    observed: FloatArray
    expected: FloatArray
    trend_statistic: float
    trend_p_value: float
    statistic: float
    p_value: float
    calibration_error: float


def true_calibration(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None = None,
    *,
    groups: int = 10,
    edges: str | FloatArray = "quantile",
    pos_label: object = None,
) -> TrueCalibration:
    """Test calibration without privacy.

    Parameters
    ----------
    y_true, y_score, pos_label
        As for `private_calibration`.
    groups : int, default 10
        3 to 20.
    edges : {"quantile", "fixed"} or float array, default "quantile"
        Groups of nearly equal size, of equal width, or between given edges, such as those of a
        release, so that the two tables can be compared row by row.

    Returns
    -------
    TrueCalibration

    References
    ----------
    D. W. Hosmer, S. Lemeshow, R. X. Sturdivant (2013), Applied Logistic Regression, Section 5.2.2.

    Examples
    --------
    >>> scores = np.linspace(0.01, 0.99, 2000)
    >>> label = np.arange(2000) * 0.618034 % 1 < scores  # a fair coin for each score
    >>> true_calibration(label, scores**2).p_value < 1e-9
    True
    """
    scores = scores_of(y_true, y_score, pos_label)
    chosen = _choose(scores, groups, edges)
    starts, count = chosen.cuts[:-1], scores.positives + scores.negatives
    p = scores.centers
    size = np.add.reduceat(count, starts)
    positives = np.add.reduceat(scores.positives, starts)
    expected = np.add.reduceat(count * p, starts)
    variance = np.maximum(np.add.reduceat(count * p * (1.0 - p), starts), 1e-12)
    rest = positives - expected
    n, filled = np.maximum(size, 1), size > 0
    spread = np.where(filled, expected * (n - expected), 1.0) / n
    statistic = float((rest**2 / spread).sum())
    shift_and_slope = float(trend(rest, variance, variance, chosen))
    return TrueCalibration(
        lower=chosen.edges[:-1],
        upper=chosen.edges[1:],
        n=size,
        observed=np.where(filled, positives / n, chosen.middle),
        expected=np.where(filled, expected / n, chosen.middle),
        trend_statistic=shift_and_slope,
        trend_p_value=float(chdtrc(2, shift_and_slope)),
        statistic=statistic,
        p_value=float(chdtrc(max(int(filled.sum()), 1), statistic)),
        calibration_error=float(np.abs(rest).sum() / max(int(size.sum()), 1)),
    )


def _choose(scores: ScoreHistogram, count: int, edges: str | FloatArray) -> Groups:
    _check.integer_in_range(3, 20, groups=count)
    grid = scores.edges
    below = scores.positives_below + scores.negatives_below
    if not isinstance(edges, str):
        return Groups.at(grid, nearest_cuts(grid, np.asarray(edges, dtype=np.float64)[1:-1]))
    if edges == "fixed" or below[-1] == 0:
        return fixed_groups(grid, count)
    if edges != "quantile":
        raise InvalidArgument("edges", edges, "'quantile', 'fixed' or an array of edges")
    cuts = np.unique(np.searchsorted(below, np.arange(1, count) / count * below[-1]))
    return Groups.at(grid, cuts[(cuts > 0) & (cuts < grid.size - 1)])
