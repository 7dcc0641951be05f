"""Whole-number prices on the ends of dyadic intervals: the dual of Eq. 3 for p = 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.postprocess.dyadic import DyadicIntervals

__all__ = ["lowest_prices"]

# (price of the middle minus that of the start, price of the end minus that of the start): all three
# intervals, the two halves and the whole, then join prices that differ by one at most.
_MOVES = ((0, 0), (0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1))
_SIDES = np.array([-1, 0, 1])


def lowest_prices(intervals: DyadicIntervals, wanted: FloatArray) -> IntArray:
    """Prices l >= 0 of least total l'wanted that differ by at most one across every interval.

    Parameters
    ----------
    intervals : DyadicIntervals
    wanted : float array, shape (points + 1,)
        Of non-negative sum.

    Returns
    -------
    int array, shape (points + 1,)

    Notes
    -----
    Whole prices suffice, because the constraints are differences. Some price is zero, and no two
    ends are more than L + 1 intervals apart, so no price exceeds L + 1. Beyond its two ends an
    interval touches nothing, so the least cost of its inner ends is a table over the price of its
    start and the three prices that its end may have: dynamic programming, level by level.

    Examples
    --------
    >>> lowest_prices(DyadicIntervals.over(4), np.array([1.0, 2.0, -1.0, 2.0, 0.0])).tolist()
    [0, 0, 1, 0, 0]
    """
    top = len(intervals.marks)
    costs = _own(intervals.filled[0], top)
    choices: list[NDArray[np.int8]] = []
    for level in range(1, top):
        middle = wanted[intervals.marks[level - 1][1::2]]
        costs, choice = _join(costs, intervals.filled[level - 1], middle)
        choices.append(choice)
    return _read(intervals, choices, _first(costs[0], wanted))


def _own(filled: BoolArray, top: int) -> FloatArray:
    """Costs of intervals without inner ends, shape (intervals, prices, sides): zero or infinite."""
    end = np.arange(top + 1)[:, None] + _SIDES
    possible = (end >= 0) & (end <= top) & (filled[:, None, None] | (_SIDES == 0))
    return np.where(possible, 0.0, np.inf)


def _join(
    costs: FloatArray, filled: BoolArray, wanted: FloatArray
) -> tuple[FloatArray, NDArray[np.int8]]:
    """Costs of intervals from those of their halves, and the cheapest price between the halves."""
    left, right = costs[0::2], costs[1::2]
    # One price more at both borders, at infinite cost, keeps the shifted tables in range.
    right = np.pad(right, ((0, 0), (1, 1), (0, 0)), constant_values=np.inf)
    prices = np.arange(left.shape[1])
    joined = np.full(left.shape, np.inf)
    choice = np.zeros(left.shape, dtype=np.int8)
    for middle, end in _MOVES:
        cost = left[:, :, middle + 1] + wanted[:, None] * (prices + middle)
        cost += right[:, 1 + middle : 1 + middle + prices.size, end - middle + 1]
        better = cost < joined[:, :, end + 1]
        np.copyto(joined[:, :, end + 1], cost, where=better)
        choice[:, :, end + 1][better] = middle
    whole = filled[0::2] & filled[1::2]
    lone = np.where(filled[1::2, None, None], costs[1::2], left)
    return np.where(whole[:, None, None], joined, lone), choice


def _first(costs: FloatArray, wanted: FloatArray) -> tuple[int, int]:
    """Prices of the first and the last end."""
    start = np.arange(costs.shape[0])[:, None]
    total = costs + wanted[0] * start + wanted[-1] * (start + _SIDES)
    price, side = np.unravel_index(np.argmin(total), total.shape)
    return int(price), int(price) + int(_SIDES[side])


def _read(
    intervals: DyadicIntervals, choices: list[NDArray[np.int8]], ends: tuple[int, int]
) -> IntArray:
    """All prices, from the outermost two inwards."""
    prices = np.zeros(intervals.points + 1, dtype=np.int64)
    prices[[0, -1]] = ends
    for level in range(len(intervals.marks) - 1, 0, -1):
        halves = intervals.filled[level - 1]
        whole = np.flatnonzero(halves[0::2] & halves[1::2])
        start = prices[intervals.marks[level][whole]]
        side = prices[intervals.marks[level][whole + 1]] - start
        inner = intervals.marks[level - 1][2 * whole + 1]
        prices[inner] = start + choices[level - 1][whole, start, side + 1]
    return prices
