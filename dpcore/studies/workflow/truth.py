"""What only a simulation may know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dpcore._typing import FloatArray
from dpcore.aggregates import ScoreHistogram

__all__ = ["Performance", "Truth"]


@dataclass(frozen=True, eq=False)
class Performance:
    """One model on the test part, without noise in the evaluation.

    Parameters
    ----------
    scores : ScoreHistogram
        Exact counts of its test scores.
    accuracy : float or None
        Share of right decisions; None for uploaded predictions, which carry no decisions, and for
        an empty test part.
    """

    scores: ScoreHistogram
    accuracy: float | None

    @cached_property
    def auc(self) -> float:
        """Exact area under the curve of the binned scores."""
        return self.scores.auc()


@dataclass(frozen=True, eq=False)
class Truth:
    """The exact test results of a study, beside the released ones.

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
        Exact curve of the private model.
    area : float
        L1 area between it and the released curve.
    model : Performance
        The private model.
    noise_free : Performance or None
        The same model, selected and trained with the noise off: what privacy costs is its lead.
        None for uploaded predictions.
    reference : Performance or None
        A strong model of scikit-learn (see `peers.fit_reference`); None for uploaded predictions.
    n_train, n_test : int
        Records in either part; uploaded predictions have no train part.
    """

    fpr: FloatArray
    tpr: FloatArray
    area: float
    model: Performance
    noise_free: Performance | None
    reference: Performance | None
    n_train: int
    n_test: int

    @property
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """The pair (fpr, tpr)."""
        return self.fpr, self.tpr
