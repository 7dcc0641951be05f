"""The Hosmer-Lemeshow test without privacy: the truth, for simulations only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation.calibration.measurement import Groups, fixed_groups
from dpcore.evaluation.calibration.statistics import trend
from dpcore.evaluation.exact_scores import ExactScores
from dpcore.evaluation.roc.curve import nearest_cuts
from dpcore.evaluation.scores_of import scores_of

# So that scores of exactly zero or one divide by something.
_LEAST_VARIANCE = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class TrueCalibration:
    """Exact calibration; private, so never part of a release.

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
    y_true: ArrayLike | ScoreHistogram | ExactScores,
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
        As for `private_calibration`; or exact scores, which no public cell has merged. Of a
        histogram a score counts as the middle of its cell.
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
    if isinstance(y_true, ExactScores):
        found = _exact_totals(y_true, chosen := _between(y_true, groups, edges))
    else:
        counted = scores_of(y_true, y_score, pos_label)
        chosen = _choose(counted, groups, edges)
        if isinstance(y_true, ScoreHistogram) or y_score is None:
            found = _binned_totals(counted, chosen)
        else:
            exact = ExactScores.from_arrays(y_true, y_score, pos_label=pos_label)
            found = _exact_totals(exact, chosen)
    size, positives, expected, variance = found
    rest = positives - expected
    n, filled = np.maximum(size, 1), size > 0
    spread = np.where(filled, np.maximum(expected * (n - expected) / n, _LEAST_VARIANCE), 1.0)
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


_Totals: TypeAlias = tuple[IntArray, IntArray, FloatArray, FloatArray]


def _binned_totals(scores: ScoreHistogram, groups: Groups) -> _Totals:
    """Records, positives, sum of p and of p (1 - p) in each group."""
    starts, count, p = groups.cuts[:-1], scores.positives + scores.negatives, scores.centers
    return (
        np.add.reduceat(count, starts),
        np.add.reduceat(scores.positives, starts),
        np.add.reduceat(count * p, starts),
        np.maximum(np.add.reduceat(count * p * (1.0 - p), starts), _LEAST_VARIANCE),
    )


def _exact_totals(scores: ExactScores, groups: Groups) -> _Totals:
    """The same of scores that are in order: each group is a slice of either class."""
    size, positives = np.zeros((2, groups.size), dtype=np.int64)
    expected, variance = np.zeros((2, groups.size))
    for name in ("positives", "negatives"):
        ordered = scores.side(name)
        inner = np.searchsorted(ordered, groups.edges[1:-1])
        for group, p in enumerate(np.split(ordered, inner)):
            size[group] += p.size
            positives[group] += p.size if name == "positives" else 0
            expected[group] += p.sum()
            variance[group] += p @ (1.0 - p)
    return size, positives, expected, np.maximum(variance, _LEAST_VARIANCE)


def _between(scores: ExactScores, count: int, edges: str | FloatArray) -> Groups:
    """Groups at given edges as they are; others are public, and lie on the cells."""
    if isinstance(edges, str):
        return _choose(ScoreHistogram.from_arrays(scores.positive, scores.scores), count, edges)
    _check.integer_in_range(3, 20, groups=count)
    return Groups(np.concatenate([[0.0], edges[1:-1], [1.0]]), np.arange(edges.size))


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
