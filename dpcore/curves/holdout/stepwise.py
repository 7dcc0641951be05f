"""Stepwise selection of variables: one judge for each way to use the test set."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, LabelledRows
from dpcore.evaluation.holdout import NaiveReuse, Thresholdout, ZumelHoldout
from dpcore.mechanisms.threshold.reusable_holdout import Summed
from dpcore.noise import SeededNoise
from dpcore.privacy import Charge

# Of the variance of a variable: what is left of a copy of others is rounding.
_NOTHING = 1e-9

# So many numbers are worked on at a time: whole tables would go to memory and back at every step.
_IN_CACHE = 262_144

# What so many variables explain is taken out of the candidates at once, for the same reason.
_BEHIND = 8

# Rounding does not put a record beyond reach that is not.
_WIDER = 1.0 + 1e-6

# A score of 0 is called negative, and that is right of a negative; far below any rounding.
_TIE = 1e-30


class _Side:
    """Records in the coordinates of the candidates, and the margin that each record has so far.

    The margin is the score with the sign of the class, as the coordinates are: the model is right
    where it is positive. A candidate changes it by its slope times its size at most, and slopes are
    small: only records as near to 0 as that can change sides. The others are not looked at.

    Coordinates have single precision, which is exact enough to count by.
    """

    def __init__(self, records: LabelledRows, means: FloatArray, start: float) -> None:
        self.size = records.size
        sign = np.where(records.y, 1.0, -1.0)
        self.margin = np.where(records.y, start, _TIE - start)
        self.right = self._right()
        # A row for each record, and where in it each candidate is.
        self._rest = np.empty((records.size, means.size), np.float32)
        self._places = np.arange(means.size)
        # What the variables explain of it that were taken lately, values times shares; the last
        # column is for the margins.
        self._lately, self._taken = 0, np.zeros((records.size, _BEHIND + 1), np.float32)
        self._shares = np.zeros((_BEHIND, means.size), np.float32)
        # No candidate is larger, for each record.
        self._reach = np.empty(records.size)
        for block in self._blocks(means.size):
            centred = (records.X[:, block] - means[:, None]) * sign[block]
            values = centred.astype(np.float32)
            self._rest[block] = values.T
            self._reach[block] = np.abs(values, out=values).max(axis=0, initial=0.0)

    def right_with(self, slopes: FloatArray) -> Summed:
        """How many records each candidate's model is right about."""
        if not slopes.size:
            return Summed(np.zeros(0, dtype=np.int64), self.size)
        right = int(self.right.sums[0])
        slope_at = self._spread(slopes)
        steepest = np.abs(slope_at).max(initial=0.0) * _WIDER
        near = np.flatnonzero(np.abs(self.margin) <= steepest * self._reach)
        found = np.full(slope_at.size, right - np.count_nonzero(self.margin[near] > 0.0))
        self._taken[:, -1] = self.margin
        shares = np.vstack([-self._shares * slope_at, np.ones_like(slope_at)])
        for block in self._blocks(slope_at.size, near.size):
            # np.take is quicker than an index, row by row.
            moved = self._rest.take(near[block], axis=0)
            moved *= slope_at
            # NumPy's product, unlike SciPy's, leaves the interpreter to other threads meanwhile.
            moved += self._taken.take(near[block], axis=0) @ shares
            found += _ones(moved > 0.0)
        return Summed(found[self._places], self.size)

    def take(self, place: int, slope: float, shares: FloatArray) -> None:
        """Add a candidate to the model, and remove from the others what it explains."""
        column = self._places[place]
        taken = self._rest[:, column] - self._taken[:, :-1] @ self._shares[:, column]
        self.margin += slope * taken
        self.right = self._right()
        self._places, shares = without(self._places, place), without(shares, place)
        self._taken[:, self._lately], self._shares[self._lately] = taken, self._spread(shares)
        self._reach += np.abs(shares).max(initial=0.0) * np.abs(taken)
        self._lately = (self._lately + 1) % _BEHIND
        if self._lately:
            return
        # Rows get shorter: each is written where it, or one before it, was.
        shape = self.size, self._places.size
        rest, known = self._rest.reshape(-1)[: math.prod(shape)].reshape(shape), self._taken[:, :-1]
        for block in self._blocks(self._places.size):
            now = self._rest[block].take(self._places, axis=1)
            now -= known[block] @ self._shares[:, self._places]
            rest[block] = now
            self._reach[block] = np.abs(now, out=now).max(axis=1, initial=0.0)
        self._rest, self._places = rest, np.arange(self._places.size)
        self._shares = np.zeros((_BEHIND, self._places.size), np.float32)

    def _spread(self, values: FloatArray) -> NDArray[Any]:
        """A value for each candidate, where it is in a row."""
        spread = np.zeros(self._rest.shape[1], np.float32)
        spread[self._places] = values
        return spread

    def _blocks(self, width: int, size: int | None = None) -> Iterator[slice]:
        """Rows after rows, as many as stay in the cache; all records where no size is given."""
        step = max(_IN_CACHE // max(width, 1), 1)
        return (slice(at, at + step) for at in range(0, self.size if size is None else size, step))

    def _right(self) -> Summed:
        """How many records the present model is right about."""
        return Summed(np.array([np.count_nonzero(self.margin > 0.0)]), self.size)


class Stepwise:
    """A least-squares classifier that grows by one variable at a time.

    Parameters
    ----------
    train, test, fresh
        The model is fitted to the training records; the others are scored along the way.
    asks
        Of which records candidates are asked: "train", "test" or "both".

    Notes
    -----
    The classes are coded -1 and 1 and fitted by least squares with an intercept, which is Fisher's
    linear discriminant with a threshold at 0. Candidates are kept orthogonal to the variables of
    the model (modified Gram-Schmidt), so that the model with one more variable is the present score
    plus a slope times the candidate: one product of vectors for each candidate, no refitting.
    Slopes follow from the products of the candidates with one another, which are few numbers.
    Records of which no candidates are asked are scored by the weights of the variables themselves,
    many steps at once.
    """

    def __init__(
        self, train: LabelledRows, test: LabelledRows, fresh: LabelledRows, asks: str = "both"
    ) -> None:
        self._means = train.X.mean(axis=1)
        sign = np.where(train.y, 1.0, -1.0)
        self._start = float(sign.mean())
        # Those of which no candidates are asked are scored later.
        self.records = {"train": train, "test": test, "fresh": fresh}
        self.sides = {
            name: _Side(self.records.pop(name), self._means, self._start)
            for name in ("train", "test")
            if asks in (name, "both")
        }
        self.candidates, self.chosen = np.arange(self._means.size), list[int]()
        # Of each candidate, how much of each chosen variable the model explains it by.
        self._explained = np.zeros((self._means.size, 0))
        self._weights = [np.zeros(0)]
        centred = train.X - self._means[:, None]
        self._products, self._left = centred @ centred.T, centred @ (sign - self._start)
        self._smallest = _NOTHING * self._products.diagonal()

    @property
    def slopes(self) -> FloatArray:
        """The slope of each candidate next to the present model, shape (candidates,)."""
        lengths = self._products.diagonal()
        useful = lengths > self._smallest
        slopes = np.where(useful, self._left / np.where(useful, lengths, 1.0), 0.0)
        return np.asarray(slopes, dtype=np.float64)

    def take(self, place: int, slopes: FloatArray) -> int:
        """Add the candidate at that place; returns which variable it is."""
        slope, of_place = float(slopes[place]), self._products[place].copy()
        useful = of_place[place] > self._smallest[place]
        shares = of_place / of_place[place] if useful else np.zeros(of_place.size)
        variable, by = int(self.candidates[place]), self._explained[place].copy()
        self.chosen.append(variable)
        self._weights.append(np.append(self._weights[-1] - slope * by, slope))
        explained = np.column_stack([self._explained - np.outer(shares, by), shares])
        self._explained, self._smallest, self.candidates = (
            without(kept, place) for kept in (explained, self._smallest, self.candidates)
        )
        for side in self.sides.values():
            side.take(place, slope, shares)
        products = self._products - np.outer(shares, of_place)
        self._products = without(without(products, place), place, axis=1)
        self._left = without(self._left - slope * of_place, place)
        return variable

    def accuracies(self) -> dict[str, float]:
        """Shares of the records that candidates are asked of which the model is right about."""
        return {name: float(side.right.means[0]) for name, side in self.sides.items()}

    def accuracies_since(self, first: int, records: LabelledRows) -> list[float]:
        """The same of any records, after so many variables, one more, and so on."""
        weights = np.zeros((len(self._weights) - first, len(self.chosen)))
        for row, weight in zip(weights, self._weights[first:], strict=True):
            row[: weight.size] = weight
        starts = self._start - weights @ self._means[self.chosen]
        right, width = np.zeros(len(weights)), max(_IN_CACHE // max(len(self.chosen), 1), 1)
        for at in range(0, records.size, width):
            block = slice(at, at + width)
            scores = weights @ records.X[self.chosen, block] + starts[:, None]
            right += np.count_nonzero((scores > 0.0) == records.y[block], axis=1)
        return list((right / records.size).tolist())


def _ones(there: BoolArray) -> IntArray:
    """How many are true in each column; bytes are added up as bytes, as far as they hold."""
    (rows, width), there = there.shape, there.view(np.uint8)
    whole = rows // 255
    # Many rows next to one another: additions of a few bytes take as long as of many.
    found = there[: whole * 255].reshape(255, whole * width).sum(axis=0, dtype=np.uint8)
    rest = there[whole * 255 :].sum(axis=0, dtype=np.uint8)
    return np.asarray(found.reshape(whole, width).sum(axis=0, dtype=np.int64) + rest)


def without(values: NDArray[Any], place: int, axis: int = 0) -> NDArray[Any]:
    """All but one entry or row, of which the last takes the place."""
    moved = values.swapaxes(0, axis)[:-1].copy()
    if place < len(moved):
        moved[place] = values.swapaxes(0, axis)[-1]
    return moved.swapaxes(0, axis)


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
        return model.sides["train"].right_with(slopes).means

    def report(self, model: Stepwise) -> float | None:
        return float(model.sides["train"].right.means[0])


class _Naive:
    charges: tuple[Charge, ...] = ()
    overfit: int | None = None

    def __init__(
        self, train: LabelledRows, test: LabelledRows, _: HoldoutSettings, noise: SeededNoise
    ) -> None:
        self._holdout = NaiveReuse(train.y, test.y, noise=noise)
        self._train_rows = train.size

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        return self._answers(model.sides["test"].right_with(slopes))

    def report(self, model: Stepwise) -> float | None:
        return float(self._answers(model.sides["test"].right)[0])

    def _answers(self, right: Summed) -> FloatArray:
        # It never looks at the training records.
        nothing = Summed(np.zeros_like(right.sums), self._train_rows)
        return self._holdout.answers(nothing, right)


class _Thresholdout:
    def __init__(
        self, train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
    ) -> None:
        self._holdout = Thresholdout(
            train.y,
            test.y,
            threshold=settings.threshold,
            sigma=settings.sigma,
            budget=settings.budget,
            noise=noise,
        )
        self.charges = self._holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        if not self._holdout.remaining:
            return np.zeros(0)
        right = (side.right_with(slopes) for side in model.sides.values())
        return self._holdout.answers(*right)

    def report(self, model: Stepwise) -> float | None:
        if not self._holdout.remaining:
            return None
        right = (side.right for side in model.sides.values())
        return float(self._holdout.answers(*right)[0])

    @property
    def overfit(self) -> int | None:
        return self._holdout.overfit


class _Zumel:
    overfit: int | None = None

    def __init__(
        self, train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
    ) -> None:
        questions, tolerance = settings.steps_taken * train.X.shape[0], settings.tolerance
        self._holdout = ZumelHoldout(
            train.y, test.y, tolerance=tolerance, questions=questions, noise=noise
        )
        self.charges = self._holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        parts = model.sides.values()
        return self._holdout.answers(
            *(_gain(part.right_with(slopes), part.right) for part in parts)
        )

    def report(self, model: Stepwise) -> float | None:
        return None


def _gain(after: Summed, before: Summed) -> Summed:
    """By how much the records' scores improve, each by -1, 0 or 1."""
    return Summed(after.sums - before.sums, after.records)


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
    asks : str, default "both"
        The records that it looks at: "train", "test" or "both".
    """

    name: str
    method: str | None
    open: Callable[[LabelledRows, LabelledRows, HoldoutSettings, SeededNoise], Judge]
    larger: bool = False
    asks: str = "both"

    def test_of(self, problem: HoldoutProblem) -> LabelledRows | None:
        """The records that it chooses with; None if there are not enough."""
        return problem.large_test if self.larger else problem.test


JUDGES = {
    "naive": JudgeKind("Naive reuse", "naive-reuse", _Naive, asks="test"),
    "thresholdout": JudgeKind("Thresholdout", "thresholdout", _Thresholdout),
    "zumel": JudgeKind("The blog's variant", "zumel-published", _Zumel),
    "larger": JudgeKind("Naive, 10 × test set", "naive-reuse", _Naive, True, "test"),
    "train": JudgeKind("Training set only", None, lambda *_: _TrainOnly(), asks="train"),
}
