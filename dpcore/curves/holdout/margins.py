"""How many records the model with one more variable is right about, for every candidate at once."""

import math
from collections.abc import Iterator

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.curves.holdout.problem import LabelledRows
from dpcore.mechanisms.threshold.reusable_holdout import Summed

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
