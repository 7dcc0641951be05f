"""Take unordered tops by noisy score, one after the other, from one pool of candidates."""

from __future__ import annotations

import numpy as np

from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.exponential_noise import exponential_cells, thinned_cells
from dpcore.noise import NoiseSource

__all__ = ["NoisyTop", "largest"]

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
