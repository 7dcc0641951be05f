"""Scores as they are, in order, and their calibration: what every figure calls true."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.special import chdtrc

from dpcore import _check
from dpcore._typing import ArrayLike, BoolArray, FloatArray, IntArray, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation.calibration.measurement import Groups, fixed_groups
from dpcore.evaluation.calibration.statistics import trend
from dpcore.evaluation.roc.curve import RocCurve, nearest_cuts
from dpcore.evaluation.scores_of import require_form, scale_of_probabilities, scores_of
from dpcore.schema.cell_arrays import cells_of, numbers_of
from dpcore.schema.labels import is_known, is_positive

# Corners of a curve that is kept and drawn; more would slow every move of a slider.
_CORNERS = 2**16 + 1


@dataclass(frozen=True, eq=False)
class ExactScores:
    """The scores of both classes (private), for simulations only.

    A `ScoreHistogram` merges scores that share a public cell; here none are merged, so that the
    figures are those of scikit-learn. Sorting waits until a figure is asked for, and happens once.

    Parameters
    ----------
    positive : bool array, shape (n,)
        Which records are positive.
    scores : float array, shape (n,)
        In [0, 1], without NaN.
    written : float array, shape (n,), optional
        Numbers of the same order that tell apart what `scores` may merge, such as log-odds beyond
        37, whose probabilities are all 1 to a computer.

    Examples
    --------
    >>> exact = ExactScores(np.array([False, True]), np.ones(2), np.array([640.0, 710.0]))
    >>> exact.auc
    1.0
    """

    positive: BoolArray
    scores: FloatArray
    written: FloatArray | None = None

    @classmethod
    def from_arrays(
        cls, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None
    ) -> ExactScores:
        """Read labels and scores as `ScoreHistogram.from_arrays` does, and leave out the same rows.

        Examples
        --------
        >>> ExactScores.from_arrays(["no", "yes", None], [0.2, 0.9, 0.5], pos_label="yes").auc
        1.0
        """
        require_form(y_true, y_score=y_score)
        labels = cells_of(y_true, "y_true")
        scores = np.asarray(numbers_of(y_score, "y_score"), dtype=np.float64)
        meant = 1 if pos_label is None else pos_label
        usable, known = (scores >= 0.0) & (scores <= 1.0), is_known(labels, meant, None)
        if known is not None:
            usable &= known
        return cls(is_positive(labels, meant)[usable], scores[usable])

    @property
    def n_positive(self) -> int:
        """Number of positive records."""
        return int(np.count_nonzero(self.positive))

    @property
    def n_negative(self) -> int:
        """Number of negative records."""
        return self.positive.size - self.n_positive

    @cached_property
    def positives(self) -> FloatArray:
        """Scores of the positives, ascending."""
        return np.sort(self.scores[self.positive])

    @cached_property
    def negatives(self) -> FloatArray:
        """Scores of the negatives, ascending."""
        return np.sort(self.scores[~self.positive])

    @cached_property
    def auc(self) -> float:
        """Chance that a positive scores above a negative, ties one half; 0.5 without both."""
        positives, negatives = self._ranked
        pairs = positives.size * negatives.size
        if not pairs:
            return 0.5
        below = np.searchsorted(negatives, positives, side="left").sum()
        tied_or_below = np.searchsorted(negatives, positives, side="right").sum()
        return float((int(below) + int(tied_or_below)) / (2 * pairs))

    @cached_property
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """The pair (fpr, tpr) of the ROC curve: a corner for each score that occurs.

        Of more than 65,537 corners so many are kept, and nothing moves by more than 0.00003. If a
        class is empty its rate follows the other's: the chance diagonal.
        """
        positives, negatives = self._ranked
        marks = np.unique(np.concatenate([positives, negatives]))[::-1]
        if not marks.size:
            marks = np.zeros(1)
        # Shares of each class at or above each mark.
        held = [one for one in (negatives, positives) if one.size]
        rates = [(one.size - one.searchsorted(marks)) / one.size for one in held] or [np.ones(1)]
        fpr, tpr = (np.concatenate([[0.0], rate]) for rate in (rates[0], rates[-1]))
        thinned = RocCurve(fpr, tpr, np.concatenate([[np.inf], marks])).thinned(_CORNERS)
        return thinned.fpr, thinned.tpr

    def side(self, name: str) -> FloatArray:
        """Scores of "positives" or "negatives", ascending."""
        _check.one_of(("positives", "negatives"), side=name)
        return self.positives if name == "positives" else self.negatives

    def cells(self, threshold: float | FloatArray) -> IntArray:
        """True and false positives, false and true negatives from a threshold on.

        Parameters
        ----------
        threshold : float or float array, shape (m,)

        Returns
        -------
        int array, shape (4,) or (4, m)

        Examples
        --------
        >>> y, p = np.array([False, False, True, True]), np.array([0.1, 0.7, 0.4, 0.9])
        >>> ExactScores(y, p).cells(0.4).tolist()
        [2, 1, 0, 1]
        """
        fn, tn = (np.searchsorted(one, threshold) for one in (self.positives, self.negatives))
        return np.array([self.n_positive - fn, self.n_negative - tn, fn, tn], dtype=np.int64)

    def share_up_to(self, name: str, scores: FloatArray) -> FloatArray:
        """Share of a class that scores at most so much, shape of `scores`; zero if it is empty."""
        ordered = self.side(name)
        below = np.searchsorted(ordered, scores, side="right")
        return np.asarray(below / max(ordered.size, 1), dtype=np.float64)

    @cached_property
    def _ranked(self) -> tuple[FloatArray, FloatArray]:
        """Positives and negatives, ascending, as finely as they were told apart."""
        if self.written is None:
            return self.positives, self.negatives
        return np.sort(self.written[self.positive]), np.sort(self.written[~self.positive])


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
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
) -> TrueCalibration:
    """Test calibration without privacy.

    Parameters
    ----------
    y_true, y_score, pos_label, scale, bounds
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
    _check.integer_in_range(3, 20, groups=groups)
    if isinstance(y_true, ExactScores):
        found = _exact_totals(y_true, chosen := _between(y_true, groups, edges))
    else:
        on = scale_of_probabilities(scale, bounds)
        counted = scores_of(y_true, y_score, pos_label, scale=on)
        chosen = _choose(counted, groups, edges)
        if isinstance(y_true, ScoreHistogram) or y_score is None:
            found = _binned_totals(counted, chosen)
        else:
            unit = on.unit(numbers_of(y_score, "y_score"))
            exact = ExactScores.from_arrays(y_true, unit, pos_label=pos_label)
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
    summed = (count, scores.positives, count * p, count * p * (1.0 - p))
    size, positives, expected, variance = (np.add.reduceat(one, starts) for one in summed)
    return size, positives, expected, np.maximum(variance, _LEAST_VARIANCE)


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
        return _choose(ScoreHistogram.of_read(scores.positive, scores.scores), count, edges)
    return Groups(np.concatenate([[0.0], edges[1:-1], [1.0]]), np.arange(edges.size))


def _choose(scores: ScoreHistogram, count: int, edges: str | FloatArray) -> Groups:
    grid = scores.edges
    below = scores.positives_below + scores.negatives_below
    if not isinstance(edges, str):
        with _check.called(lambda name: name.replace("grid", "edges")):
            return Groups.at(grid, nearest_cuts(grid, _check.rising(edges)[1:-1]))
    if edges == "fixed" or below[-1] == 0:
        return fixed_groups(grid, count)
    if edges != "quantile":
        raise InvalidArgument("edges", edges, "'quantile', 'fixed' or an array of edges")
    cuts = np.unique(np.searchsorted(below, np.arange(1, count) / count * below[-1]))
    return Groups.at(grid, cuts[(cuts > 0) & (cuts < grid.size - 1)])
