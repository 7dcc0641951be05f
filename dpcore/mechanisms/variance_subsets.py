"""The subsets of some numbers, of a given size, that vary least and most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore._typing import FloatArray, IntArray

__all__ = ["OrderedCells"]


@dataclass(frozen=True, eq=False)
class OrderedCells:
    """Whole numbers in ascending order, with the sums from which any range's spread is read.

    Parameters
    ----------
    values : int array, shape (n,)
        Ascending, at most 2^17 in size; n at most 2^28.

    Notes
    -----
    Sums are exact 64-bit integers. Squared deviations are taken about the nearest whole number to
    the mean first, so that nothing cancels: each result is within a few units of the 53rd bit.

    Examples
    --------
    >>> cells = OrderedCells(np.array([0, 4, 5, 6, 20]))
    >>> cells.least_squares(3), cells.greatest_squares(2)
    (2.0, 200.0)
    """

    values: IntArray

    @cached_property
    def _totals(self) -> tuple[int, int]:
        """Sum and sum of squares of all values."""
        return int(self.values.sum()), int(np.dot(self.values, self.values))

    @property
    def size(self) -> int:
        """Number of values."""
        return int(self.values.size)

    def least_squares(self, size: int) -> float:
        """Sum of squared deviations, about their mean, of the `size` values that vary least.

        They are neighbours in the order (Zafarani and Clifton 2020, Theorem 6): n - size + 1
        windows are compared, so few removals are found in few steps.
        """
        removed = self.size - size
        total, squares = self._totals
        low, low_squares = _sums(self.values[:removed])
        high, high_squares = _sums(self.values[::-1][:removed])
        totals = total - low - high[::-1]
        return float(
            squared_deviations(totals, squares - low_squares - high_squares[::-1], size).min()
        )

    def greatest_squares(self, size: int) -> float:
        """Sum of squared deviations of the `size` values that vary most.

        They are some of the smallest and the rest of the largest (same paper, Corollary 5.1).
        """
        low, low_squares = _sums(self.values[:size])
        high, high_squares = _sums(self.values[::-1][:size])
        squares = low_squares + high_squares[::-1]
        return float(squared_deviations(low + high[::-1], squares, size).max())

    def squares_without_pairs(self, most: int) -> FloatArray:
        """A lower bound of `least_squares` after k removals, for k = 0, ..., most, in O(n).

        Two values d apart contribute d^2 / 2 or more to the squared deviations of any set that
        holds both. Pair the smallest with the largest, the second with the second last, and so on:
        k removals break at most k pairs, at worst the k widest.

        Returns
        -------
        float array, shape (most + 1,)
        """
        half = self.size // 2
        gaps = self.values[::-1][:half] - self.values[:half]
        _, broken = _sums(gaps[:most])
        left = int(np.dot(gaps, gaps)) - broken
        return np.concatenate([left / 2.0, np.zeros(most + 1 - left.size)])


def _sums(values: IntArray) -> tuple[IntArray, IntArray]:
    """Sums and sums of squares of the first 0, 1, ..., n values."""
    zero = np.zeros(1, dtype=np.int64)
    return (
        np.concatenate([zero, np.cumsum(values)]),
        np.concatenate([zero, np.cumsum(values * values)]),
    )


def squared_deviations(totals: IntArray, squares: IntArray, size: int) -> FloatArray:
    """Sums of squared deviations of sets of one size from their sums and sums of squares.

    Examples
    --------
    >>> squared_deviations(np.array([15]), np.array([77]), 3).tolist()
    [2.0]
    """
    centre = (2 * totals + size) // (2 * size)
    about_centre = squares - 2 * centre * totals + size * centre * centre
    rest = totals - size * centre
    return np.asarray(about_centre - rest * rest / size, dtype=np.float64)
