"""Counting scores at the speed of the processor's cache."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray, IntArray
from dpcore.aggregates.score_cells import FRACTION_BITS, LEVELS, LOWEST

__all__ = ["ScoreTally"]

# Rows per pass: the few arrays of this length stay in the processor's cache.
_BLOCK = 2**15
# Rows between two sweeps over the counts, which are many and mostly untouched.
_BATCH = 2**20


class ScoreTally:
    """Counts of scores per class and level, which grow as rows are added.

    Examples
    --------
    >>> from dpcore.aggregates.score_cells import score_cells
    >>> tally = ScoreTally()
    >>> tally.add(np.array([True, False, True]), np.array([0.9, 0.1, 0.8]))
    >>> score_cells(4, 2.0).fold(tally.levels()).tolist()
    [[1, 0, 0, 0], [0, 0, 0, 2]]
    """

    def __init__(self) -> None:
        self._counts = np.zeros((4, LEVELS), dtype=np.int64)
        self._keys = np.empty(_BATCH, dtype=np.int64)
        self._waiting = 0
        self._placers: dict[np.dtype[Any], _Placer] = {}

    def add(self, positive: BoolArray, scores: NDArray[Any]) -> None:
        """Count rows.

        Parameters
        ----------
        positive : bool array, shape (n,)
        scores : float array, shape (n,)
            In [0, 1]; anything else is counted in some cell that means nothing.
        """
        if scores.dtype not in _LAYOUTS:
            scores = scores.astype(np.float64)
        if scores.dtype not in self._placers:
            self._placers[scores.dtype] = _Placer(scores.dtype)
        place = self._placers[scores.dtype]
        for start in range(0, scores.size, _BLOCK):
            block = scores[start : start + _BLOCK]
            if self._waiting + block.size > _BATCH:
                self._sweep()
            keys = self._keys[self._waiting : self._waiting + block.size]
            place(positive[start : start + _BLOCK].view(np.int8), block, keys)
            self._waiting += block.size

    def levels(self) -> IntArray:
        """Counts so far, shape (2, 2 LEVELS): negatives and positives, lowest scores first."""
        self._sweep()
        # Rows are negative and low, negative and high, positive and low, positive and high.
        low, high = self._counts[0::2], self._counts[1::2, ::-1]
        return np.concatenate([low, high], axis=1)

    def _sweep(self) -> None:
        counted = np.bincount(self._keys[: self._waiting], minlength=4 * LEVELS)
        self._counts += counted.reshape(4, LEVELS)
        self._waiting = 0


# Integers of the same width, and bits of the fraction.
_LAYOUTS: dict[np.dtype[Any], tuple[np.dtype[Any], int]] = {
    np.dtype(np.float32): (np.dtype(np.int32), 23),
    np.dtype(np.float64): (np.dtype(np.int64), 52),
}


class _Placer:
    """Writes the key of each row: its class, its side of one half, and its level."""

    def __init__(self, precision: np.dtype[Any]) -> None:
        integers, fraction = _LAYOUTS[precision]
        number = precision.type
        self._one, self._half = number(1.0), number(0.5)
        self._shift = fraction - FRACTION_BITS
        self._first = integers.type(int(number(LOWEST).view(integers)) >> self._shift)
        self._none, self._side = integers.type(0), integers.type(LEVELS)
        self._near = np.empty(_BLOCK, dtype=precision)
        self._key = np.empty(_BLOCK, dtype=integers)
        self._high = np.empty(_BLOCK, dtype=np.bool_)
        self._quarter = np.empty(_BLOCK, dtype=np.int8)

    def __call__(self, positive: NDArray[np.int8], scores: NDArray[Any], keys: IntArray) -> None:
        size = scores.size
        near, key = self._near[:size], self._key[:size]
        high, quarter = self._high[:size], self._quarter[:size]
        np.subtract(self._one, scores, out=near)
        np.minimum(near, scores, out=near)
        level = near.view(key.dtype)
        np.right_shift(level, self._shift, out=level)
        np.subtract(level, self._first, out=level)
        # As whole numbers, which is faster than to raise scores to the lowest.
        np.maximum(level, self._none, out=level)
        np.greater_equal(scores, self._half, out=high)
        np.add(positive, positive, out=quarter)
        np.add(quarter, high.view(np.int8), out=quarter)
        key[...] = quarter
        np.multiply(key, self._side, out=key)
        np.add(key, level, out=key)
        keys[...] = key
