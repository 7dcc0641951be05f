"""Dyadic intervals over ordered points, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument

__all__ = ["DyadicIntervals", "increments"]


@dataclass(frozen=True, eq=False)
class DyadicIntervals:
    """All intervals ((j - 1) 2^l, j 2^l] over 2^L points, of which some may be left out.

    Parameters
    ----------
    marks : tuple of int arrays
        ``marks[l]``, shape (2 ** (L - l) + 1,), counts the kept points up to j 2^l. Interval j of
        level l holds the kept points from ``marks[l][j]`` (inclusive) to ``marks[l][j + 1]``, and
        is empty if the two are equal.

    Notes
    -----
    Seen as a graph, the counts 0 to n are vertices, and every interval that is not empty is an edge
    between its two ends. Smoothing is a flow in that graph; see `dpcore.postprocess.smoothing`.

    Examples
    --------
    >>> [level.tolist() for level in DyadicIntervals.over(3).marks]
    [[0, 1, 2, 3, 3], [0, 2, 3], [0, 3]]
    """

    marks: tuple[IntArray, ...]

    @classmethod
    def over(cls, points: int, kept: IntArray | None = None) -> DyadicIntervals:
        """Intervals over so many points, restricted to `kept` (ascending indices) if given."""
        depth = (points - 1).bit_length()
        held = np.zeros(2**depth, dtype=np.int64)
        held[slice(points) if kept is None else kept] = 1
        below = np.concatenate([[0], np.cumsum(held)])
        return cls(tuple(below[:: 2**level] for level in range(depth + 1)))

    @property
    def points(self) -> int:
        """Number of kept points."""
        return int(self.marks[0][-1])

    @cached_property
    def filled(self) -> tuple[BoolArray, ...]:
        """Which intervals of each level hold a point."""
        return tuple(marks[:-1] < marks[1:] for marks in self.marks)

    def edges(self) -> tuple[IntArray, IntArray]:
        """Both ends of every interval that holds a point, finest level first."""
        levels = list(zip(self.marks, self.filled, strict=True))
        starts = np.concatenate([marks[:-1][filled] for marks, filled in levels])
        ends = np.concatenate([marks[1:][filled] for marks, filled in levels])
        return starts, ends


def increments(noisy: FloatArray, high: float) -> FloatArray:
    """Steps of a path from 0 through the noisy values to `high`, shape (points + 1,).

    Raises
    ------
    InvalidArgument
        If there is no value, a value is not finite, or `high` is negative.
    """
    if noisy.ndim != 1 or noisy.size == 0 or not np.isfinite(noisy).all():
        raise InvalidArgument("noisy", noisy.shape, "a vector of at least one finite number")
    if not 0.0 <= high < float("inf"):
        raise InvalidArgument("high", high, "zero or positive")
    return np.diff(noisy, prepend=0.0, append=high)
