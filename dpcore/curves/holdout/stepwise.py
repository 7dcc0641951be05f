"""Stepwise selection of variables: one judge for each way to use the test set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray, FloatArray
from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, LabelledRows
from dpcore.evaluation.holdout import NaiveReuse, Thresholdout, ZumelHoldout
from dpcore.noise import SeededNoise
from dpcore.privacy import Charge

# Of the variance of a variable: what is left of a copy of others is rounding.
_NOTHING = 1e-9

# So many numbers are worked on at a time: whole tables would go to memory and back at every step.
_IN_CACHE = 32_768


class _Residuals:
    """Records in the coordinates of the candidates, and the score that each record has so far."""

    def __init__(self, records: LabelledRows, means: FloatArray, start: float) -> None:
        self.y = records.y
        self.rest = records.X - means[:, None]
        self.score = np.full(records.size, start)

    def correct(self, slopes: FloatArray) -> BoolArray:
        """Whether each candidate's model is right about each record, (candidates, records)."""
        right = np.empty(self.rest.shape, dtype=np.bool_)
        for place, piece in self._blocks():
            np.multiply(self.rest[place], slopes[place, None], out=piece)
            piece += self.score
            np.greater(piece, 0.0, out=right[place])
            np.equal(right[place], self.y, out=right[place])
        return right

    def take(self, place: int, slope: float, shares: FloatArray) -> None:
        """Add a candidate to the model, and remove from the others what it explains."""
        taken = self.rest[place].copy()
        self.score += slope * taken
        for block, piece in self._blocks():
            np.multiply(shares[block, None], taken, out=piece)
            self.rest[block] -= piece
        _drop(self.rest, place)
        self.rest = self.rest[:-1]

    def _blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Some candidates after the other, and room for as many numbers in the cache."""
        most = max(_IN_CACHE // max(self.score.size, 1), 1)
        room = np.empty((most, self.score.size))
        for start in range(0, self.rest.shape[0], most):
            stop = min(start + most, self.rest.shape[0])
            yield slice(start, stop), room[: stop - start]

    @property
    def lengths(self) -> FloatArray:
        """Squared length of each candidate."""
        found = np.empty(self.rest.shape[0])
        for place, piece in self._blocks():
            np.square(self.rest[place], out=piece)
            found[place] = piece.sum(axis=1)
        return found

    @property
    def right(self) -> BoolArray:
        """Whether the present model is right about each record."""
        return np.asarray((self.score > 0.0) == self.y)


class Stepwise:
    """A least-squares classifier that grows by one variable at a time.

    Parameters
    ----------
    train, test, fresh
        The model is fitted to the training records; the others are scored along the way.

    Notes
    -----
    The classes are coded -1 and 1 and fitted by least squares with an intercept, which is Fisher's
    linear discriminant with a threshold at 0. Candidates are kept orthogonal to the variables of
    the model (modified Gram-Schmidt), so that the model with one more variable is the present score
    plus a slope times the candidate: one product of vectors for each candidate, no refitting.
    Fresh records are needed for chosen variables only, and replay the steps on those.
    """

    def __init__(self, train: LabelledRows, test: LabelledRows, fresh: LabelledRows) -> None:
        self._target = np.where(train.y, 1.0, -1.0)
        means = train.X.mean(axis=1)
        start = float(self._target.mean())
        self.train = _Residuals(train, means, start)
        self.test = _Residuals(test, means, start)
        self._fresh, self._fresh_means = fresh, means
        self._fresh_score = np.full(fresh.size, start)
        self._fresh_taken: list[FloatArray] = []
        # What of each candidate the variables of the model explain, oldest first.
        self._history: list[FloatArray] = []
        self.candidates = np.arange(train.X.shape[0])
        self._smallest = _NOTHING * self.train.lengths

    @property
    def slopes(self) -> FloatArray:
        """The slope of each candidate next to the present model, shape (candidates,)."""
        rest = self.train.rest
        lengths = self.train.lengths
        useful = lengths > self._smallest[self.candidates]
        left = rest @ (self._target - self.train.score)
        slopes = np.where(useful, left / np.where(useful, lengths, 1.0), 0.0)
        return np.asarray(slopes, dtype=np.float64)

    def take(self, place: int, slopes: FloatArray) -> int:
        """Add the candidate at that place; returns which variable it is."""
        slope, taken = float(slopes[place]), self.train.rest[place]
        length = float(taken @ taken)
        useful = length > self._smallest[self.candidates[place]]
        shares = self.train.rest @ taken / length if useful else np.zeros(self.candidates.size)
        variable = int(self.candidates[place])
        self._take_fresh(variable, place, slope)
        for part in (self.train, self.test):
            part.take(place, slope, shares)
        columns: list[NDArray[Any]] = [*self._history, shares, self.candidates]
        for column in columns:
            _drop(column, place)
        self._history = [column[:-1] for column in (*self._history, shares)]
        self.candidates = self.candidates[:-1]
        return variable

    def _take_fresh(self, variable: int, place: int, slope: float) -> None:
        rest = self._fresh.X[variable] - self._fresh_means[variable]
        explained = np.empty_like(rest)
        for share, before in zip(self._history, self._fresh_taken, strict=True):
            rest -= np.multiply(share[place], before, out=explained)
        self._fresh_taken.append(rest)
        self._fresh_score += slope * rest

    def accuracies(self) -> tuple[float, float, float]:
        """Share of the training, test and fresh records that the present model is right about."""
        fresh = (self._fresh_score > 0.0) == self._fresh.y
        return float(self.train.right.mean()), float(self.test.right.mean()), float(fresh.mean())


def _drop(rows: NDArray[Any], place: int) -> None:
    """Fill the place with the last row, which the caller then cuts off."""
    rows[place] = rows[-1]


class Judge(Protocol):
    """Scores candidates, and says how good the chosen model is."""

    charges: tuple[Charge, ...]

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        """A score for each candidate; fewer if the judge stops on the way."""

    def report(self, model: Stepwise) -> float | None:
        """The accuracy that the judge reports of the present model; None if it reports none."""

    @property
    def overfit(self) -> int | None:
        """Answers that came from the test records; None if that is not counted."""


class _TrainOnly:
    charges: tuple[Charge, ...] = ()
    overfit: int | None = None

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        right = np.count_nonzero(model.train.correct(slopes), axis=1)
        return np.asarray(right / model.train.y.size, dtype=np.float64)

    def report(self, model: Stepwise) -> float | None:
        return float(model.train.right.mean())


class _Naive:
    charges: tuple[Charge, ...] = ()
    overfit: int | None = None

    def __init__(self, holdout: NaiveReuse) -> None:
        self._holdout = holdout

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        # It never looks at the training records.
        nothing = np.broadcast_to(np.False_, (slopes.size, model.train.y.size))
        return self._holdout.answers(nothing, model.test.correct(slopes))

    def report(self, model: Stepwise) -> float | None:
        return float(self._holdout.answers(model.train.right[None], model.test.right[None])[0])


class _Thresholdout:
    def __init__(self, holdout: Thresholdout) -> None:
        self._holdout = holdout
        self.charges = holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        if not self._holdout.remaining:
            return np.zeros(0)
        return self._holdout.answers(model.train.correct(slopes), model.test.correct(slopes))

    def report(self, model: Stepwise) -> float | None:
        if not self._holdout.remaining:
            return None
        return float(self._holdout.answers(model.train.right[None], model.test.right[None])[0])

    @property
    def overfit(self) -> int | None:
        return self._holdout.overfit


class _Zumel:
    overfit: int | None = None

    def __init__(self, holdout: ZumelHoldout) -> None:
        self._holdout = holdout
        self.charges = holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        parts = (model.train, model.test)
        return self._holdout.answers(*(_gain(part.correct(slopes), part.right) for part in parts))

    def report(self, model: Stepwise) -> float | None:
        return None


def _gain(after: BoolArray, before: BoolArray) -> FloatArray:
    """By how much each record's score improves: -1, 0 or 1."""
    return np.asarray(after.astype(np.int8) - before.astype(np.int8))


@dataclass(frozen=True)
class JudgeKind:
    """A way to use the test set.

    Parameters
    ----------
    name
        For people.
    method
        The holdout method whose verdict it stands under; None if the test set is not asked.
    open
        From training records, test records, settings and noise to a judge.
    larger : bool, default False
        Whether it chooses with the test set that is ten times larger.
    """

    name: str
    method: str | None
    open: Callable[[LabelledRows, LabelledRows, HoldoutSettings, SeededNoise], Judge]
    larger: bool = False

    def test_of(self, problem: HoldoutProblem) -> LabelledRows | None:
        """The records that it chooses with; None if there are not enough."""
        return problem.large_test if self.larger else problem.test


def _naive(
    train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
) -> Judge:
    return _Naive(NaiveReuse(train.y, test.y, noise=noise))


def _thresholdout(
    train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
) -> Judge:
    holdout = Thresholdout(
        train.y,
        test.y,
        threshold=settings.threshold,
        sigma=settings.sigma,
        budget=settings.budget,
        noise=noise,
    )
    return _Thresholdout(holdout)


def _zumel(
    train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
) -> Judge:
    questions = settings.steps_taken * train.X.shape[0]
    return _Zumel(
        ZumelHoldout(
            train.y, test.y, tolerance=settings.tolerance, questions=questions, noise=noise
        )
    )


def _train_only(
    train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
) -> Judge:
    return _TrainOnly()


JUDGES = {
    "naive": JudgeKind("Naive reuse", "naive-reuse", _naive),
    "thresholdout": JudgeKind("Thresholdout", "thresholdout", _thresholdout),
    "zumel": JudgeKind("The blog's variant", "zumel-published", _zumel),
    "larger": JudgeKind("Naive, 10 × test set", "naive-reuse", _naive, larger=True),
    "train": JudgeKind("Training set only", None, _train_only),
}
