"""Mean, trimmed mean, median, variance and deviation, each with its smooth sensitivity."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import smooth

# Up to so many edits the least variance is found exactly, beyond by a bound that is cheaper.
_EXACT_EDITS = 512

# Sums and sums of squares from either end, see `_sums`.
Ends: TypeAlias = tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]


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

    @cached_property
    def _few_ends(self) -> Ends:
        return self._added_up(_EXACT_EDITS)

    def _added_up(self, most: int) -> Ends:
        return _sums(self.values[:most]), _sums(self.values[::-1][:most])

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
        # The sums of as many values or more; those of few are added up once.
        ends = self._few_ends if removed <= _EXACT_EDITS else self._added_up(removed)
        (low, low_squares), (high, high_squares) = (
            [sums[: removed + 1] for sums in one] for one in ends
        )
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
    squares = np.concatenate([zero, np.cumsum(values * values)])
    return np.concatenate([zero, np.cumsum(values)]), squares


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
    return cells.least_squares(cells.size) / (cells.size * smooth.UNIT**2) if cells.size else 0.0


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
    last = smooth.relevant_edits(size, beta)
    edits = np.arange(last + 1)
    share = 1.0 / (smooth.smallest_sizes(size, last) + 1)
    distance = smooth.furthest_from_mean(cells.values, last)
    most = (size + 1 + edits) * float(smooth.UNIT**2)
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
        edits = smooth.relevant_edits(ordered.size, beta)
        sizes = smooth.smallest_sizes(ordered.size, edits)
        bounds = np.minimum(smooth.furthest_from_mean(ordered, edits) / (sizes + 1), 1.0)
        mean = int(ordered.sum()) / (max(ordered.size, 1) * smooth.UNIT)
        return mean, smooth.smoothed(bounds, beta)


@dataclass(frozen=True)
class TrimmedMean(_check.Checked):
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

    trim: Annotated[int, _check.whole(0)]

    low: ClassVar[float] = -1.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The trimmed mean and its smooth sensitivity, in O(n)."""
        inside = ordered[self.trim : max(ordered.size - self.trim, self.trim)]
        left = np.maximum(smooth.smallest_sizes(ordered.size, ordered.size) - 2 * self.trim, 0)
        bounds = np.where(left > 0, np.minimum(self._ranges(ordered) / (left + 1), 1.0), 1.0)
        mean = int(inside.sum()) / (max(inside.size, 1) * smooth.UNIT)
        return mean, smooth.smoothed(bounds, beta)

    def _ranges(self, ordered: IntArray) -> FloatArray:
        """Largest distance of the (trim - k)-th values from both ends, for k = 0, ..., n."""
        ranges = np.full(ordered.size + 1, 2.0)
        near = np.arange(min(self.trim, ordered.size))
        rank = self.trim - 1 - near
        inside = rank < ordered.size
        gaps = ordered[ordered.size - 1 - rank[inside]] - ordered[rank[inside]]
        ranges[near[inside]] = gaps / smooth.UNIT
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
        padded = np.concatenate([[-smooth.UNIT], ordered, [smooth.UNIT]])
        edits = np.arange(1, size + 3)
        lower = np.maximum((size - edits + 1) // 2, 0)
        upper = np.minimum((size + edits + 1) // 2, size + 1)
        widths = (padded[upper] - padded[lower]) / smooth.UNIT
        return float(padded[(size + 1) // 2]) / smooth.UNIT, smooth.smoothed(widths, beta)
