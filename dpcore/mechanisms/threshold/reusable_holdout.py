"""Thresholdout: answers from the training records until they stray from the holdout records."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.errors import HoldoutExhausted, InvalidArgument
from dpcore.mechanisms.pure import PositiveNumber
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors, exact
from dpcore.privacy.ledger import OneProcess

# Values are rounded record by record, so that sums are exact and one record moves a sum by so many
# cells at most.
CELLS = 2**20


@dataclass(frozen=True, eq=False)
class Summed:
    """Whole numbers, one for each record, that somebody has added up, in place of their array.

    What a session asks of the values of an array is asked of these too: that each lies within its
    bounds, and comes of its own record alone.

    Parameters
    ----------
    sums : int array, shape (questions,)

    Examples
    --------
    >>> Summed(np.array([3, 0]), 4).means.tolist()
    [0.75, 0.0]
    """

    sums: IntArray
    records: int

    @property
    def shape(self) -> tuple[int, int]:
        """That of the array: questions and records."""
        return self.sums.size, self.records

    @property
    def dtype(self) -> np.dtype[np.int64]:
        """Whole numbers."""
        return self.sums.dtype

    @property
    def means(self) -> FloatArray:
        """Of each question, shape (questions,)."""
        return np.asarray(self.sums / self.records, dtype=np.float64)


Values: TypeAlias = NDArray[np.generic] | Summed


@dataclass(frozen=True, kw_only=True)
class _Holdout(_check.Checked):
    records: _check.Count
    neighbors: Neighbors = Neighbors.REPLACE

    @property
    def cells(self) -> int:
        """Cells of the grid between a mean of 0 and a mean of 1."""
        return self.records * CELLS


@dataclass(frozen=True, kw_only=True)
class ReusableHoldout(_Holdout):
    """Open a holdout set for questions, until it has corrected `budget` overfit answers.

    Parameters
    ----------
    records : int
        Number n of holdout records, public; at least 1.
    budget : int
        B, the number of answers that may come from the holdout records; at least 1.
    threshold : float
        T, the difference between training and holdout that is let pass; zero or positive.
    sigma : int, float, str or Fraction
        Scale of the noise on an answer from the holdout; positive.
    neighbors : Neighbors, default replace
        The only relation of the proof: means need a public number of records.

    Sensitivity
        An answer is a mean of values in [0, 1], one for each record and clipped to that interval,
        rounded record by record: replacing a holdout record moves it by 1 / n at most. The training
        records are not protected.
    Privacy
        2 B / (sigma n)-DP in the holdout records. Between two refreshed thresholds the comparisons
        are one run of AboveThreshold, with noise of scale 2 sigma on the threshold and 4 sigma on
        each difference, and cost 1 / (sigma n); the answer that ends the run has noise of scale
        sigma and costs 1 / (sigma n). There are B runs at most. Everything is charged when the
        holdout is opened, before the first draw.

    References
    ----------
    C. Dwork, V. Feldman, M. Hardt, T. Pitassi, O. Reingold, A. Roth (2015), Generalization in
    adaptive data analysis and holdout reuse, NIPS (Thresholdout). arXiv:1506.02629
    C. Dwork, A. Roth (2014), The algorithmic foundations of differential privacy, Theorem 3.23
    (AboveThreshold). doi:10.1561/0400000042

    Examples
    --------
    >>> str(ReusableHoldout(records=1000, budget=500, threshold=0.04, sigma="0.01").loss)
    'epsilon 100'
    """

    budget: _check.Count
    threshold: _check.NonNegative
    sigma: PositiveNumber

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Dwork et al. 2015, privacy of Thresholdout: 2B/(sigma n), by AboveThreshold"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.neighbors is not Neighbors.REPLACE:
            raise InvalidArgument("neighbors", self.neighbors.value, "'replace', as in the proof")

    @property
    def loss(self) -> Loss:
        """The privacy loss of all answers together, 2 B / (sigma n)."""
        return Loss(2 * self.budget / (exact(self.sigma) * self.records))

    @property
    def scale(self) -> Fraction:
        """Scale of the noise on an answer, in cells."""
        return exact(self.sigma) * self.cells

    def draw(self, value: int, noise: NoiseSource) -> HoldoutSession:
        """Open the holdout; `value` is the number of its records."""
        if value != self.records:
            raise InvalidArgument("value", value, f"{self.records}, the number of records")
        return HoldoutSession(self, noise)


class HoldoutSession(OneProcess):
    """An open holdout: it keeps its noisy threshold to itself and answers as questions come."""

    _called: ClassVar[str] = "an open holdout"
    _danger: ClassVar[str] = "answer on the same budget twice"

    def __init__(self, mechanism: ReusableHoldout, noise: NoiseSource) -> None:
        self._mechanism, self._noise = mechanism, noise
        self._lock = threading.Lock()
        self._threshold = round(Fraction(mechanism.threshold) * mechanism.cells)
        self._level = self._threshold + int(noise.discrete_laplace(2 * mechanism.scale, 1)[0])
        self.remaining = mechanism.budget

    def ask(self, train: Values, holdout: Values) -> tuple[FloatArray, BoolArray]:
        """Answer several questions in turn.

        Parameters
        ----------
        train : array, shape (questions, training records), or Summed
            The value in [0, 1] that each question gives each training record.
        holdout : array, shape (questions, records), or Summed

        Returns
        -------
        answers : float array, shape (answered,)
            Fewer than asked if the budget ends on the way.
        overfit : bool array, shape (answered,)
            Which answers came from the holdout records, and used up one of the budget each.

        Raises
        ------
        HoldoutExhausted
            If nothing of the budget was left before the first question.
        """
        self._require_own_process()
        with self._lock:
            if not self.remaining:
                raise HoldoutExhausted(self._mechanism.budget)
            cells = sums_in_cells(holdout, 0.0, 1.0)
            likeness = self._mechanism.cells / (train.shape[-1] * CELLS)
            trained = np.rint(sums_in_cells(train, 0.0, 1.0) * likeness).astype(np.int64)
            return self._compare(trained, cells)

    def _compare(self, trained: IntArray, held: IntArray) -> tuple[FloatArray, BoolArray]:
        """Walk through the questions; the noise of those that are not reached is thrown away."""
        scale, asked = self._mechanism.scale, held.size
        gap = np.abs(held - trained) - self._noise.discrete_laplace(4 * scale, asked)
        thresholds = self._threshold + self._noise.discrete_laplace(2 * scale, asked)
        noisy = held + self._noise.discrete_laplace(scale, asked)
        overfit, start = np.zeros(asked, dtype=np.bool_), 0
        while start < asked and self.remaining:
            above = gap[start:] > self._level
            if not above.any():
                start = asked
                break
            at = start + int(above.argmax())
            overfit[at], self._level = True, int(thresholds[at])
            self.remaining -= 1
            start = at + 1
        answers = np.where(overfit, noisy, trained)[:start] / self._mechanism.cells
        return answers, overfit[:start]


def sums_in_cells(values: Values, low: float, high: float) -> IntArray:
    """Exact sums over the records, each value clipped and rounded to a cell of 2^-20.

    A missing value counts as `low`.

    Parameters
    ----------
    values : array, shape (questions, records), or Summed

    Raises
    ------
    InvalidArgument
        If the shape is another.

    Examples
    --------
    >>> (sums_in_cells(np.array([[0.5, 2.0]]), 0.0, 1.0) / 2**20).tolist()
    [1.5]
    """
    if isinstance(values, Summed):
        # Beyond these no sum of values within the bounds can lie.
        bounded = np.clip(values.sums, low * values.records, high * values.records)
        return bounded.astype(np.int64) * CELLS
    if values.ndim != 2:
        raise InvalidArgument("values", values.shape, "of shape (questions, records)")
    if values.dtype == np.bool_ and low <= 0.0 <= 1.0 <= high:
        return np.asarray(np.count_nonzero(values, axis=1), dtype=np.int64) * CELLS
    if values.dtype == np.int8 and float(low).is_integer() and float(high).is_integer():
        # Whole numbers lie on the grid of cells already.
        whole = np.clip(values, int(low), int(high))
        return np.asarray(whole.sum(axis=1, dtype=np.int64), dtype=np.int64) * CELLS
    numbers = np.asarray(values, dtype=np.float64)
    # An error would tell that one record has no value.
    numbers = np.clip(np.where(np.isnan(numbers), low, numbers), low, high)
    cells = np.rint(numbers * CELLS).astype(np.int64)
    return np.asarray(cells.sum(axis=1), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class PublishedHoldout(_Holdout):
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

    tolerance: PositiveNumber
    questions: _check.Count

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "the comparison is exact: training score 0 and holdout score just below or above half the "
        "tolerance 0.04 give the answer 1 with log-probabilities 25.5 apart, in a single answer"
    )

    @property
    def loss(self) -> Loss:
        """What the noise alone would cost; not a bound on anything."""
        return Loss(2 * self.questions / (exact(self.tolerance) * self.records))

    def draw(self, value: int, noise: NoiseSource) -> PublishedHoldoutSession:
        """Open the holdout; `value` is the number of its records."""
        if value != self.records:
            raise InvalidArgument("value", value, f"{self.records}, the number of records")
        return PublishedHoldoutSession(self, noise)


class PublishedHoldoutSession(OneProcess):
    """An open holdout that answers as questions come."""

    _called: ClassVar[str] = "an open holdout"
    _danger: ClassVar[str] = "draw the same noise for other answers"

    def __init__(self, mechanism: PublishedHoldout, noise: NoiseSource) -> None:
        self._mechanism, self._noise = mechanism, noise

    def ask(self, train: Values, holdout: Values) -> FloatArray:
        """Answer several questions, shape (questions,), each in [0, 1].

        Parameters
        ----------
        train : array, shape (questions, training records), or Summed
            By how much in [-1, 1] each question improves the score of each training record.
        holdout : array, shape (questions, records), or Summed
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
