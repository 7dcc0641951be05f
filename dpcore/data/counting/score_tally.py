"""Counting scores: row by row in NumPy at first, compiled once there are enough of them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray, IntArray
from dpcore.data.counting.compiled_tally import PLACES, UNUSABLE, Count, compiled, is_compiled
from dpcore.data.counting.score_cells import LEVELS, score_layout

# Rows per pass, whose intermediate arrays stay in the processor's cache.
_BLOCK = 2**15
# Rows that counts of 32 bits can take. Those of 64 bits would not fit into the cache.
_CAPACITY = 2**32 - 1
# Rows of a process after which it compiles, which takes about as long as counting these did.
_WORTH_COMPILING = 2**24


class ScoreTally:
    """Counts of scores per class and level, which grow as rows are added.

    A number that is no score, because it is not in [0, 1], is counted apart.

    Examples
    --------
    >>> from dpcore.data.counting.score_cells import score_cells
    >>> tally = ScoreTally()
    >>> tally.add(np.array([True, False, True, True]), np.array([0.9, 0.1, 0.8, np.nan]))
    >>> score_cells(4, 2.0).fold(tally.levels()).tolist(), tally.unusable
    ([[1, 0, 0, 0], [0, 0, 0, 2]], 1)
    """

    # Of all tallies of this process. Threads may lose some, which puts compiling off a little.
    _rows_so_far: ClassVar[int] = 0

    def __init__(self) -> None:
        self._counts = np.zeros(PLACES, dtype=np.int64)
        self._recent = np.zeros(PLACES, dtype=np.uint32)
        self._recent_rows = 0

    def add(self, positive: BoolArray, scores: NDArray[Any]) -> None:
        """Count rows.

        Parameters
        ----------
        positive : bool array, shape (n,)
        scores : float array, shape (n,)
        """
        if scores.dtype not in (np.float32, np.float64):
            scores = scores.astype(np.float64)
        count = self._count_for(scores.dtype)
        for start in range(0, scores.size, _CAPACITY):
            some = slice(start, start + _CAPACITY)
            rows = scores[some].size
            if self._recent_rows + rows > _CAPACITY:
                self._settle()
            count(positive[some], scores[some], self._recent)
            self._recent_rows += rows
        ScoreTally._rows_so_far += scores.size

    def levels(self) -> IntArray:
        """Counts so far, shape (2, 2 LEVELS): negatives and positives, lowest scores first."""
        self._settle()
        counts = self._counts[:UNUSABLE].reshape(4, LEVELS)
        return np.concatenate([counts[0::2], counts[1::2, ::-1]], axis=1)

    @property
    def unusable(self) -> int:
        """How many numbers were no scores."""
        self._settle()
        return int(self._counts[UNUSABLE])

    def _settle(self) -> None:
        self._counts += self._recent
        self._recent[:] = 0
        self._recent_rows = 0

    def _count_for(self, precision: np.dtype[Any]) -> Count:
        if is_compiled(precision) or self._rows_so_far >= _WORTH_COMPILING:
            return compiled(precision)
        return _count


def _count(positive: BoolArray, scores: NDArray[Any], counts: NDArray[np.uint32]) -> None:
    """Count in NumPy, as the compiled loop does."""
    layout = score_layout(scores.dtype)
    for start in range(0, scores.size, _BLOCK):
        block = scores[start : start + _BLOCK]
        # A signalling NaN is one odd score, and nobody is told of it.
        with np.errstate(invalid="ignore"):
            near = np.minimum(1 - block, block)
        level = np.maximum((near.view(layout.integers) >> layout.shift) - layout.first, 0)
        quarter = 2 * positive[start : start + _BLOCK].view(np.int8) + (block >= 0.5)
        usable = (block >= 0.0) & (block <= 1.0)
        place = np.where(usable, quarter * np.int64(LEVELS) + level, UNUSABLE)
        np.add.at(counts, place, np.uint32(1))
