"""Counting scores: row by row in NumPy at first, compiled once there are enough of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.data.counting import score_levels
from dpcore.data.counting.score_levels import FRACTION_BITS, LEVELS, changes, compiled_loop
from dpcore.errors import InvalidArgument

CELLS = 2**16

CLIP = 20.0


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """Cells of nearly equal width in logit whose edges are numbers of few bits.

    A score p below one half has the level of p, any other the level of 1 - p, which is exact; the
    level of a number is its exponent and the first 12 bits of its fraction. Every cell is a run of
    2 to 5 levels, so its width in logit differs from the average by up to a half. No logarithm is
    taken: a record falls into the same cell on every machine, in single and in double precision.

    Parameters
    ----------
    edges : float array, shape (cells + 1,)
        From 0 to 1. A score lies in the last cell whose lower edge it reaches.
    starts : int array, shape (cells,)
        First level of each cell, where levels of 1 - p follow those of p in falling order.

    Examples
    --------
    >>> score_cells(4, 2.0).edges.round(3).tolist()
    [0.0, 0.269, 0.5, 0.731, 1.0]
    """

    edges: FloatArray
    starts: IntArray

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.starts.size

    @cached_property
    def of_place(self) -> NDArray[np.int32]:
        """Where each place of a group counts in `fold`, flat, shape (UNUSABLE,)."""
        cells = np.arange(self.cells, dtype=np.int32)
        cell = np.repeat(cells, np.diff(self.starts, append=2 * LEVELS))
        negative = np.concatenate([cell[:LEVELS], cell[: LEVELS - 1 : -1]])
        return np.concatenate([negative, self.cells + negative])

    def fold(self, levels: IntArray) -> IntArray:
        """Add up counts of levels, shape (..., 2 LEVELS), to counts of cells, (..., cells)."""
        # Differences of running sums take half of the time that sums of so short runs do.
        last = np.append(self.starts[1:], 2 * LEVELS) - 1
        return np.diff(np.cumsum(levels, axis=-1).take(last, axis=-1), prepend=0)


@lru_cache(maxsize=8)
def score_cells(cells: int = CELLS, clip: float = CLIP) -> ScoreCells:
    """The cells of a grid that is uniform in logit up to the rounding of its edges.

    Parameters
    ----------
    clip
        Logit of the last edge before 1; at most 20, where doubles near 1 still tell logits apart.

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or cells would be narrower than the default ones.
    """
    _check.integer_in_range(2, CELLS, cells=cells)
    _check.positive(clip=clip)
    _check.in_range(0, CLIP, clip=clip)
    if cells / clip > CELLS / CLIP:
        raise InvalidArgument("cells", cells, f"at most {int(CELLS / CLIP * clip)} for this clip")
    logits = np.linspace(-clip, clip, cells + 1)[1:-1]
    # Each edge at the nearest level, and as far from 1 as its mirror image is from 0.
    level = _level(expit(-np.abs(logits)) * (1.0 + 2.0 ** -(FRACTION_BITS + 2)))
    distance = ((level + _DOUBLE.first) << _DOUBLE.shift).view(np.float64)
    above = np.nextafter(1.0 - distance, 1.0)
    edges = np.where(logits < 0.0, distance, np.where(logits > 0.0, above, 0.5))
    starts = np.where(logits < 0.0, level, 2 * LEVELS - level)
    starts[logits == 0.0] = LEVELS
    edges = np.concatenate([[0.0], edges, [1.0]])
    edges.setflags(write=False)
    return ScoreCells(edges, np.concatenate([[0], starts]).astype(np.int64))


def _level(numbers: FloatArray) -> IntArray:
    bits: NDArray[np.int64] = numbers.view(np.int64)
    return np.asarray((bits >> _DOUBLE.shift) - _DOUBLE.first, dtype=np.int64)


_LAYOUTS = {one: score_levels.score_layout(one) for one in map(np.dtype, (np.float32, np.float64))}
_DOUBLE = _LAYOUTS[np.dtype(np.float64)]


@dataclass(frozen=True, eq=False)
class ByteColumn:
    """A column of bytes, looked up in a table rather than mapped row by row beforehand.

    Parameters
    ----------
    cells : uint8 array, shape (n,)
    meaning : uint8 array, shape (256,)
        What each byte means.

    Examples
    --------
    >>> column = ByteColumn.of(np.array([5, 7, 5], dtype=np.int8), lambda cells: cells == 5)
    >>> column.meant.tolist()
    [1, 0, 1]
    """

    cells: NDArray[np.uint8]
    meaning: NDArray[np.uint8]

    @classmethod
    def of(cls, cells: NDArray[Any], meaning: Callable[[NDArray[Any]], NDArray[Any]]) -> ByteColumn:
        """Map cells to numbers below 256, each by itself."""
        if cells.dtype.kind in "iu" and cells.dtype.itemsize > 1 and cells.size:
            # A whole number means the same in any width.
            small = cells.min() >= -128 and cells.max() < 128
            cells = cells.astype(np.int8) if small else cells
        if cells.dtype not in (np.int8, np.uint8):
            return cls.of_numbers(np.asarray(meaning(cells)).astype(np.uint8))
        return cls(np.ascontiguousarray(cells).view(np.uint8), _table(meaning, cells.dtype))

    @classmethod
    def of_numbers(cls, numbers: NDArray[Any]) -> ByteColumn:
        """Numbers below 256, or truth values, that mean themselves."""
        cells = np.ascontiguousarray(numbers).view(np.uint8)
        # What does not occur means nothing, like most.
        occur = cells.max(initial=0) >= _EVERY_BYTE
        return cls(cells, np.where(occur, _EVERY_BYTE, np.uint8(0)))

    def rows(self, some: slice) -> ByteColumn:
        """Some of its rows."""
        return ByteColumn(self.cells[some], self.meaning)

    @property
    def meant(self) -> NDArray[np.uint8]:
        """What the cells mean, shape (n,)."""
        return self.meaning[self.cells]


_EVERY_BYTE = np.arange(256, dtype=np.uint8)


@lru_cache(maxsize=64)
def _table(means: Callable[[NDArray[Any]], NDArray[Any]], kind: np.dtype[Any]) -> NDArray[np.uint8]:
    """What each byte means: so few there are that each is looked up before any is seen."""
    return np.asarray(means(_EVERY_BYTE.view(kind))).astype(np.uint8)


_ONE_GROUP = ByteColumn.of_numbers(np.empty(0, dtype=np.uint8))


class Rows(NamedTuple):
    """Which rows are positive, their groups (no cells: all are of the first), and their scores."""

    positive: ByteColumn
    group: ByteColumn
    scores: NDArray[Any]


# Adds rows to what wraps at 256, and to counts.
Count: TypeAlias = Callable[[Rows, NDArray[np.uint8], IntArray], None]

# Places of counts: LEVELS each for negative and low, negative and high, positive and low, positive
# and high, group by group; then one for each group for numbers that are no scores.
UNUSABLE = 4 * LEVELS

PLACES = UNUSABLE + 1

# Rows per pass, whose intermediate arrays stay in the first cache.
_PASS = 2048

_ONE_AT_A_TIME = Lock()

_READY: dict[np.dtype[Any], Count] = {}


def compiled(precision: np.dtype[Any]) -> Count:
    """The loop for scores of a precision.

    The first call of a process imports Numba and compiles, which takes about half a second, or
    reads what another process compiled.

    Parameters
    ----------
    precision
        float32 or float64.

    Returns
    -------
    callable
        Takes rows, and counts, to which it adds, of shape (groups PLACES,): bytes, and int64 for
        what these cannot hold. Other threads run while it counts.

    Examples
    --------
    >>> low, counts = np.zeros(PLACES, dtype=np.uint8), np.zeros(PLACES, dtype=np.int64)
    >>> positive = ByteColumn.of(np.array([1, 0], dtype=np.int8), lambda cells: cells == 1)
    >>> one_group = ByteColumn.of_numbers(np.empty(0, dtype=np.uint8))
    >>> scores = np.array([0.2, 0.7])
    >>> compiled(scores.dtype)(Rows(positive, one_group, scores), low, counts)
    >>> np.flatnonzero(low) // LEVELS
    array([1, 2])
    """
    with _ONE_AT_A_TIME:
        if precision not in _READY:
            _READY[precision] = _counter(precision)
    return _READY[precision]


def _counter(precision: np.dtype[Any]) -> Count:
    layout, loop = _LAYOUTS[precision], compiled_loop(precision)

    def count(rows: Rows, low: NDArray[np.uint8], counts: IntArray) -> None:
        positive, group, scores = rows
        (negative, labels), (usual, groups) = (changes(one.meaning.tobytes()) for one in rows[:2])
        columns = (positive.cells, labels, group.cells, groups, np.uint8(negative + 2 * usual))
        near, kinds = np.empty(_PASS, dtype=precision), np.empty(_PASS, dtype=np.uint8)
        places, bits = np.empty(_PASS, dtype=np.uint32), near.view(layout.integers)
        unusable = np.int32(counts.size // PLACES * UNUSABLE)
        told = layout.shift, np.int32(layout.first), unusable
        loop(*columns, np.ascontiguousarray(scores), near, bits, kinds, places, *told, low, counts)

    return count


# Rows per pass, whose intermediate arrays stay in the processor's cache.
_BLOCK = 2**15

# Rows of which a tally keeps the places.
_FEW_ROWS = 2**16

# Rows of a process after which it compiles, which takes about as long as counting these did.
_WORTH_COMPILING = 2**24


class ScoreTally:
    """Counts of scores per class and level, which grow as rows are added.

    A number that is no score, because it is not in [0, 1], is counted apart.

    Parameters
    ----------
    groups
        Rows are counted by group, of at most 100.

    Examples
    --------
    >>> from dpcore.data.counting.score_tally import score_cells
    >>> tally = ScoreTally()
    >>> tally.add(np.array([True, False, True, True]), np.array([0.9, 0.1, 0.8, np.nan]))
    >>> tally.fold(score_cells(4, 2.0)).tolist(), tally.unusable
    ([[1, 0, 0, 0], [0, 0, 0, 2]], 1)
    """

    # Of all tallies of this process. Threads may lose some, which puts compiling off a little.
    _rows_so_far: ClassVar[int] = 0

    def __init__(self, groups: int = 1) -> None:
        # Of a few rows the places themselves, which takes less than to visit all of the counts.
        self._few: list[IntArray] | None = []
        self._few_left = _FEW_ROWS
        self._groups, self._unusable = groups, groups * UNUSABLE
        self._low: NDArray[np.uint8] | None = None

    def add(
        self,
        positive: BoolArray | ByteColumn,
        scores: NDArray[Any],
        group: NDArray[np.uint8] | ByteColumn | None = None,
    ) -> None:
        """Count rows.

        Parameters
        ----------
        positive : bool array, shape (n,), or ByteColumn
        scores : float array, shape (n,)
        group : uint8 array, shape (n,), or ByteColumn, optional
            Which group each row is of; the first if left out.
        """
        if scores.dtype not in (np.float32, np.float64):
            scores = scores.astype(np.float64)
        of = _ONE_GROUP if group is None else _column(group)
        rows = Rows(_column(positive), of, scores)
        self._few_left -= scores.size
        if self._few is not None and self._few_left >= 0:
            self._few.append(_places(rows, self._unusable))
        else:
            if self._low is None:
                self._settled()
                self._low = np.zeros(self._groups * PLACES, dtype=np.uint8)
            self._count_for(scores.dtype)(rows, self._low, self._counts)
        ScoreTally._rows_so_far += scores.size

    def levels(self, group: int = 0) -> IntArray:
        """Counts of a group, shape (2, 2 LEVELS): negatives and positives, lowest scores first."""
        counts = self._settled()[group * UNUSABLE : (group + 1) * UNUSABLE].reshape(4, LEVELS)
        return np.concatenate([counts[0::2], counts[1::2, ::-1]], axis=1)

    def fold(self, grid: ScoreCells, group: int = 0) -> IntArray:
        """Counts of a group on the cells of a grid, shape (2, cells): negatives first."""
        if self._few is None:
            return grid.fold(self.levels(group))
        places = np.concatenate([np.zeros(0, np.int64), *self._few]) - group * UNUSABLE
        mine = grid.of_place[places[(places >= 0) & (places < UNUSABLE)]]
        return np.bincount(mine, minlength=2 * grid.cells).reshape(2, grid.cells)

    def vector(self, group: int = 0) -> IntArray:
        """Counts of a group on the default cells, negatives first, and of what is no score."""
        found = self.fold(score_cells(), group).ravel()
        return np.append(found, self._left_out()[group])

    @property
    def unusable(self) -> int:
        """How many numbers were no scores, in all groups."""
        return int(self._left_out().sum())

    def _left_out(self) -> IntArray:
        """How many numbers were no scores, by group."""
        if self._few is None:
            return self._settled()[self._unusable :]
        places = np.concatenate([np.zeros(0, np.int64), *self._few])
        lost = places[places >= self._unusable] - self._unusable
        return np.bincount(lost, minlength=self._groups)

    def _settled(self) -> IntArray:
        """Counts of all places, which hold everything then."""
        if self._few is not None:
            self._counts = np.zeros(self._groups * PLACES, dtype=np.int64)
            for places in self._few:
                np.add.at(self._counts, places, 1)
            self._few = None
        if self._low is not None:
            self._counts += self._low
            self._low = None
        return self._counts

    def _count_for(self, precision: np.dtype[Any]) -> Count:
        # Without Numba the same counts take a few times as long.
        worth = self._rows_so_far >= _WORTH_COMPILING and find_spec("numba") is not None
        return compiled(precision) if worth or precision in _READY else _count


def _column(cells: NDArray[Any] | ByteColumn) -> ByteColumn:
    return cells if isinstance(cells, ByteColumn) else ByteColumn.of_numbers(cells)


def _count(rows: Rows, low: NDArray[np.uint8], counts: IntArray) -> None:
    """Count in NumPy, as the compiled loop does; nothing is added to `low`."""
    unusable = counts.size // PLACES * UNUSABLE
    for start in range(0, rows.scores.size, _BLOCK):
        some = slice(start, start + _BLOCK)
        block = Rows(rows.positive.rows(some), rows.group.rows(some), rows.scores[some])
        np.add.at(counts, _places(block, unusable), 1)


def _places(rows: Rows, unusable: int) -> IntArray:
    """Where each row is counted, shape (n,)."""
    positive, group, scores = rows
    layout = _LAYOUTS[scores.dtype]
    # A signalling NaN is one odd score, and nobody is told of it.
    with np.errstate(invalid="ignore"):
        near = np.minimum(1 - scores, scores)
    level = np.maximum((near.view(layout.integers) >> layout.shift) - layout.first, 0)
    of = group.meant.astype(np.int64) if group.cells.size else np.int64(0)
    quarter = 4 * of + 2 * positive.meant + (scores >= 0.5)
    usable = (scores >= 0.0) & (scores <= 1.0)
    return np.where(usable, quarter * LEVELS + level, unusable + of)
