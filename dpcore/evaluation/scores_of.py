"""The two forms in which an evaluator takes labels and scores."""

from __future__ import annotations

from numpy.typing import ArrayLike

from dpcore.aggregates import ScoreHistogram
from dpcore.errors import InvalidArgument

__all__ = ["scores_of"]


def scores_of(
    y_true: ArrayLike | ScoreHistogram, y_score: ArrayLike | None, pos_label: object
) -> ScoreHistogram:
    """Counted scores, from arrays of labels and scores or counted already.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
    y_score : array-like, shape (n,), optional
        Left out with a histogram.
    pos_label : object
        See `ScoreHistogram.from_arrays`; a histogram has its classes already.

    Raises
    ------
    InvalidArgument
        If the scores are missing, or given twice, or cannot be counted.

    Examples
    --------
    >>> scores = scores_of(["no", "yes"], [0.1, 0.9], "yes")
    >>> scores_of(scores, None, None) is scores, scores.n_positive
    (True, 1)
    """
    if isinstance(y_true, ScoreHistogram):
        if y_score is not None:
            raise InvalidArgument("y_score", "an array", "left out beside a ScoreHistogram")
        return y_true
    if y_score is None:
        raise InvalidArgument("y_score", None, "given, unless y_true is a ScoreHistogram")
    return ScoreHistogram.from_arrays(y_true, y_score, pos_label=pos_label)
