"""Medians of disjoint intervals by smooth sensitivity: calibrated exactly, and as printed."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.mechanisms.smooth import without_reserve
from dpcore.mechanisms.smooth.cauchy import BETA_SHARE, SmoothCauchy, cauchy_rate
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Number, exact


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

# With this probability or more the edge is drawn uniformly, so that no edge is rarer than 2^-52 can
# tell; with more where epsilon is so small that 2^-52 tells too much of such edges.
_UNIFORM, _UNIFORM_BY_STEP = 2.0**-12, 2.0**-28


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
    s = 2^-12 the edge is drawn uniformly from the interval (a choice that reads no data), which
    makes every edge at least s / edges likely; coordinates are integers and S is at least one unit.
    An edge has four runs of uniform numbers at most, of whose 2^52 the sampler gives it up to 16
    too many or too few: for up to 2^13 edges that moves no log-probability by more than 2^-35 / s.
    Of epsilon 2^-16 (at most half) is set aside for it, and below 2^-16 per step s is 2^-28 over
    the step, one half at most; `without_reserve` refuses what is too little for that.

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

    guarantee: ClassVar[Guarantee] = SmoothCauchy.guarantee

    def __post_init__(self) -> None:
        super().__post_init__()
        without_reserve(float(self.per_record))
        last = self.positions.size - 1
        if not (1 <= last <= 2**13 and (np.diff(self.positions) >= 0.0).all()):
            raise InvalidArgument("positions", self.positions.shape, "2 to 8193 ascending numbers")
        ends_right = self.cuts.size >= 2 and self.cuts[0] == 0 and self.cuts[-1] == last
        if not (ends_right and (np.diff(self.cuts) > 0).all()):
            raise InvalidArgument("cuts", self.cuts.tolist(), f"ascending from 0 to {last}")

    @property
    def step(self) -> float:
        """Epsilon of one add-remove step, after what is set aside for finite precision."""
        return without_reserve(float(self.per_record))

    @property
    def beta(self) -> float:
        """Smoothness of the sensitivity."""
        return BETA_SHARE * self.step

    @property
    def noise_factor(self) -> float:
        """Scale of the Cauchy noise per unit of smooth sensitivity."""
        return 1.0 / cauchy_rate(self.step, self.beta)

    @property
    def uniform_share(self) -> float:
        """With which probability an edge is drawn uniformly."""
        return min(max(_UNIFORM, _UNIFORM_BY_STEP / self.step), 0.5)

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
        uniform, share = noise.uniform(medians.size), self.uniform_share
        angle = (uniform - share) / (1.0 - share) - 0.5
        noisy = medians + scale * np.tan(np.pi * angle)
        chosen = _nearest_inside(grid, self.cuts, noisy)
        inside = np.maximum(np.diff(self.cuts) - 1, 1)
        anywhere = self.cuts[:-1] + 1 + (uniform / share * inside).astype(np.int64)
        chosen = np.where(uniform < share, anywhere, chosen)
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
