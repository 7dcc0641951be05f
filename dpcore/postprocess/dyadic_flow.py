"""Dyadic intervals over ordered points, and flows along them that lift every step to zero."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.errors import InvalidArgument


@dataclass(frozen=True, eq=False)
class DyadicIntervals:
    """All intervals ((j - 1) 2^l, j 2^l] over 2^L points, of which some may be left out.

    Parameters
    ----------
    marks
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
        return starts, np.concatenate([marks[1:][filled] for marks, filled in levels])


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


# (price of the middle minus that of the start, price of the end minus that of the start): all three
# intervals, the two halves and the whole, then join prices that differ by one at most.
_MOVES = ((0, 0), (0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1))

_SIDES = np.array([-1, 0, 1])


def lowest_prices(intervals: DyadicIntervals, wanted: FloatArray) -> IntArray:
    """Prices l >= 0 of least total l'wanted that differ by at most one across every interval.

    Parameters
    ----------
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
        costs, choice = _dyadic_prices_join(costs, intervals.filled[level - 1], middle)
        choices.append(choice)
    return _read(intervals, choices, _first(costs[0], wanted))


def _own(filled: BoolArray, top: int) -> FloatArray:
    """Costs of intervals without inner ends, shape (intervals, prices, sides): zero or infinite."""
    end = np.arange(top + 1)[:, None] + _SIDES
    possible = (end >= 0) & (end <= top) & (filled[:, None, None] | (_SIDES == 0))
    return np.where(possible, 0.0, np.inf)


def _dyadic_prices_join(
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


class _Reach(NamedTuple):
    """What intervals can deliver to their start, to their end, and to both; shape (2, intervals).

    The pairs that an interval can deliver are all those within the three ranges, and each range is
    tight. Sums, elimination of an end and added flow keep this form (M-natural-convex sets).
    """

    start: FloatArray
    end: FloatArray
    both: FloatArray

    def at(self, which: slice) -> _Reach:
        """A part of the intervals."""
        return _Reach(self.start[:, which], self.end[:, which], self.both[:, which])


def settle_along_prices(
    intervals: DyadicIntervals, wanted: FloatArray, prices: IntArray
) -> FloatArray:
    """Steps after a flow that goes up in price along every interval that it uses.

    Parameters
    ----------
    wanted : float array, shape (points + 1,)
    prices : int array, shape (points + 1,)
        An optimum of `lowest_prices`.

    Returns
    -------
    float array, shape (points + 1,)
        Non-negative, zero wherever the price is positive: by complementary slackness, the result
        of a cheapest flow.

    References
    ----------
    K. Murota (2003), Discrete convex analysis, SIAM, Chapter 9. doi:10.1137/1.9780898718508

    Examples
    --------
    >>> wanted = np.array([1.0, 2.0, -1.0, 2.0, 0.0])
    >>> prices = np.array([0, 0, 1, 0, 0])
    >>> settle_along_prices(DyadicIntervals.over(4), wanted, prices).tolist()
    [0.5, 1.75, 0.0, 1.75, 0.0]
    """
    # What each end needs: exactly to zero where it has a price, at least to zero where it has none.
    need = np.stack([-wanted, np.where(prices > 0, -wanted, np.inf)])
    count = intervals.filled[0].size
    within = [_Reach(*np.zeros((3, 2, count)))]
    flows = [_flow_ranges(intervals, prices, 0)]
    for level in range(1, len(intervals.marks)):
        halves = _add_flow(within[-1], flows[-1])
        middle = need[:, intervals.marks[level - 1][1::2]]
        within.append(_dyadic_flow_join(halves, intervals.filled[level - 1], middle))
        flows.append(_flow_ranges(intervals, prices, level))
    steps = _hand_down(intervals, within, flows, need, wanted)
    return np.where(prices > 0, 0.0, np.maximum(steps, 0.0))


def _flow_ranges(intervals: DyadicIntervals, prices: IntArray, level: int) -> FloatArray:
    """Range of the flow towards the start of each interval: it goes up in price or not at all."""
    marks = intervals.marks[level]
    climb = prices[marks[:-1]] - prices[marks[1:]]
    return np.stack([np.where(climb < 0, -np.inf, 0.0), np.where(climb > 0, np.inf, 0.0)])


def _add_flow(reach: _Reach, flow: FloatArray) -> _Reach:
    return _Reach(reach.start + flow, reach.end - flow[::-1], reach.both)


def _dyadic_flow_join(halves: _Reach, filled: BoolArray, need: FloatArray) -> _Reach:
    """What intervals can deliver once the ends between their halves have what they need."""
    left, right = halves.at(slice(0, None, 2)), halves.at(slice(1, None, 2))
    met = need[::-1]
    joined = _tight(
        _overlap(left.start, left.both + right.start - met),
        _overlap(right.end, left.end + right.both - met),
        left.both + right.both - met,
    )
    # An empty half delivers nothing, and the other half is the interval.
    whole = filled[0::2] & filled[1::2]
    return _Reach(*(np.where(whole, j, a + b) for j, a, b in zip(joined, left, right, strict=True)))


def _tight(start: FloatArray, end: FloatArray, both: FloatArray) -> _Reach:
    return _Reach(
        _overlap(start, both - end[::-1]),
        _overlap(end, both - start[::-1]),
        _overlap(both, start + end),
    )


def _overlap(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.stack([np.maximum(one[0], other[0]), np.minimum(one[1], other[1])])


def _inside(span: FloatArray) -> FloatArray:
    """The middle of each range, or its point nearest to zero if it has no end on one side."""
    # Among equally cheap flows the central ones are nearest to the truth: a corner of the optimal
    # face, as the simplex method returns it, has up to a third more squared error.
    low, high = span
    finite = np.isfinite(low) & np.isfinite(high)
    nearest = np.minimum(np.maximum(low, 0.0), high)
    return np.where(finite, (np.where(finite, low, 0.0) + np.where(finite, high, 0.0)) / 2, nearest)


def _hand_down(
    intervals: DyadicIntervals,
    within: list[_Reach],
    flows: list[FloatArray],
    need: FloatArray,
    wanted: FloatArray,
) -> FloatArray:
    """Fix what every interval delivers, from the outermost inwards, and add it to the steps."""
    steps = wanted.copy()
    start, end = _outermost(_add_flow(within[-1], flows[-1]), need[:, :1], need[:, -1:])
    steps[[0, -1]] += np.concatenate([start, end])
    for level in range(len(within) - 1, 0, -1):
        reach = within[level]
        own = _overlap(start - reach.start[::-1], reach.end - end)
        used = _inside(_overlap(flows[level], own))
        start, end = start - used, end + used
        halves = _add_flow(within[level - 1], flows[level - 1])
        middle = intervals.marks[level - 1][1::2]
        given, taken = _share(halves, start, end, need[:, middle])
        left, right = intervals.filled[level - 1][0::2], intervals.filled[level - 1][1::2]
        whole = left & right
        steps[middle[whole]] += (given + taken)[whole]
        # A lone half delivers all that the interval does.
        starts = np.stack([np.where(left, start, 0.0), np.where(whole, taken, right * start)])
        ends = np.stack([np.where(whole, given, left * end), np.where(right, end, 0.0)])
        start, end = starts.T.ravel(), ends.T.ravel()
    return steps


def _outermost(reach: _Reach, first: FloatArray, last: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What the interval of all points delivers to its two ends, given their needs."""
    start = _inside(_overlap(reach.start, _overlap(first, reach.both - last[::-1])))
    end = _inside(_overlap(_overlap(reach.end, last), reach.both - start))
    return start, end


def _share(
    halves: _Reach, start: FloatArray, end: FloatArray, need: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """What the left and the right half deliver to the end between them."""
    left, right = halves.at(slice(0, None, 2)), halves.at(slice(1, None, 2))
    from_left = _overlap(left.end, left.both - start)
    from_right = _overlap(right.start, right.both - end)
    given = _inside(_overlap(from_left, need - from_right[::-1]))
    return given, _inside(_overlap(from_right, need - given))
