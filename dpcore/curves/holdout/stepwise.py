"""Stepwise selection of variables: one judge for each way to use the test set."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, LabelledRows
from dpcore.evaluation.holdout import NaiveReuse, Thresholdout, ZumelHoldout
from dpcore.mechanisms.threshold.reusable_holdout import Summed
from dpcore.noise import SeededNoise
from dpcore.privacy import Charge

# So many numbers are worked on at a time: whole tables would go to memory and back at every step.
IN_CACHE = 262_144

# What so many variables explain is taken out of the candidates at once, for the same reason.
_BEHIND = 8

# The largest candidate of each record is looked for every other time that happens.
_LOOKED_FOR = 2 * _BEHIND

# Rounding does not put a record beyond reach that is not.
_WIDER = 1.0 + 1e-6

# A score of 0 is called negative; far below any rounding.
_TIE = 1e-30


class Margins:
    """Records in the coordinates of the candidates, and the margin that each record has so far.

    The margin is the score with the sign of the class, as the coordinates are: the model is right
    where it is positive. A candidate changes it by its slope times its size at most, and slopes are
    small: only records as near to 0 as that can change sides. The others are not looked at.

    Coordinates have single precision, which is exact enough to count by.

    Parameters
    ----------
    records : LabelledRows
    means : float array, shape (candidates,)
        What is taken off the variables.
    start : float
        The score of every record before the first variable.
    """

    def __init__(self, records: LabelledRows, means: FloatArray, start: float) -> None:
        self.size = records.size
        sign = np.where(records.y, 1.0, -1.0)
        self.margin = sign * (start - _TIE)
        self.right = self._right()
        # A row for each record, and a column for each candidate; those in the model come last, and
        # go when rows get shorter.
        self._rest = np.empty((records.size, means.size), np.float32)
        self._candidates = means.size
        # The margin, and the variables that were taken lately: values times shares is what they
        # explain of the candidates.
        self._values = np.zeros((records.size, 1 + _BEHIND), np.float32)
        self._values[:, 0] = self.margin
        self._shares, self._lately = np.zeros((1 + _BEHIND, means.size), np.float32), 1
        # No candidate is larger, for each record.
        self._reach, self._taken = np.empty(records.size), 0
        # As exact as they are.
        middles, signs = (values.astype(records.X.dtype) for values in (means[:, None], sign))
        for block in self._blocks(means.size):
            centred = records.X[:, block] - middles
            centred *= signs[block]
            values = centred.astype(np.float32, copy=False)
            self._rest[block] = values.T
            self._reach[block] = np.abs(values, out=values).max(axis=0, initial=0.0)

    def right_with(self, slopes: FloatArray) -> Summed:
        """How many records each candidate's model is right about."""
        right = int(self.right.sums[0])
        steepest = np.abs(slopes).max(initial=0.0)
        near = np.flatnonzero(np.abs(self.margin) <= steepest * _WIDER * self._reach)
        # Right is who has more than this, or less where the slope falls: margin / -slope, and what
        # is explained already.
        moves = np.abs(slopes) > _TIE
        limits = self._shares[: self._lately].copy()
        limits[0, : slopes.size] = np.divide(-1.0, slopes, where=moves, out=np.zeros(slopes.size))
        above = np.zeros(self._rest.shape[1], dtype=np.int64)
        for block in self._blocks(above.size, near.size):
            # np.take is quicker than an index, row by row.
            values = self._values.take(near[block], axis=0)[:, : self._lately]
            # NumPy's product, unlike SciPy's, leaves the interpreter to other threads meanwhile.
            above += _ones(self._rest.take(near[block], axis=0) > values @ limits)
        above = above[: slopes.size]
        others = right - np.count_nonzero(self.margin[near] > 0.0)
        found = others + np.where(slopes > 0.0, above, near.size - above)
        return Summed(np.where(moves, found, right), self.size)

    def take(self, place: int, slope: float, shares: FloatArray) -> None:
        """Add a candidate to the model, and remove from the others what it explains.

        The last one takes its place; `shares` are those of who is left.
        """
        lately, last = self._lately, self._candidates - 1
        known, by = self._values[:, 1:lately], self._shares[1:lately]
        taken = self._rest[:, place] - known @ by[:, place]
        self._rest[:, place], by[:, place] = self._rest[:, last], by[:, last]
        self.margin += slope * taken
        self.right = self._right()
        self._values[:, 0], self._values[:, lately] = self.margin, taken
        self._shares[lately], self._shares[lately, :last] = 0.0, shares
        self._reach += np.abs(shares).max(initial=0.0) * np.abs(taken)
        self._candidates, self._lately, self._taken = last, lately + 1, self._taken + 1
        if self._lately > _BEHIND:
            self._catch_up()

    def _catch_up(self) -> None:
        """Take out of the candidates what the variables of late explain."""
        width, known = self._candidates, self._values[:, 1:]
        # Rows get shorter: each is written where it, or one before it, was.
        shape = self.size, width
        rest, by = (
            self._rest.reshape(-1)[: math.prod(shape)].reshape(shape),
            self._shares[1:, :width],
        )
        for block in self._blocks(width):
            now = known[block] @ by
            np.subtract(self._rest[block, :width], now, out=now)
            rest[block] = now
            if self._taken % _LOOKED_FOR == 0:
                self._reach[block] = np.abs(now, out=now).max(axis=1, initial=0.0)
        self._rest, self._lately = rest, 1
        self._shares = np.zeros((1 + _BEHIND, width), np.float32)

    def _blocks(self, width: int, size: int | None = None) -> Iterator[slice]:
        """Rows after rows, as many as stay in the cache; all records where no size is given."""
        step = max(IN_CACHE // max(width, 1), 1)
        return (slice(at, at + step) for at in range(0, self.size if size is None else size, step))

    def _right(self) -> Summed:
        """How many records the present model is right about."""
        return Summed(np.array([np.count_nonzero(self.margin > 0.0)]), self.size)


def _ones(there: BoolArray) -> IntArray:
    """How many are true in each column; bytes are added up as bytes, as far as they hold."""
    (rows, width), there = there.shape, there.view(np.uint8)
    whole = rows // 255
    # Many rows next to one another: additions of a few bytes take as long as of many.
    found = there[: whole * 255].reshape(255, whole * width).sum(axis=0, dtype=np.uint8)
    rest = there[whole * 255 :].sum(axis=0, dtype=np.uint8)
    return np.asarray(found.reshape(whole, width).sum(axis=0, dtype=np.int64) + rest)


# Of the variance of a variable: what is left of a copy of others is rounding.
_NOTHING = 1e-9

# So many models are scored at a time.
_SCORED = 25


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
            name: Margins(self.records.pop(name), self._means, self._start)
            for name in ("train", "test")
            if asks in (name, "both")
        }
        self.candidates, self.chosen = np.arange(self._means.size), list[int]()
        # Of each candidate, how much of each chosen variable the model explains it by.
        self._explained = np.zeros((self._means.size, self._means.size))
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
        """Add the candidate at that place, which goes to the last one; returns its variable."""
        slope, of_place = float(slopes[place]), self._products[place].copy()
        useful = of_place[place] > self._smallest[place]
        shares = of_place / of_place[place] if useful else np.zeros(of_place.size)
        taken, last = len(self.chosen), of_place.size - 1
        variable, by = int(self.candidates[place]), self._explained[place, :taken].copy()
        self.chosen.append(variable)
        self._weights.append(np.append(self._weights[-1] - slope * by, slope))
        self._explained[:, :taken] -= np.outer(shares, by)
        self._explained[:, taken] = shares
        self._products -= np.outer(shares, of_place)
        self._left -= slope * of_place
        self._products[:, place] = self._products[:, last]
        for kept in (self._products, self._explained, self._left, self._smallest, shares):
            kept[place] = kept[last]
        self.candidates[place] = self.candidates[last]
        for side in self.sides.values():
            side.take(place, slope, shares[:last])
        self._products, self._left = self._products[:last, :last], self._left[:last]
        self._explained, self._smallest = self._explained[:last], self._smallest[:last]
        self.candidates = self.candidates[:last]
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
        right, width = np.zeros(len(weights)), max(IN_CACHE // max(len(self.chosen), 1), 1)
        for at in range(0, records.size, width):
            block = slice(at, at + width)
            values, scores = records.X[self.chosen, block], []
            for some in range(0, len(weights), _SCORED):
                # These have so many variables at most.
                known = first + some + _SCORED
                scores.append(weights[some : some + _SCORED, :known] @ values[:known])
            positive = np.vstack(scores) > -starts[:, None]
            right += np.count_nonzero(positive == records.y[block], axis=1)
        return list((right / records.size).tolist())


class Judge(ABC):
    """Scores candidates, and says how good the chosen model is."""

    charges: tuple[Charge, ...] = ()

    @abstractmethod
    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        """A score for each candidate; fewer if the judge stops on the way."""

    def report(self, model: Stepwise) -> float | None:
        """The accuracy that the judge reports of the present model; None if it reports none."""
        return None

    @property
    def overfit(self) -> int | None:
        """Answers that came from the test records; None if that is not counted."""
        return None


class _TrainOnly(Judge):
    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        return model.sides["train"].right_with(slopes).means

    def report(self, model: Stepwise) -> float | None:
        return float(model.sides["train"].right.means[0])


class _Naive(Judge):
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


class _Thresholdout(Judge):
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


class _Zumel(Judge):
    def __init__(
        self, train: LabelledRows, test: LabelledRows, settings: HoldoutSettings, noise: SeededNoise
    ) -> None:
        questions, tolerance = settings.steps_taken * train.X.shape[0], settings.tolerance
        self._holdout = ZumelHoldout(
            train.y, test.y, tolerance=tolerance, questions=questions, noise=noise
        )
        self.charges = self._holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        sides = model.sides.values()
        return self._holdout.answers(*(_gain(one.right_with(slopes), one.right) for one in sides))


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
