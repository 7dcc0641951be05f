"""Mean, trimmed mean, median, variance and deviation, each with its smooth sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.mechanisms.smooth import (
    UNIT,
    furthest_from_mean,
    relevant_edits,
    smallest_sizes,
    smoothed,
)
from dpcore.mechanisms.smooth.cauchy import cauchy_rate
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Number, exact


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
    >>> cells.least_squares(3)
    2.0
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


# Up to so many edits the least variance is found exactly, beyond by a bound that is cheaper.
_EXACT_EDITS = 512

# Bound on the change, from 1 / (records of the larger set), least variance and largest distance.
Change: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Variance:
    """The variance (over n) of values in [-1, 1]; 0 if there are none.

    Sensitivity
        With t = 1 / (p + 1), a record at distance d from the mean of a set of p records with
        variance V turns it into V + t ((1 - t) d^2 - V): up by at most t (d^2 - V), where d^2 > V,
        and down by at most t V <= t. The first falls in V and rises in t and d, so bounds on the
        three give B_k; no change exceeds 1. See `_smooth_sensitivity` for V.

    Examples
    --------
    >>> variance, _ = Variance().measure(2**16 * np.array([-1, 0, 1]), beta=1.0)
    >>> round(variance, 4)
    0.6667
    """

    low: ClassVar[float] = 0.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The variance and its smooth sensitivity, in O(n)."""
        cells = OrderedCells(ordered)
        return _variance(cells), _smooth_sensitivity(cells, beta, _variance_change)


@dataclass(frozen=True)
class Deviation:
    """The standard deviation (over n) of values in [-1, 1]; 0 if there are none.

    Sensitivity
        As for `Variance`: up by at most sqrt(V + t (d^2 - V)) - sqrt(V), which falls in V and rises
        in t and d, and down by sqrt(V) (1 - sqrt(1 - t)) at most, where V <= 1.

    Examples
    --------
    >>> Deviation().measure(2**16 * np.array([-1, 1]), beta=1.0)[0]
    1.0
    """

    low: ClassVar[float] = 0.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The standard deviation and its smooth sensitivity, in O(n)."""
        cells = OrderedCells(ordered)
        return _variance(cells) ** 0.5, _smooth_sensitivity(cells, beta, _deviation_change)


def _variance(cells: OrderedCells) -> float:
    return cells.least_squares(cells.size) / (cells.size * UNIT**2) if cells.size else 0.0


def _variance_change(share: FloatArray, least: FloatArray, distance: FloatArray) -> FloatArray:
    up = share * np.maximum(distance**2 - least, 0.0)
    return np.minimum(np.maximum(up, share), 1.0)


def _deviation_change(share: FloatArray, least: FloatArray, distance: FloatArray) -> FloatArray:
    rise = share * np.maximum(distance**2 - least, 0.0)
    # Differences of roots, written without cancellation.
    up = rise / (np.sqrt(least + rise) + np.sqrt(least))
    down = share / (1.0 + np.sqrt(1.0 - share))
    return np.asarray(np.minimum(np.maximum(up, down), 1.0), dtype=np.float64)


def _smooth_sensitivity(cells: OrderedCells, beta: float, change: Change) -> float:
    """The largest of e^(-beta k) B_k.

    Sensitivity
        The smaller set of an edit after k edits comes from x by at most k + 1 removals and
        additions. Its squared deviations are at least those of the n - k - 1 values of x that vary
        least, and its size at most n + k + 1: their ratio bounds V from below. It does not rise
        from x to one edit more of a neighbour, because removing that edit's record is one of the
        removals compared. Beyond `_EXACT_EDITS` edits, a public number, the bound of
        `squares_without_pairs` stands in: it is lower still, and shares that property (one edit
        moves every rank by at most one, so pair i + 1 of the neighbour is no wider than pair i).

    Notes
    -----
    The cheap bound, known for all k at once, says which k could hold the maximum; the exact least
    variance is found only there, in the order of promise.
    """
    size = cells.size
    last = relevant_edits(size, beta)
    edits = np.arange(last + 1)
    share = 1.0 / (smallest_sizes(size, last) + 1)
    distance = furthest_from_mean(cells.values, last)
    most = (size + 1 + edits) * float(UNIT**2)
    cheap = cells.squares_without_pairs(last + 1)[1:] / most
    promise = np.exp(-beta * edits) * change(share, cheap, distance)
    best = float(promise[_EXACT_EDITS:].max(initial=0.0))
    for k in np.argsort(-promise[:_EXACT_EDITS], kind="stable").tolist():
        if promise[k] <= best:
            break
        kept = size - k - 1
        least = cells.least_squares(kept) / most[k] if kept > 0 else 0.0
        one = slice(k, k + 1)
        exact = change(share[one], np.array([least]), distance[one])
        best = max(best, float(np.exp(-beta * k) * exact[0]))
    return best


@dataclass(frozen=True)
class Mean:
    """The mean of values in [-1, 1]; 0 if there are none.

    Sensitivity
        Adding w to a set y of p records moves the mean by (w - mean(y)) / (p + 1). After k edits
        p >= n - k - 1 and the distance is at most `furthest_from_mean`; for p = 0 it is 1.

    Examples
    --------
    >>> mean, sensitivity = Mean().measure(np.array([-(2**16), 0, 2**16]), beta=9.0)
    >>> mean, round(sensitivity, 3)
    (0.0, 0.583)
    """

    low: ClassVar[float] = -1.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The mean and its smooth sensitivity, in O(n)."""
        edits = relevant_edits(ordered.size, beta)
        sizes = smallest_sizes(ordered.size, edits)
        bounds = np.minimum(furthest_from_mean(ordered, edits) / (sizes + 1), 1.0)
        mean = int(ordered.sum()) / (max(ordered.size, 1) * UNIT)
        return mean, smoothed(bounds, beta)


@dataclass(frozen=True)
class TrimmedMean:
    """The mean without the `trim` smallest and the `trim` largest values; 0 if none are left.

    Parameters
    ----------
    trim : int
        Public; zero or more.

    Sensitivity
        Adding a record to a set y of which p stay moves the trimmed mean by (w - mean) / (p + 1),
        where w is the record or a value that it pushed inside: both lie between the trim-th
        smallest and the trim-th largest value of y. At most k records of y are not of x, so those
        two lie between the (trim - k)-th smallest and largest of x, or the bounds. For p = 0 the
        change is at most 1.

    References
    ----------
    M. Bun, T. Steinke (2019), Average-case averages: private algorithms for smooth sensitivity and
    mean estimation, NeurIPS. arXiv:1906.02830

    Examples
    --------
    >>> TrimmedMean(1).measure(2**13 * np.array([-8, 1, 2, 3, 8]), beta=9.0)[0]
    0.25
    """

    trim: int

    low: ClassVar[float] = -1.0

    def __post_init__(self) -> None:
        _check.integer_in_range(0, None, trim=self.trim)

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The trimmed mean and its smooth sensitivity, in O(n)."""
        inside = ordered[self.trim : max(ordered.size - self.trim, self.trim)]
        left = np.maximum(smallest_sizes(ordered.size, ordered.size) - 2 * self.trim, 0)
        bounds = np.where(left > 0, np.minimum(self._ranges(ordered) / (left + 1), 1.0), 1.0)
        mean = int(inside.sum()) / (max(inside.size, 1) * UNIT)
        return mean, smoothed(bounds, beta)

    def _ranges(self, ordered: IntArray) -> FloatArray:
        """Largest distance of the (trim - k)-th values from both ends, for k = 0, ..., n."""
        ranges = np.full(ordered.size + 1, 2.0)
        near = np.arange(min(self.trim, ordered.size))
        rank = self.trim - 1 - near
        inside = rank < ordered.size
        gaps = ordered[ordered.size - 1 - rank[inside]] - ordered[rank[inside]]
        ranges[near[inside]] = gaps / UNIT
        return ranges


@dataclass(frozen=True)
class Median:
    """The value of rank ceil(n / 2), counted from one; -1 if there is none.

    Sensitivity
        k records added or removed leave the median between the values of ranks ceil((n - k) / 2)
        and ceil((n + k) / 2), or the bounds where there is none. With W_k the distance of the two,
        B_k = W_(k+1), as in `medians_with_sensitivity` for counts on a grid.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), STOC, Section 3.1 (for a fixed n).
    doi:10.1145/1250790.1250803

    Examples
    --------
    >>> Median().measure(2**14 * np.array([-4, 1, 4]), beta=9.0)
    (0.25, 1.25)
    """

    low: ClassVar[float] = -1.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The median and its smooth sensitivity, in O(n)."""
        size = ordered.size
        padded = np.concatenate([[-UNIT], ordered, [UNIT]])
        edits = np.arange(1, size + 3)
        lower = np.maximum((size - edits + 1) // 2, 0)
        upper = np.minimum((size + edits + 1) // 2, size + 1)
        widths = (padded[upper] - padded[lower]) / UNIT
        return float(padded[(size + 1) // 2]) / UNIT, smoothed(widths, beta)


def medians_with_sensitivity(
    below: IntArray, positions: FloatArray, cuts: IntArray, beta: float
) -> tuple[FloatArray, FloatArray]:
    """Median and beta-smooth sensitivity of the records in each of several intervals.

    Parameters
    ----------
    below : int array, shape (edges,)
        Number of records below each edge of a grid; each record sits in the middle of its cell.
    positions : float array, shape (edges,)
        Coordinates of the edges, non-decreasing.
    cuts : int array, shape (intervals + 1,)
        Indices of the edges that bound the intervals, ascending, from the first to the last edge.
    beta
        Smoothness; positive.

    Returns
    -------
    medians, sensitivity : float arrays, shape (intervals,)
        Private. The median of no records is the left end of the interval.

    Sensitivity
        For an interval (L, R) with n records let G(v) = #{x <= v} - #{x > v}; the median is the
        least v with G(v) >= 0, L and R standing in where there is none. An added or removed record
        moves G by exactly one at every v, so k of them keep the median within
        [l_k, h_k] = [least v: G(v) >= -k, least v: G(v) >= k]. With W_k = h_k - l_k the returned
        S = max over k >= 1 of e^(-beta (k - 1)) W_k satisfies S >= W_1 >= the change of the
        median, and S <= e^beta S' for neighbours, because W_k <= W'_(k+1). It assumes no fixed n.

    Notes
    -----
    W_k only grows where l_k or h_k moves to another filled cell, so one candidate per filled cell,
    found by mirroring its rank, gives the maximum: O(cells log cells) for any number of records
    and intervals.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, Section 3.1 (for a fixed n). doi:10.1145/1250790.1250803

    Examples
    --------
    >>> below, positions = np.array([0, 1, 1, 2, 3]), np.arange(5.0)
    >>> medians, _ = medians_with_sensitivity(below, positions, np.array([0, 4]), beta=0.5)
    >>> medians.tolist()
    [2.5]
    """
    first, size = below[cuts[:-1]], np.diff(below[cuts])
    left, right = positions[cuts[:-1]], positions[cuts[1:]]
    filled = np.flatnonzero(np.diff(below))
    value, last = (positions[filled] + positions[filled + 1]) / 2.0, below[filled + 1]
    medians = _ranked(value, last, first + (size + 1) // 2, size > 0, left)
    sensitivity = (right - left) * np.exp(-beta * size)
    if filled.size:
        lowest = _ranked(value, last, first + size // 2, size > 1, left)
        highest = _ranked(value, last, first + size // 2 + 1, size > 0, right)
        furthest = _ranked(value, last, first + size, size > 0, left)
        beyond = (furthest - left) * np.exp(-beta * np.maximum(size - 1, 0))
        sensitivity = np.maximum.reduce([sensitivity, highest - lowest, beyond])
        interval = np.searchsorted(cuts, filled, side="right") - 1
        mirror = (2 * first + size)[interval]
        for cells, width, edits in _candidates(value, below[filled], last, mirror):
            spread = width * np.exp(-beta * (edits - 1))
            np.maximum.at(sensitivity, interval[cells], spread)
    return medians, sensitivity


def _candidates(
    value: FloatArray, start: IntArray, last: IntArray, mirror: IntArray
) -> list[tuple[IntArray, FloatArray, IntArray]]:
    """Filled cells, the width W_k of the range that begins or ends in them, and its least k."""
    low = np.flatnonzero(2 * last < mirror)
    partner = np.searchsorted(last, mirror[low] - last[low])
    high = np.flatnonzero(2 * start >= mirror)
    mate = np.searchsorted(last, mirror[high] - start[high])
    return [
        (low, value[partner] - value[low], mirror[low] - 2 * last[low]),
        (high, value[high] - value[mate], 2 * start[high] - mirror[high] + 1),
    ]


def _ranked(
    value: FloatArray, last: IntArray, rank: IntArray, exists: BoolArray, otherwise: FloatArray
) -> FloatArray:
    """Value of the record of each rank (counted from one over the whole grid)."""
    if value.size == 0:
        return otherwise.copy()
    cell = np.minimum(np.searchsorted(last, rank), value.size - 1)
    return np.asarray(np.where(exists, value[cell], otherwise), dtype=np.float64)


# Coordinates are whole multiples of this share of the grid's span.
_UNIT = 2.0**-30

# With this probability the edge is drawn uniformly, so that no edge is rarer than 2^-52 can tell.
_UNIFORM = 2.0**-12

# Epsilon set aside for the finite precision of uniform numbers and of floating-point arithmetic.
_RESERVE = 2.0**-16

# Share of epsilon that bounds how fast the noise may change between neighbours.
_BETA_SHARE = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class SmoothMedians(PureMechanism):
    """Choose a grid edge near the median of each of several disjoint intervals.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all medians; positive.
    positions : float array, shape (edges,)
        Public coordinates of the grid edges, non-decreasing.
    cuts : int array, shape (intervals + 1,)
        Indices of the edges that bound the intervals, ascending, from the first to the last edge.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Smooth, per interval: `medians_with_sensitivity`, for records added or removed.
    Privacy
        epsilon-DP. Under add-remove one interval sees the record, and its median gets Cauchy noise
        of the exact scale S / `cauchy_rate`. Under replace the old and the new record are a removal
        and an addition, in one interval or two, so each step is run at epsilon / 2. A result
        outside its interval becomes the middle, and all are rounded to edges inside the interval:
        post-processing.

    Notes
    -----
    A uniform number has 52 bits, so a floating-point sampler cannot reproduce tail probabilities
    below 2^-52, and pure privacy would fail in such tails. Here outputs are edges; with probability
    2^-12 the edge is drawn uniformly from the interval (a choice that reads no data), which makes
    every edge at least 2^-12 / edges likely; coordinates are integers and S is at least one unit.
    For up to 2^13 edges the rounding of the sampler then moves no log-probability by more than
    2^-18, and 2^-16 (at most half) of epsilon is set aside for it.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, Section 3.1. doi:10.1145/1250790.1250803
    I. Mironov (2012), On significance of the least significant bits for differential privacy, CCS.
    doi:10.1145/2382196.2382264

    Examples
    --------
    >>> grid = np.linspace(0.0, 1.0, 9)
    >>> mechanism = SmoothMedians(epsilon=1, positions=grid, cuts=np.array([0, 8]))
    >>> round(mechanism.beta, 4), round(mechanism.noise_factor, 4)
    (0.5, 0.9595)
    """

    positions: FloatArray
    cuts: IntArray

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Nissim et al. 2007, Section 2, with the exact Cauchy calibration"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        last = self.positions.size - 1
        if not (1 <= last <= 2**13 and (np.diff(self.positions) >= 0.0).all()):
            raise InvalidArgument("positions", self.positions.shape, "2 to 8193 ascending numbers")
        ends_right = self.cuts.size >= 2 and self.cuts[0] == 0 and self.cuts[-1] == last
        if not (ends_right and (np.diff(self.cuts) > 0).all()):
            raise InvalidArgument("cuts", self.cuts.tolist(), f"ascending from 0 to {last}")

    @property
    def step(self) -> float:
        """Epsilon of one add-remove step, after what is set aside for finite precision."""
        share = float(exact(self.epsilon) / self.neighbors.pick(add_remove=1, replace=2))
        return max(share - _RESERVE, share / 2.0)

    @property
    def beta(self) -> float:
        """Smoothness of the sensitivity."""
        return _BETA_SHARE * self.step

    @property
    def noise_factor(self) -> float:
        """Scale of the Cauchy noise per unit of smooth sensitivity."""
        return 1.0 / cauchy_rate(self.step, self.beta)

    def draw(self, value: IntArray, noise: NoiseSource) -> IntArray:
        """Choose an edge in each interval from cumulative counts.

        Parameters
        ----------
        value : int array, shape (edges,)
            Number of records below each edge.
        noise : NoiseSource

        Returns
        -------
        int array, shape (intervals,)
            Indices of edges strictly inside the intervals; the left edge of an interval of one
            cell, which has none inside.
        """
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: IntArray, times: int, noise: NoiseSource) -> list[IntArray]:
        """Choose so many times, each as `draw` does; together they cost so many times the loss."""
        span = max(float(self.positions[-1] - self.positions[0]), np.finfo(float).tiny)
        grid = np.rint((self.positions - self.positions[0]) / (span * _UNIT))
        medians, sensitivity = medians_with_sensitivity(value, grid, self.cuts, self.beta)
        scale = self.noise_factor * np.maximum(sensitivity, 1.0)
        return [self._chosen(grid, medians, scale, noise) for _ in range(times)]

    def _chosen(
        self, grid: FloatArray, medians: FloatArray, scale: FloatArray, noise: NoiseSource
    ) -> IntArray:
        uniform = noise.uniform(medians.size)
        angle = (uniform - _UNIFORM) / (1.0 - _UNIFORM) - 0.5
        noisy = medians + scale * np.tan(np.pi * angle)
        chosen = _nearest_inside(grid, self.cuts, noisy)
        inside = np.maximum(np.diff(self.cuts) - 1, 1)
        anywhere = self.cuts[:-1] + 1 + (uniform / _UNIFORM * inside).astype(np.int64)
        chosen = np.where(uniform < _UNIFORM, anywhere, chosen)
        return np.where(np.diff(self.cuts) > 1, chosen, self.cuts[:-1])


def _nearest_inside(grid: FloatArray, cuts: IntArray, values: FloatArray) -> IntArray:
    """Index of the edge nearest to each value, strictly inside its interval."""
    left, right = grid[cuts[:-1]], grid[cuts[1:]]
    inside = (values > left) & (values < right)
    targets = np.where(inside, values, (left + right) / 2.0)
    after = np.searchsorted(grid, targets)
    before = np.maximum(after - 1, 0)
    nearer = targets - grid[before] <= grid[np.minimum(after, grid.size - 1)] - targets
    return np.clip(np.where(nearer, before, after), cuts[:-1] + 1, cuts[1:] - 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedSmoothMedians(SmoothMedians):
    """Medians with noise 8 S / epsilon_1, S smooth with beta equal to the epsilon of the level.

    Parameters
    ----------
    selection_epsilon : int, float, str or Fraction
        Epsilon of all levels together, by which the printed noise is divided.

    Privacy
        BROKEN under either relation. With beta = epsilon' no Cauchy noise is epsilon'-DP (the scale
        alone may change by e^epsilon' between neighbours), and with k levels
        8 / epsilon_1 = 8 / (k epsilon') is too little from k = 9 on even for a constant S.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for
    empirical machine learning, Algorithm 4. arXiv:1411.5428
    """

    selection_epsilon: Number

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "with k = 10 and epsilon 1 per level, one more score of 0.625 beside 0.125 and 0.625 moves "
        "the law of the first median by a loss of 1.18"
    )

    @property
    def beta(self) -> float:
        """As printed: the whole epsilon of the level."""
        return float(exact(self.epsilon))

    @property
    def noise_factor(self) -> float:
        """As printed: eight over the epsilon of all levels."""
        return float(8 / exact(self.selection_epsilon))
