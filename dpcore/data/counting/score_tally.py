"""Counting scores: row by row in NumPy at first, compiled once there are enough of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument

CELLS = 2**16

CLIP = 20.0

# Exponent and so many leading bits of the fraction name a level; e^-20 is just above 2^-29.
FRACTION_BITS = 12

LOWEST = 2.0**-29

# Levels from 2^-29 up to one half, which has a level for itself.
LEVELS = int(np.log2(0.5 / LOWEST)) * 2**FRACTION_BITS + 1


@dataclass(frozen=True)
class ScoreLayout:
    """How to read the level of a number off its bits: ``(bits >> shift) - first``.

    Parameters
    ----------
    integers
        Whole numbers of the same width.
    shift
        Bits of the fraction that a level does not see.
    first
        What is left of the lowest level.
    """

    integers: np.dtype[Any]
    shift: int
    first: int


def score_layout(precision: np.dtype[Any]) -> ScoreLayout:
    """The layout of float32 or float64.

    Examples
    --------
    >>> layout = score_layout(np.dtype(np.float32))
    >>> (int(np.float32(0.5).view(layout.integers)) >> layout.shift) - layout.first == LEVELS - 1
    True
    """
    about = np.finfo(precision)
    integers, shift = np.dtype(f"i{precision.itemsize}"), about.nmant - FRACTION_BITS
    lowest = precision.type(LOWEST).view(integers)
    return ScoreLayout(integers, shift, int(lowest) >> shift)


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

    def fold(self, levels: IntArray) -> IntArray:
        """Add up counts of levels, shape (..., 2 LEVELS), to counts of cells, (..., cells)."""
        return np.add.reduceat(levels, self.starts, axis=-1)


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
    distance = _number(level)
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


def _number(levels: IntArray) -> FloatArray:
    return ((levels + _DOUBLE.first) << _DOUBLE.shift).view(np.float64)


_DOUBLE = score_layout(np.dtype(np.float64))


# Of each row twice its group, and one more if it is positive: a truth value if there is one group.
Kinds: TypeAlias = BoolArray | NDArray[np.uint8]

Count: TypeAlias = Callable[[Kinds, NDArray[Any], NDArray[np.uint32]], None]

# Places of counts: LEVELS each for negative and low, negative and high, positive and low, positive
# and high, group by group; then one for each group for numbers that are no scores.
UNUSABLE = 4 * LEVELS

PLACES = UNUSABLE + 1

# Rows per pass, whose intermediate arrays stay in the first cache.
_PASS = 1024

_ONE_AT_A_TIME = Lock()

_READY: dict[np.dtype[Any], Count] = {}


def is_compiled(precision: np.dtype[Any]) -> bool:
    """Whether this process has compiled the loop for scores of a precision."""
    return precision in _READY


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
        Takes kinds of rows, scores and counts (uint32, shape (groups PLACES,)), to which it adds.
        Other threads run while it counts.

    Examples
    --------
    >>> counts = np.zeros(PLACES, dtype=np.uint32)
    >>> compiled(np.dtype(np.float64))(np.array([True, False]), np.array([0.2, 0.7]), counts)
    >>> np.flatnonzero(counts) // LEVELS
    array([1, 2])
    """
    with _ONE_AT_A_TIME:
        if precision not in _READY:
            _READY[precision] = _counter(precision)
    return _READY[precision]


def _counter(precision: np.dtype[Any]) -> Count:
    layout = score_layout(precision)
    loop = _compile(precision, layout)

    def count(kinds: Kinds, scores: NDArray[Any], counts: NDArray[np.uint32]) -> None:
        near, places = np.empty(_PASS, dtype=precision), np.empty(_PASS, dtype=np.uint32)
        bits = near.view(layout.integers)
        columns = np.ascontiguousarray(kinds).view(np.uint8), np.ascontiguousarray(scores)
        unusable = np.uint32(counts.size // PLACES * UNUSABLE)
        loop(*columns, near, bits, places, layout.shift, layout.first, unusable, counts)

    return count


def _compile(precision: np.dtype[Any], layout: ScoreLayout) -> Callable[..., None]:
    from numba import from_dtype, njit, types, void

    def vector(kind: Any, *, readonly: bool = False) -> Any:
        return types.Array(from_dtype(np.dtype(kind)), 1, "C", readonly=readonly)

    integer = from_dtype(layout.integers)
    signature = void(
        vector(np.uint8, readonly=True),
        vector(precision, readonly=True),
        vector(precision),
        vector(layout.integers),
        vector(np.uint32),
        integer,
        integer,
        types.uint32,
        vector(np.uint32),
    )
    try:
        loop: Callable[..., None] = njit(signature, nogil=True, cache=True)(_loop)
    except RuntimeError:  # no folder to keep it in may be written
        loop = njit(signature, nogil=True)(_loop)
    return loop


def _loop(
    kinds: Kinds,
    scores: NDArray[Any],
    near: NDArray[Any],
    bits: NDArray[Any],
    places: NDArray[np.uint32],
    shift: int,
    first: int,
    unusable: int,
    counts: NDArray[np.uint32],
) -> None:
    """Count; `bits` are those of `near`. Loops without branches become vector instructions."""
    one, half = scores.dtype.type(1.0), scores.dtype.type(0.5)
    for start in range(0, scores.size, near.size):
        size = min(near.size, scores.size - start)
        score, kind = scores[start : start + size], kinds[start : start + size]
        for row in range(size):
            near[row] = min(one - score[row], score[row])
        for row in range(size):
            level = max((bits[row] >> shift) - first, 0)
            place = level + LEVELS * (2 * kind[row] + (score[row] >= half))
            lost = unusable + (kind[row] >> 1)
            places[row] = place if (score[row] >= 0.0) & (score[row] <= one) else lost
        for row in range(size):
            counts[places[row]] += 1


# Rows per pass, whose intermediate arrays stay in the processor's cache.
_BLOCK = 2**15

# Rows that counts of 32 bits can take. Those of 64 bits would not fit into the cache.
_CAPACITY = 2**32 - 1

# Rows of a process after which it compiles, which takes about as long as counting these did.
_WORTH_COMPILING = 2**24


class ScoreTally:
    """Counts of scores per class and level, which grow as rows are added.

    A number that is no score, because it is not in [0, 1], is counted apart.

    Parameters
    ----------
    groups : int, default 1
        Rows are counted by group, of at most 100.

    Examples
    --------
    >>> from dpcore.data.counting.score_tally import score_cells
    >>> tally = ScoreTally()
    >>> tally.add(np.array([True, False, True, True]), np.array([0.9, 0.1, 0.8, np.nan]))
    >>> score_cells(4, 2.0).fold(tally.levels()).tolist(), tally.unusable
    ([[1, 0, 0, 0], [0, 0, 0, 2]], 1)
    """

    # Of all tallies of this process. Threads may lose some, which puts compiling off a little.
    _rows_so_far: ClassVar[int] = 0

    def __init__(self, groups: int = 1) -> None:
        self._counts = np.zeros(groups * PLACES, dtype=np.int64)
        self._recent = np.zeros(groups * PLACES, dtype=np.uint32)
        self._recent_rows = 0

    def add(
        self, positive: BoolArray, scores: NDArray[Any], group: NDArray[np.uint8] | None = None
    ) -> None:
        """Count rows.

        Parameters
        ----------
        positive : bool array, shape (n,)
        scores : float array, shape (n,)
        group : uint8 array, shape (n,), optional
            Which group each row is of; the first if left out.
        """
        kinds: Kinds = positive if group is None else 2 * group + positive.view(np.uint8)
        if scores.dtype not in (np.float32, np.float64):
            scores = scores.astype(np.float64)
        count = self._count_for(scores.dtype)
        for start in range(0, scores.size, _CAPACITY):
            some = slice(start, start + _CAPACITY)
            rows = scores[some].size
            if self._recent_rows + rows > _CAPACITY:
                self._settle()
            count(kinds[some], scores[some], self._recent)
            self._recent_rows += rows
        ScoreTally._rows_so_far += scores.size

    def levels(self, group: int = 0) -> IntArray:
        """Counts of a group, shape (2, 2 LEVELS): negatives and positives, lowest scores first."""
        self._settle()
        counts = self._counts[group * UNUSABLE : (group + 1) * UNUSABLE].reshape(4, LEVELS)
        return np.concatenate([counts[0::2], counts[1::2, ::-1]], axis=1)

    def vector(self, group: int = 0) -> IntArray:
        """Counts of a group on the default cells, negatives first, and of what is no score."""
        found = score_cells().fold(self.levels(group)).ravel()
        return np.append(found, self._counts[self._counts.size // PLACES * UNUSABLE + group])

    @property
    def unusable(self) -> int:
        """How many numbers were no scores, in all groups."""
        self._settle()
        return int(self._counts[self._counts.size // PLACES * UNUSABLE :].sum())

    def _settle(self) -> None:
        # Most tallies are of few rows, and are asked twice: the second time there is nothing to do.
        if self._recent_rows:
            self._counts += self._recent
            self._recent[:] = 0
            self._recent_rows = 0

    def _count_for(self, precision: np.dtype[Any]) -> Count:
        if is_compiled(precision):
            return compiled(precision)
        # Without Numba the same counts take a few times as long.
        worth = self._rows_so_far >= _WORTH_COMPILING and find_spec("numba") is not None
        return compiled(precision) if worth else _count


def _count(kinds: Kinds, scores: NDArray[Any], counts: NDArray[np.uint32]) -> None:
    """Count in NumPy, as the compiled loop does."""
    layout = score_layout(scores.dtype)
    unusable = np.int64(counts.size // PLACES * UNUSABLE)
    kinds = kinds.view(np.uint8)
    for start in range(0, scores.size, _BLOCK):
        block = scores[start : start + _BLOCK]
        # A signalling NaN is one odd score, and nobody is told of it.
        with np.errstate(invalid="ignore"):
            near = np.minimum(1 - block, block)
        level = np.maximum((near.view(layout.integers) >> layout.shift) - layout.first, 0)
        kind = kinds[start : start + _BLOCK]
        quarter = np.uint8(2) * kind + (block >= 0.5)
        usable = (block >= 0.0) & (block <= 1.0)
        place = np.where(usable, quarter * np.int64(LEVELS) + level, unusable + (kind >> 1))
        np.add.at(counts, place, np.uint32(1))
