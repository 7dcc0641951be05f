"""One joint release of histograms of the same records, with noise shaped like one record."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import ClassVar, NamedTuple, cast

import numpy as np
from scipy.special import gammaln

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism, integers_of
from dpcore.mechanisms.samplers.norm_noise import erlang
from dpcore.noise import NoiseSource
from dpcore.noise.system import LARGEST_VALUE, checked_scale
from dpcore.privacy import Guarantee


def log_volume(size: int, sums: FloatArray) -> FloatArray:
    """Log-volume of {v in R^size : sum |v| <= 1, sum v = t} for sums t in (-1, 1), shape (m,).

    In the coordinates of all entries but one.

    Examples
    --------
    >>> np.exp(log_volume(2, np.array([0.0, 0.5]))).round(3).tolist()
    [1.0, 1.0]
    """
    logs = _log_weights(size, np.abs(np.asarray(sums, dtype=np.float64)))
    return np.asarray(np.logaddexp.reduce(logs, axis=1), dtype=np.float64)


def points_of_slices(sizes: Sequence[int], total: float, noise: NoiseSource) -> list[FloatArray]:
    """A uniform point of {v in R^size : sum |v| <= 1, sum v = total} for each size.

    Notes
    -----
    How many entries are positive is drawn by the volumes of the pieces, exactly (`_piece`); then
    what the positive ones add up to, by rejection; the entries of one sign are uniform in a
    simplex. For a negative total everything is turned round.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> (point,) = points_of_slices([5], 0.25, SeededNoise(0))
    >>> bool(np.isclose(point.sum(), 0.25)), bool(np.abs(point).sum() <= 1)
    (True, True)
    """
    share, rows = abs(total), Counter(sizes)
    logs = {size: _log_weights(size, np.array([share]))[0] for size in rows}
    weights = {size: np.exp(one - one.max()) for size, one in logs.items()}
    below = {size: one.cumsum().tolist() for size, one in weights.items()}
    drawn = {size: np.empty((many, 2 + 2 * size)) for size, many in rows.items()}
    numbers = _Numbers(noise, sum(1 + 2 * size for size in sizes))
    for size in sizes:
        rows[size] -= 1
        row = drawn[size][rows[size]]
        row[0] = positives = 1 + _piece(weights[size], below[size], numbers)
        row[1] = share if positives == size else _positive_sum(positives, size, share, numbers)
        row[2:] = numbers.of(2 * size)
    sign = math.copysign(1.0, total)
    points = {size: list(sign * _points(size, share, some)) for size, some in drawn.items()}
    return [points[size].pop() for size in sizes]


class _Numbers:
    """Uniform numbers in their order, drawn as many at once as are sure to be asked for."""

    def __init__(self, noise: NoiseSource, sure: int) -> None:
        self._noise, self._sure, self._drawn, self._at = noise, sure, np.zeros(0), 0

    def of(self, count: int, *, sure: bool = True) -> FloatArray:
        """The next ones; they are among those that are sure, or not."""
        self._sure -= count * sure
        start, self._at = self._at, self._at + count
        if (missing := self._at - self._drawn.size) > 0:
            self._drawn = np.append(self._drawn, self._noise.uniform(missing + self._sure))
        return self._drawn[start : self._at]


def _piece(weights: FloatArray, below: list[float], numbers: _Numbers) -> int:
    """A place with a chance in proportion to its weight, to the last bit; `below` are their sums.

    A uniform number stands for a cell of 2^-52. Whether that lies within one piece is told by
    doubles, nearly always; else by exact sums, and by cells of the cell until one does.
    """
    number = numbers.of(1).item()
    near, last = len(below) * 2.0**-51, len(below) - 1
    place = bisect_left(below, (number - near) * below[-1], hi=last)
    if place == last or (number + near) * below[-1] <= below[place]:
        return place
    exact = list(accumulate(map(Fraction, weights.tolist())))
    width, low = Fraction(1, 2**52), Fraction(number) - Fraction(1, 2**53)
    while exact[place := bisect_right(exact, low * exact[-1])] < (low + width) * exact[-1]:
        inner = Fraction(numbers.of(1, sure=False).item()) - Fraction(1, 2**53)
        width, low = width / 2**52, low + inner * width
    return place


def _points(size: int, share: float, drawn: FloatArray) -> FloatArray:
    """Points from how many entries are positive, what these add up to, and uniform numbers."""
    positives, above, numbers = drawn[:, :1], drawn[:, 1:2], drawn[:, 2:]
    entries, positive = -np.log(numbers[:, :size]), np.arange(size) < positives
    first, rest = np.where(positive, entries, 0.0), np.where(positive, 0.0, entries)
    below = np.maximum(rest.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    signed = first / first.sum(axis=1, keepdims=True) * above - rest / below * (above - share)
    return np.take_along_axis(signed, numbers[:, size:].argsort(axis=1), axis=1)


def _positive_sum(positives: int, size: int, total: float, numbers: _Numbers) -> float:
    """Draw p in [total, (1 + total) / 2] with density ~ p^(k-1) (p - total)^(size-k-1).

    Written as P - u with P = (1 + total) / 2 and M = (1 - total) / 2 it is (P - u)^a (M - u)^b: the
    steeper factor makes the proposal, the other accepts, more than every other time or so.
    """
    bounds = [(positives - 1, (1.0 + total) / 2.0), (size - positives - 1, (1.0 - total) / 2.0)]
    (gentle, far), (steep, near) = sorted(bounds, key=lambda pair: pair[0] / pair[1])
    while True:
        first, second = numbers.of(2, sure=False).tolist()
        drop = near * -math.expm1(math.log(first) / (steep + 1))
        if drop < far and second < (1.0 - drop / far) ** gentle:
            return (1.0 + total) / 2.0 - drop


@lru_cache(maxsize=128)
def _pieces(size: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Log-coefficients of the pieces with k positive entries, and a rule exact for them."""
    k = np.arange(1, size)
    choices = gammaln(size + 1) - gammaln(k + 1) - gammaln(size - k + 1)
    nodes, weights = np.polynomial.legendre.leggauss(size // 2 + 1)
    return choices - gammaln(k) - gammaln(size - k), nodes, weights


def _log_weights(size: int, sums: FloatArray) -> FloatArray:
    """Log-volumes of the pieces with 1, ..., size positive entries, for sums >= 0."""
    t = sums[:, np.newaxis]
    if size == 1:
        return np.zeros_like(t)
    with np.errstate(divide="ignore"):
        whole = (size - 1) * np.log(t) - gammaln(size)
    coefficients, nodes, weights = _pieces(size)
    half = (1.0 - t) / 4.0
    minus = half * (1.0 + nodes)
    plus = t + minus
    k = np.arange(1, size)[:, np.newaxis, np.newaxis]
    logs = (k - 1) * np.log(plus) + (size - k - 1) * np.log(minus) + np.log(weights * half)
    # As `logaddexp.reduce`, which takes several times as long.
    top = logs.max(axis=2)
    mixed = (top + np.log(np.exp(logs - top[:, :, np.newaxis]).sum(axis=2))).T + coefficients
    return np.hstack([mixed, whole])


# Cells of the grid per count.
_CELLS = 2**20

_TRIES = 64

# Far more than a log-density is wrong by.
_SLACK = 1e-6

# Logarithms of volumes are off by 18 units of 2^-52 per cell as measured, and by 32 as allowed for:
# so is the density of noise, and, as it adds up to one, by twice that. Between two that is four
# times as much, an epsilon of 1 for so many cells.
_ROUNDED_CELLS = 2**45

# Points of the rule that integrates over the sum.
_STEPS = 100

# Histograms are released together if none has so many times the cells of another.
_SIMILAR = 1.6


@dataclass(frozen=True, kw_only=True)
class KNormHistograms(PureMechanism):
    """Add noise v with density ~ exp(-rate * max_j |v_j|_1), all histograms' sums alike.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all histograms of all groups of records; positive.
    sizes : tuple of int
        Cells of each histogram, B_j. In each one, every record is in exactly one cell.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Groups (such as classes) are disjoint; value holds one row of histograms per group.
        *Add-remove*: a record adds, in one group, a 1 to one cell of every histogram. The change w
        has |w_j|_1 = 1 for each j, and all its histograms sum to the same t = 1: it lies in the
        space of the noise, and its norm max_j |w_j|_1 is 1. *Replace*: one such change is undone
        and one made, in the same group (norm 2) or in two (norms 1 and 1), so 2.
    Privacy
        epsilon-DP: with rate = epsilon / (1 or 2), shifting the centre by the sensitivity changes
        the density by at most e^epsilon, by the triangle inequality in each group. The rate is less
        by 2^-45 for each cell, which pays for what volumes of pieces, in doubles, are off by;
        pieces are drawn with chances in exact proportion to them. Counts are
        whole, so they lie on the grid of 2^-20, and rounding the noise to that grid is the same as
        rounding the sum: post-processing. The result is a whole number of cells, and holds none of
        the low bits of the noise.

        Within a piece noise is made of doubles from 52-bit uniforms; that they are not real numbers
        is a risk that remains, as with every continuous law here.

    Notes
    -----
    The body is {v : |v_j|_1 <= 1, all sums equal}, of dimension D = 1 + sum (B_j - 1). A draw is a
    radius, Gamma of shape D + 1, times a uniform point of the body: its sum t has density
    ~ prod_j volume(slice_j at t), a symmetric, log-concave function that is largest at 0 (Brunn and
    Minkowski), and is found by rejection; then every histogram is uniform in its slice.

    Against geometric noise on all cells (L1 sensitivity: number of histograms) the spread of a cell
    is 1.3 to 1.6 times smaller, the fewer cells the better. Histograms of very different size
    belong in releases of their own: see `similar_sizes`.

    References
    ----------
    M. Hardt, K. Talwar (2010), On the geometry of differential privacy, STOC.
    doi:10.1145/1806689.1806786

    Examples
    --------
    >>> mechanism = KNormHistograms(epsilon=1, sizes=(4, 4, 5))
    >>> mechanism.dimension, [round(spread, 1) for spread in mechanism.spreads]
    (11, [3.2, 3.2, 2.7])
    """

    sizes: tuple[int, ...]

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Hardt and Talwar 2010, K-norm mechanism")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.sizes or min(self.sizes) < 1:
            raise InvalidArgument("sizes", self.sizes, "one or more histograms of a cell or more")

    @property
    def dimension(self) -> int:
        """Dimension of the noise of one group."""
        return 1 + sum(size - 1 for size in self.sizes)

    @property
    def rate(self) -> float:
        """How fast the density falls with the norm: by what is left when rounding is paid for."""
        steps = self.neighbors.steps
        return self.left_by(Fraction(steps * sum(self.sizes), _ROUNDED_CELLS)) / steps

    @property
    def spreads(self) -> list[float]:
        """About the standard deviation of the noise in a cell of each histogram."""
        radius = (self.dimension + 1) * (self.dimension + 2)
        sizes = np.array(self.sizes)
        spreads = np.sqrt(2.0 * radius / ((sizes + 1) * (sizes + 2))) / self.rate
        return cast(list[float], spreads.tolist())

    @property
    def sum_spread(self) -> float:
        """Standard deviation of what the noise of each histogram of a group adds up to."""
        radius = (self.dimension + 1) * (self.dimension + 2)
        return float(np.sqrt(radius * _law_of_sum(self.sizes).mean_square)) / self.rate

    def draw(self, value: IntArray, noise: NoiseSource) -> FloatArray:
        """Add noise to counts of shape (groups, sum of sizes); same shape, in cells of 2^-20."""
        counts = integers_of(value)
        if counts.ndim != 2 or counts.shape[1] != sum(self.sizes):
            requirement = f"counts of shape (groups, {sum(self.sizes)})"
            raise InvalidArgument("value", counts.shape, requirement)
        # But for one draw in e^512 the radius stays below twice its mean and 1,024 over the rate:
        # that may be as many cells as other noise reaches.
        checked_scale((self.dimension + 513) * _CELLS / (256 * self.rate))
        most = LARGEST_VALUE // _CELLS
        cells = np.clip(counts.astype(np.int64), -most, most) * _CELLS
        groups = [noise_of_histograms(self.sizes, noise) for _ in range(counts.shape[0])]
        drawn = np.array([np.concatenate(group) for group in groups]) / self.rate
        moved = np.clip(np.rint(drawn * _CELLS), -LARGEST_VALUE, LARGEST_VALUE).astype(np.int64)
        return np.asarray((cells + moved.reshape(counts.shape)) / _CELLS, dtype=np.float64)

    def without_noise(self, value: IntArray) -> FloatArray:
        """The counts themselves; for simulations only."""
        return np.asarray(value, dtype=np.float64)


def noise_of_histograms(sizes: tuple[int, ...], noise: NoiseSource) -> list[FloatArray]:
    """Noise of `KNormHistograms` at rate 1 for one group of records, histogram by histogram."""
    radius = erlang(2 + sum(sizes) - len(sizes), noise)
    return [radius * point for point in points_of_slices(sizes, _sum(sizes, noise), noise)]


def _sum(sizes: tuple[int, ...], noise: NoiseSource) -> float:
    """What all histograms of a uniform point of the body add up to."""
    law = _law_of_sum(sizes)
    while True:
        sums = 2.0 * noise.uniform(_TRIES) - 1.0
        bonus = -np.log(noise.uniform(_TRIES))
        # A density takes long; most are known to be too low by it or high enough, by what is near.
        places = (np.abs(sums) * (law.falling.size - 1)).astype(np.int64)
        for one in np.flatnonzero(bonus + law.falling[places] >= law.highest - _SLACK).tolist():
            sure = bonus[one] + law.falling[places[one] + 1] >= law.highest + _SLACK
            if sure or bonus[one] + _log_density(sizes, sums[one : one + 1])[0] >= law.highest:
                return float(sums[one])


def _log_density(sizes: tuple[int, ...], sums: FloatArray) -> FloatArray:
    """Of the sum of a uniform point of the body, but for a constant; shape (m,)."""
    logs = np.zeros(sums.size)
    for size, times in sorted(Counter(sizes).items()):
        logs += times * log_volume(size, sums)
    return logs


class _LawOfSum(NamedTuple):
    """Of the sum of a uniform point: its largest log-density, as above, and its mean square.

    `falling` has log-densities in equal steps from 0 to 1: no density between two steps is higher
    than that at the first, or lower than that at the second.
    """

    highest: float
    mean_square: float
    falling: FloatArray


@lru_cache(maxsize=128)
def _law_of_sum(sizes: tuple[int, ...]) -> _LawOfSum:
    """Public, and the same at every epsilon."""
    # Sums below zero are as likely as those above.
    sums = np.linspace(0.0, 1.0, _STEPS + 1)[1::2]
    logs = _log_density(sizes, sums)
    density = np.exp(logs - logs.max())
    highest = float(_log_density(sizes, np.zeros(1))[0])
    falling = np.append(_log_density(sizes, np.arange(_STEPS) / _STEPS), -np.inf)
    return _LawOfSum(highest, float((density @ sums**2) / density.sum()), falling)


def similar_sizes(sizes: Sequence[int]) -> list[tuple[list[int], int]]:
    """Which histograms to release together, and the weight of each release in the budget.

    The noise of a cell is wider the larger the dimension D of its release and the smaller its
    histogram, about D / (B + 1): histograms are sorted into runs in which no size is over 1.6 times
    another, and each run gets a share in proportion to that.

    Returns
    -------
    list of (positions, weight)
        Positions of the histograms of one release, and D of all of them over one more than their
        mean size, times 1000, rounded up: the weights are whole numbers.

    Examples
    --------
    >>> similar_sizes([4, 20, 5, 4])
    [([0, 3, 2], 2063), ([1], 953)]
    """
    runs = runs_of_similar(sizes, _SIMILAR)
    return [(run, _weight([sizes[place] for place in run])) for run in runs]


def runs_of_similar(sizes: Sequence[int], times: float) -> list[list[int]]:
    """Positions, by size, in runs in which none is over so many times another.

    Examples
    --------
    >>> runs_of_similar([4, 20, 5, 4], 1.6)
    [[0, 3, 2], [1]]
    """
    runs: list[list[int]] = []
    for place in np.argsort(np.array(sizes), kind="stable").tolist():
        if runs and sizes[place] <= times * sizes[runs[-1][0]]:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _weight(sizes: list[int]) -> int:
    dimension = 1 + sum(size - 1 for size in sizes)
    return int(np.ceil(1000.0 * dimension / (float(np.mean(sizes)) + 1.0)))
