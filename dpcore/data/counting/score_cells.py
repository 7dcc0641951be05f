"""Cells of scores: nearly equal in logit, with edges of few bits, read off the bits of a number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
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

    @cached_property
    def of_level(self) -> IntArray:
        """The cell of each level, shape (2 LEVELS,)."""
        return np.repeat(np.arange(self.cells), np.diff(self.starts, append=2 * LEVELS))

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
