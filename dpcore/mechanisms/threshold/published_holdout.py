"""The reusable holdout of a well-known blog post, as published: it compares without noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.threshold.reusable_holdout import CELLS, sums_in_cells
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact
from dpcore.privacy.one_process import OneProcess

__all__ = ["PublishedHoldout", "PublishedHoldoutSession"]


@dataclass(frozen=True, kw_only=True)
class PublishedHoldout:
    """Answer with the noisy training score if it is close to the holdout score, else with that one.

    Parameters
    ----------
    records : int
        Number n of holdout records; at least 1.
    tolerance : int, float, str or Fraction
        Positive. Scores that differ by half of it or less count as close.
    questions : int
        How many may be asked; at least 1.
    neighbors : Neighbors, default replace

    Sensitivity
        A score is a mean of n improvements in [-1, 1]: replacing a record moves it by 2 / n.
    Privacy
        None that is useful: the comparison is exact, so one record decides between two laws, and
        after clamping to [0, 1] their log-ratio reaches 1 / tolerance + 1/2 (25.5 at 0.04) in one
        answer, whatever n is. The published post states no loss. What is charged is what
        noise of scale `tolerance` alone would cost, 2 / (tolerance n) for each question.

    References
    ----------
    N. Zumel (2015), A simpler explanation of differential privacy, function diffPrivMethod.

    Examples
    --------
    >>> PublishedHoldout(records=1000, tolerance="0.04", questions=1).guarantee.word
    'BROKEN'
    """

    records: int
    tolerance: int | float | str | Fraction
    questions: int
    neighbors: Neighbors = Neighbors.REPLACE

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "the comparison is exact: training score 0 and holdout score just below or above half the "
        "tolerance 0.04 give the answer 1 with log-probabilities 25.5 apart, in a single answer"
    )

    def __post_init__(self) -> None:
        _check.integer_in_range(1, None, records=self.records)
        _check.integer_in_range(1, None, questions=self.questions)
        _check.positive(tolerance=exact(self.tolerance, name="tolerance"))

    @property
    def loss(self) -> Loss:
        """What the noise alone would cost; not a bound on anything."""
        return Loss(2 * self.questions / (exact(self.tolerance) * self.records))

    @property
    def cells(self) -> int:
        """Cells of the grid between a mean of 0 and a mean of 1."""
        return self.records * CELLS

    def draw(self, value: int, noise: NoiseSource) -> PublishedHoldoutSession:
        """Open the holdout; `value` is the number of its records."""
        if value != self.records:
            raise InvalidArgument("value", value, f"{self.records}, the number of records")
        return PublishedHoldoutSession(self, noise)


class PublishedHoldoutSession(OneProcess):
    """An open holdout that answers as questions come.

    Parameters
    ----------
    mechanism : PublishedHoldout
    noise : NoiseSource
    """

    _called: ClassVar[str] = "an open holdout"
    _danger: ClassVar[str] = "draw the same noise for other answers"

    def __init__(self, mechanism: PublishedHoldout, noise: NoiseSource) -> None:
        self._mechanism, self._noise = mechanism, noise

    def ask(self, train: NDArray[np.generic], holdout: NDArray[np.generic]) -> FloatArray:
        """Answer several questions, shape (questions,), each in [0, 1].

        Parameters
        ----------
        train : array, shape (questions, training records)
            By how much in [-1, 1] each question improves the score of each training record.
        holdout : array, shape (questions, records)
        """
        self._require_own_process()
        whole = self._mechanism.cells
        wide = exact(self._mechanism.tolerance) * whole
        held = sums_in_cells(holdout, -1.0, 1.0)
        likeness = whole / (train.shape[-1] * CELLS)
        trained = np.rint(sums_in_cells(train, -1.0, 1.0) * likeness).astype(np.int64)
        close = np.abs(held - trained) <= math.floor(wide / 2)
        on_train = trained + self._noise.discrete_laplace(wide / 2, held.size)
        on_holdout = held + self._noise.discrete_laplace(wide, held.size)
        answers = np.where(close, on_train, on_holdout) / whole
        return np.asarray(np.clip(answers, 0.0, 1.0), dtype=np.float64)
