"""Choosing the best of many scored candidates, one of them or k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.samplers.exponential_noise import (
    ScoredChoice,
    exponential_cells,
    tail_scale,
    thinned_cells,
)
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact

# The candidates that every take adds noise to one by one; the others are thinned.
_HEAD = 4096


class NoisyTop:
    """Candidates with private scores in cells, of which tops are taken with exponential noise.

    Parameters
    ----------
    cells : int array, shape (candidates,)
        Scores on the grid of a `FixedPoint`.
    most : int
        How many will be taken in all.

    Sensitivity
        None by itself: the mechanisms that take from it choose the scale.

    Notes
    -----
    Noise is never negative, so a top of m never contains a candidate whose noisy score is below the
    m-th largest *exact* score. For the many small scores only the noise that reaches so high is
    drawn: the result has the same law as adding noise to all of them.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> NoisyTop(np.array([5, 90, 40]), 2).take(2, 1.0, SeededNoise(0)).tolist()
    [1, 2]
    """

    def __init__(self, cells: IntArray, most: int) -> None:
        if most > cells.size:
            requirement = f"at most the number of candidates, {cells.size}"
            raise InvalidArgument("k", most, requirement)
        self._cells = cells
        width = max(_HEAD, most)
        split = np.argpartition(-cells, width) if cells.size > width else np.arange(cells.size)
        head, self._tail = split[:width], split[width:]
        self._head = head[np.argsort(-cells[head], kind="stable")]
        self._tail_best = int(cells[self._tail].max()) if self._tail.size else 0
        self._left = np.ones(cells.size, dtype=np.bool_)

    def left(self) -> IntArray:
        """Positions not taken yet."""
        return np.flatnonzero(self._left)

    def take(self, size: int, scale: float, noise: NoiseSource) -> IntArray:
        """Remove and return the `size` candidates that are largest with fresh noise, ascending.

        Equal noisy scores go to the lower position, which is public.
        """
        head = self._head[self._left[self._head]]
        positions, drawn = head, exponential_cells(scale, head.size, noise)
        if self._tail.size:
            # Each take removes at most what `most` allowed for, so the head holds `size` still.
            bar = float(self._cells[head[size - 1]] - self._tail_best)
            reached, more = thinned_cells(scale, bar, self._tail.size, noise)
            still = self._left[self._tail[reached]]
            positions = np.append(positions, self._tail[reached[still]])
            drawn = np.append(drawn, more[still])
        chosen = largest(self._cells[positions] + drawn, positions, size)
        self._left[chosen] = False
        return chosen


def largest(noisy: IntArray, positions: IntArray, size: int) -> IntArray:
    """The positions of the `size` largest, ascending; ties go to the lower position."""
    bar = np.partition(noisy, noisy.size - size)[noisy.size - size]
    above = positions[noisy > bar]
    ties = np.sort(positions[noisy == bar])[: size - above.size]
    return np.sort(np.append(above, ties))


# Pairs of a place and a distinct score that a mechanism may keep: some 2 GB of memory.
_MOST_PAIRS = 3 * 10**7


@dataclass(frozen=True, kw_only=True)
class TopChoice(ScoredChoice):
    """Base: public numbers of a choice of k. A mechanism adds its `guarantee` and its `draw`.

    Parameters
    ----------
    k : int
        How many to choose; at least 1.
    epsilon, sensitivity, monotone, whole, neighbors
        As in `ScoredChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.

    Examples
    --------
    >>> choice = TopChoice(epsilon=1, k=3, whole=True)
    >>> str(choice.loss), choice.moves == 2 * choice.grid.steps
    ('epsilon 1', True)
    """

    k: int

    guarantee: ClassVar[Guarantee]

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(1, None, k=self.k)

    @property
    def cell_scale(self) -> float:
        """Scale of the noise, in cells, where each of k picks costs epsilon / k."""
        return tail_scale(self.moves, exact(self.epsilon) / self.k)

    def cells(self, value: FloatArray) -> IntArray:
        """The scores, of shape (candidates,), on the grid; there must be k of them."""
        found = self.grid.of(value)
        if self.k > found.size:
            raise InvalidArgument("k", self.k, f"at most the number of candidates, {found.size}")
        return found

    def few_cells(self, value: FloatArray) -> IntArray:
        """`cells`, with so few distinct values that k of each can be kept in memory.

        Where k times the number of candidates, a public number, is small they are `cells`. Where it
        is not, they are whole multiples of `grid.steps`, in a window that holds the k-th largest.

        Sensitivity
            That of `cells`: no score moves by more than `grid.steps`, and all in one direction if
            monotone. Rounding down to multiples of `grid.steps` moves by one multiple at most and
            turns no order round; so do the largest and the k-th largest score, the ends of the
            window, which are made of these two, and cutting to a window whose ends do.
        """
        cells = self.cells(value)
        kinds = max(_MOST_PAIRS // self.k, 1)
        if cells.size <= kinds:
            return cells
        multiples = cells // self.grid.steps
        kth = np.partition(multiples, -self.k)[-self.k]
        top = min(multiples.max(), kth + (kinds - 1) // 2)
        return np.clip(multiples, top - (kinds - 1), top) * self.grid.steps
