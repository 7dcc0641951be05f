"""How good a classifier is on test records: exact figures, for simulations only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation import ExactScores

__all__ = ["MEASURES", "Confusion", "Measures", "confusion", "measured"]

MEASURES = {"accuracy": "accuracy", "balanced": "balanced accuracy", "auc": "AUC"}


@dataclass(frozen=True)
class Measures:
    """Of one model on one set of test records.

    Parameters
    ----------
    accuracy : float
        Share of records that the likeliest class is right for.
    balanced : float
        The same per class that occurs, averaged over the classes.
    auc : float
        Of the scores of the positive class against all others; 0.5 if one side is empty.
    """

    accuracy: float
    balanced: float
    auc: float


@dataclass(frozen=True)
class Confusion:
    """Records on either side of a threshold, by their class.

    Parameters
    ----------
    true_positives, false_negatives, false_positives, true_negatives : int
    """

    true_positives: int
    false_negatives: int
    false_positives: int
    true_negatives: int

    @property
    def sensitivity(self) -> float:
        """Share of the positives at or above the threshold; NaN if there are none."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def specificity(self) -> float:
        """Share of the negatives below the threshold; NaN if there are none."""
        return _share(self.true_negatives, self.false_positives)

    @property
    def accuracy(self) -> float:
        """Share of all records on the right side."""
        right = self.true_positives + self.true_negatives
        return _share(right, self.false_negatives + self.false_positives)

    @property
    def balanced(self) -> float:
        """Mean of sensitivity and specificity."""
        return (self.sensitivity + self.specificity) / 2.0


def measured(probability: FloatArray, y: IntArray, *, positive: int) -> Measures:
    """Compare the probabilities of all classes with the labels.

    Parameters
    ----------
    probability : float array, shape (n, classes)
    y : int array, shape (n,)
        Position of each record's class.
    positive : int

    Examples
    --------
    >>> sure = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> measured(sure, np.array([0, 1, 1]), positive=1)
    Measures(accuracy=0.6666666666666666, balanced=0.75, auc=1.0)
    """
    hits = probability.argmax(axis=1) == y
    sizes = np.bincount(y, minlength=probability.shape[1])
    right = np.bincount(y[hits], minlength=probability.shape[1])
    there = sizes > 0
    return Measures(
        accuracy=float(hits.mean()) if y.size else np.nan,
        balanced=float((right[there] / sizes[there]).mean()) if y.size else np.nan,
        auc=ExactScores(y == positive, probability[:, positive]).auc,
    )


def confusion(scores: ExactScores, threshold: float) -> Confusion:
    """Count the records at or above a threshold.

    Parameters
    ----------
    scores : ExactScores
    threshold : float
        Within [0, 1].

    Examples
    --------
    >>> y, p = np.array([0, 0, 1, 1]), np.array([0.1, 0.7, 0.4, 0.9])
    >>> confusion(ExactScores(y == 1, p), 0.5)
    Confusion(true_positives=1, false_negatives=1, false_positives=1, true_negatives=1)
    """
    _check.in_range(0, 1, threshold=threshold)
    misses = int(np.searchsorted(scores.positives, threshold))
    rejected = int(np.searchsorted(scores.negatives, threshold))
    return Confusion(
        scores.positives.size - misses, misses, scores.negatives.size - rejected, rejected
    )


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else np.nan
