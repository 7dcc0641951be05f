"""Smooth distribution functions under the covariance of tree noise, by flows along dyads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpcore._typing import BoolArray, FloatArray, IntArray
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


# A grid of binormal curves tpr = Phi(a + b Phi^-1(fpr)), from useless to perfect, and how
# plausible each is before any data: separations around 1.8, slopes slightly below one.
_SEPARATION = np.linspace(-1.0, 5.0, 31)[:, None, None]

_SLOPE = np.exp(np.linspace(-0.9, 0.5, 15))[None, :, None]

_PRIOR = -(((_SEPARATION - 1.8) / 2.0) ** 2 + ((np.log(_SLOPE) + 0.2) / 0.25) ** 2)[..., 0] / 2.0

# Knots nearer to the ends are moved here: their place in the far tails is not known that well.
_NEAREST = 1e-4


def binormal_curve(
    at: FloatArray, fpr: FloatArray, counts: FloatArray, scale: float
) -> tuple[FloatArray, float]:
    """Posterior mean of a binormal ROC curve, given noisy counts of the positive class in bins.

    Parameters
    ----------
    at : float array, shape (points,)
        Where to evaluate the curve, as false positive rates.
    fpr : float array, shape (bins + 1,)
        Rates at the ends of the bins, from 0 to 1, non-decreasing.
    counts : float array, shape (bins,)
        Noisy counts of positive records in the bins; their sum, or one, stands for the class size.
    scale : float
        Scale of the Laplace noise on a count.

    Returns
    -------
    tpr : float array, shape (points,)
        Non-decreasing in `at`, from 0 at 0 to 1 at 1.
    misfit : float
        Sum over bins of the distance between count and curve, in scales. Noise alone adds about
        one per bin; much more says that the curve is not binormal.

    References
    ----------
    C. E. Metz (1986), ROC methodology in radiologic imaging, Investigative Radiology 21(9).
    doi:10.1097/00004424-198609000-00009

    Examples
    --------
    >>> ends, counts = np.array([0.0, 0.1, 0.4, 1.0]), np.array([70.0, 25.0, 5.0])
    >>> tpr, misfit = binormal_curve(np.array([0.0, 0.1, 0.4, 1.0]), ends, counts, scale=2.0)
    >>> tpr.round(2).tolist(), misfit < 3
    ([0.0, 0.7, 0.94, 1.0], True)
    """
    inner = fpr.size - 2
    knots = np.clip(fpr[1:-1], _NEAREST, 1.0 - _NEAREST)
    curves = ndtr(_SEPARATION + _SLOPE * ndtri(np.concatenate([knots, at])))
    total = max(float(counts.sum()), 1.0)
    shares = np.diff(curves[..., :inner], axis=-1, prepend=0.0, append=1.0)
    plausibility = _PRIOR - np.abs(counts - total * shares).sum(axis=-1) / scale
    weight = np.exp(plausibility - plausibility.max())
    weight /= weight.sum()
    mean = np.tensordot(weight, curves, axes=2)
    expected = total * np.diff(mean[:inner], prepend=0.0, append=1.0)
    misfit = float(np.abs(counts - expected).sum() / scale)
    # The weights add up to one only nearly.
    tpr = np.where(at >= 1.0, 1.0, np.minimum(mean[inner:], 1.0))
    return np.asarray(tpr, dtype=np.float64), misfit


def smooth_p1(noisy: FloatArray, high: float, *, kept: IntArray | None = None) -> FloatArray:
    """Eq. 3 of Barczewski et al. for p = 1: the likeliest Laplace tree noise that allows monotony.

    Minimise the sum of |v| over all dyadic intervals, such that the noisy counts plus, at each
    point, the v of the intervals that hold it, never fall, start at or above 0 and end at or below
    `high`. The optimum is not unique: this is one of the optimal curves.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records up to each of ascending points.
    high
        The number of all records, zero or positive.
    kept
        Ascending indices of the points to smooth (the set B of the paper); all if left out.

    Returns
    -------
    float array, shape (points,) or (kept,)
        Non-decreasing, in [0, high].

    Raises
    ------
    InvalidArgument
        If a value is not finite or `high` is negative.

    Notes
    -----
    In increments this is a minimum-cost flow: surplus steps repair negative ones along dyadic
    intervals, at one unit of cost for each interval used. Its dual has whole-number solutions
    (prices), and an interval meets the rest of the graph in its two ends only. So the prices come
    from dynamic programming over levels, and a flow that agrees with them from two passes of
    interval arithmetic: time O(points log points), where a general linear-program solver needs
    seconds.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Eq. 3.

    Examples
    --------
    >>> smooth_p1(np.array([1.0, 3.0, 2.0, 4.0]), 4.0).tolist()
    [0.5, 2.25, 2.25, 4.0]
    """
    return _smoothed(noisy, high, kept, _settle_flow)


def _smoothed(
    noisy: FloatArray,
    high: float,
    kept: IntArray | None,
    settle: Callable[[DyadicIntervals, FloatArray], FloatArray],
) -> FloatArray:
    intervals = DyadicIntervals.over(noisy.size, kept)
    chosen = noisy if kept is None else noisy[kept]
    steps = settle(intervals, increments(np.asarray(chosen, dtype=np.float64), high))
    # Rounding may carry the sum a hair beyond the bound.
    return np.minimum(np.cumsum(steps[:-1]), high)


def _settle_flow(intervals: DyadicIntervals, wanted: FloatArray) -> FloatArray:
    return settle_along_prices(intervals, wanted, lowest_prices(intervals, wanted))


# A step is negative if it is below this share of the largest one: rounding, not a violation.
_TOLERANCE = 1e-12


def smooth_p2(noisy: FloatArray, high: float, *, kept: IntArray | None = None) -> FloatArray:
    """Eq. 3 of Barczewski et al. for p = 2: the least squares of tree noise that explain monotony.

    Minimise the sum of squares of v over all dyadic intervals, such that the noisy counts plus, at
    each point, the v of the intervals that hold it, never fall, start at or above 0 and end at or
    below `high`. Arguments, result and refusals are those of `smooth_p1`.

    Notes
    -----
    The dual of this program is min l'Hl / 2 + r'l over l >= 0, with r the increments of the noisy
    counts and H the Laplacian of the graph of dyadic intervals. H is an M-matrix, so the set of
    positive l can be found from below: start with the negative increments, solve for l on the set,
    add every point whose step is still negative. The set only grows, in some five to nine passes.
    Each pass eliminates the vertices level by level, because an interval without its inner
    vertices is a quadratic form of its two ends: linear time.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Eq. 3. R. Chandrasekaran (1970), A special case of the complementary pivot problem,
    Opsearch 7, for the growing set.

    Examples
    --------
    >>> smooth_p2(np.array([1.0, 3.0, 2.0, 4.0]), 4.0).round(3).tolist()
    [0.636, 2.364, 2.364, 4.0]
    """
    return _smoothed(noisy, high, kept, _settle_squares)


def _settle_squares(intervals: DyadicIntervals, wanted: FloatArray) -> FloatArray:
    """Non-negative steps nearest to the wanted ones."""
    limit = -_TOLERANCE * float(np.abs(wanted).max())
    pressed = wanted < limit
    while True:
        steps = wanted + _laplacian(intervals, _potentials(intervals, wanted, pressed))
        grown = pressed | (steps < limit)
        # The steps add up to `high`, so only rounding could press them all.
        if grown.all() or np.array_equal(grown, pressed):
            return np.where(pressed, 0.0, np.maximum(steps, 0.0))
        pressed = grown


def _laplacian(intervals: DyadicIntervals, potentials: FloatArray) -> FloatArray:
    """Product of the graph's Laplacian with a vector, shape (points + 1,)."""
    product = np.zeros(potentials.size)
    for marks, filled in zip(intervals.marks, intervals.filled, strict=True):
        start, end = marks[:-1][filled], marks[1:][filled]
        drop = potentials[start] - potentials[end]
        # Within a level no two intervals share a start, and no two share an end.
        product[start] += drop
        product[end] -= drop
    return product


def _potentials(intervals: DyadicIntervals, wanted: FloatArray, pressed: BoolArray) -> FloatArray:
    """Potentials, zero where not pressed, at which no pressed vertex has a step."""
    # Rows a, b, c, p, q: an interval with potentials s, t at its ends, its inner vertices at rest,
    # has energy a s^2 / 2 + b s t + c t^2 / 2 + p s + q t.
    forms = np.zeros((5, intervals.filled[0].size))
    _add_edges(forms, intervals.filled[0])
    inner: list[tuple[IntArray, FloatArray]] = []
    for level in range(1, len(intervals.marks)):
        whole = intervals.filled[level - 1][0::2] & intervals.filled[level - 1][1::2]
        middle = intervals.marks[level - 1][1::2]
        forms, at_rest = _merge(forms, whole, whole & pressed[middle], wanted[middle])
        _add_edges(forms, intervals.filled[level])
        # An interval with an empty half has no vertex of its own: let it write to a spare one.
        inner.append((np.where(whole, middle, wanted.size), at_rest))
    potentials = np.zeros(wanted.size + 1)
    potentials[[0, -2]] = _ends(forms[:, 0], wanted[[0, -1]], pressed[[0, -1]])
    for marks, (middle, at_rest) in zip(intervals.marks[:0:-1], inner[::-1], strict=True):
        to_start, to_end, alone = at_rest
        potentials[middle] = (
            alone - to_start * potentials[marks[:-1]] - to_end * potentials[marks[1:]]
        )
    return potentials[:-1]


def _add_edges(forms: FloatArray, filled: BoolArray) -> None:
    """Add to each form the energy (s - t)^2 / 2 of its own interval, unless that is empty."""
    forms[[0, 2]] += filled
    forms[1] -= filled


def _merge(
    forms: FloatArray, whole: BoolArray, pressed: BoolArray, wanted: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Forms of intervals from those of their halves, and how the vertex between them follows."""
    (a, b, c, p, q), (a2, b2, c2, p2, q2) = forms[:, 0::2], forms[:, 1::2]
    # The vertex between the halves follows if it is pressed and stays at zero if not.
    give = np.divide(1.0, c + a2, out=np.zeros(whole.size), where=pressed)
    to_start, to_end, alone = b * give, b2 * give, -(q + p2 + wanted) * give
    merged = np.stack(
        [a - b * to_start, -b * to_end, c2 - b2 * to_end, p + b * alone, q2 + b2 * alone]
    )
    if not whole.all():
        # An empty half has a form of zeros, and the other half is the interval.
        merged = np.where(whole, merged, forms[:, 0::2] + forms[:, 1::2])
    return merged, np.stack([to_start, to_end, alone])


def _ends(form: FloatArray, wanted: FloatArray, pressed: BoolArray) -> FloatArray:
    """Potentials of the first and the last vertex."""
    a, b, c, p, q = form
    p, q = p + wanted[0], q + wanted[1]
    if pressed.all():
        area = a * c - b * b
        return np.asarray(np.array([b * q - c * p, b * p - a * q]) / area, dtype=np.float64)
    return np.where(pressed, np.array([-p / a, -q / c]), 0.0)
