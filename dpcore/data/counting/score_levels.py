"""Levels of scores, read off the bits of a number, and the compiled loop that counts them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore._typing import IntArray, NDArray

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


@lru_cache(maxsize=64)
def changes(meaning: bytes) -> tuple[int, NDArray[np.uint8]]:
    """What most bytes mean, and bytes that mean something else, with what that adds.

    Examples
    --------
    >>> usual, others = changes(bytes([4, 0, 4, 5]))
    >>> usual, others.tolist()
    (4, [[1, 252], [3, 1]])
    """
    of = np.frombuffer(meaning, dtype=np.uint8)
    usual = np.uint8(np.bincount(of).argmax())
    others = np.flatnonzero(of != usual).astype(np.uint8)
    told = np.column_stack([others, of[others] - usual])
    told.setflags(write=False)
    return int(usual), told


def compiled_loop(precision: np.dtype[Any]) -> Callable[..., None]:
    """The loop over scores of a precision, by Numba."""
    layout = score_layout(precision)
    from numba import from_dtype, njit, types, void

    def vector(kind: Any, readonly: bool = False) -> Any:
        return types.Array(from_dtype(np.dtype(kind)), 1, "C", readonly=readonly)

    column = vector(np.uint8, True), types.Array(types.uint8, 2, "C", readonly=True)
    scores, near, bits = vector(precision, True), vector(precision), vector(layout.integers)
    passes = near, bits, vector(np.uint8), vector(np.uint32)
    told = from_dtype(layout.integers), types.int32, types.int32
    counts = vector(np.uint8), vector(np.int64)
    signature = void(*column, *column, types.uint8, scores, *passes, *told, *counts)
    try:
        loop: Callable[..., None] = njit(signature, nogil=True, cache=True)(count_levels)
    except RuntimeError:  # no folder to keep it in may be written
        loop = njit(signature, nogil=True)(count_levels)
    return loop


def count_levels(
    labels: NDArray[np.uint8],
    of_label: NDArray[np.uint8],
    groups: NDArray[np.uint8],
    of_group: NDArray[np.uint8],
    usual: int,
    scores: NDArray[Any],
    near: NDArray[Any],
    bits: NDArray[Any],
    kinds: NDArray[np.uint8],
    places: NDArray[np.uint32],
    shift: int,
    first: int,
    unusable: int,
    low: NDArray[np.uint8],
    counts: IntArray,
) -> None:
    """Count; `bits` are those of `near`. Loops without branches become vector instructions.

    A kind is twice the group, and one more if the row is positive: the usual one, with the
    `changes` of a label and of a group. Few bytes mean something unusual, and to compare with each
    of these takes less than to look every row up. Nearly all additions are to bytes, for those of
    all places stay in a cache where those of 32 bits would not.
    """
    one, half = scores.dtype.type(1.0), scores.dtype.type(0.5)
    levels, nothing, twice = np.int32(LEVELS), np.int32(0), np.uint8(2)
    for start in range(0, scores.size, near.size):
        size = min(near.size, scores.size - start)
        score, label = scores[start : start + size], labels[start : start + size]
        for row in range(size):
            near[row] = min(one - score[row], score[row])
        kinds[:] = usual
        for other in range(of_label.shape[0]):
            cell, change = of_label[other, 0], of_label[other, 1]
            for row in range(size):
                kinds[row] += change * np.uint8(label[row] == cell)
        of = groups[start : start + size]
        for other in range(of_group.shape[0]):
            cell, change = of_group[other, 0], twice * of_group[other, 1]
            for row in range(size):
                kinds[row] += change * np.uint8(of[row] == cell)
        for row in range(size):
            kind = np.int32(kinds[row])
            level = max(np.int32(bits[row] >> shift) - first, nothing)
            quarter = np.int32(2) * kind + np.int32(score[row] >= half)
            lost = unusable + (kind >> np.int32(1))
            usable = (score[row] >= 0.0) & (score[row] <= one)
            places[row] = level + levels * quarter if usable else lost
        for row in range(size):
            place = places[row]
            low[place] += np.uint8(1)
            if low[place] == 0:
                counts[place] += 256
