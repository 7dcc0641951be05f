"""Scores as they are, in order: what every figure called true is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray
from dpcore.data.reading.label_classes import is_known, is_positive
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.schema.cell_arrays import cells_of, numbers_of

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
        rates = [_reached(one, marks) for one in (negatives, positives) if one.size]
        rates = rates or [np.ones(1)]
        fpr, tpr = (np.concatenate([[0.0], rate]) for rate in (rates[0], rates[-1]))
        thinned = RocCurve(fpr, tpr, np.concatenate([[np.inf], marks])).thinned(_CORNERS)
        return thinned.fpr, thinned.tpr

    def side(self, name: str) -> FloatArray:
        """Scores of "positives" or "negatives", ascending."""
        _check.one_of(("positives", "negatives"), side=name)
        return self.positives if name == "positives" else self.negatives

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


def _reached(ordered: FloatArray, marks: FloatArray) -> FloatArray:
    """Share of the class at or above each mark."""
    return np.asarray((ordered.size - np.searchsorted(ordered, marks)) / ordered.size)
