"""Noise in proportion to a smooth sensitivity."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, Protocol

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee

# Values lie in [-1, 1] and are counted in cells of 2^-16: sums and squares are then exact integers.
UNIT = 2**16


class Statistic(Protocol):
    """A number that summarises values in [-1, 1], with a smooth bound on its sensitivity.

    Sensitivity
        For records added or removed (the number of records is private). With bounds B_k such that
        no single edit of a data set within k edits of x moves the statistic by more than B_k(x),
        and B_k(x) <= B_(k+1)(x') for all neighbours x', the number S = max_k e^(-beta k) B_k is at
        least the local sensitivity and at most e^beta times S(x') (Nissim et al. 2007).
        Each statistic argues such bounds. An edit joins a smaller set y to y and one more record; y
        is within k + 1 edits of x and has n - k - 1 records or more.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC. doi:10.1145/1250790.1250803
    """

    @property
    def low(self) -> float:
        """The least value that it can have; the largest is 1."""

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The statistic and its beta-smooth sensitivity (private) of ascending cells of 2^-16."""


def on_unit_grid(values: FloatArray) -> IntArray:
    """Values cut to [-1, 1] and rounded to cells of 2^-16, each by itself.

    Examples
    --------
    >>> on_unit_grid(np.array([-9.0, 0.25])).tolist()
    [-65536, 16384]
    """
    return np.rint(np.clip(values, -1.0, 1.0) * UNIT).astype(np.int64)


def smoothed(bounds: FloatArray, beta: float) -> float:
    """The largest of e^(-beta k) bounds[k].

    Examples
    --------
    >>> smoothed(np.array([1.0, 8.0]), np.log(2.0))
    4.0
    """
    return float((np.exp(-beta * np.arange(bounds.size)) * bounds).max())


def relevant_edits(size: int, beta: float) -> int:
    """Number of edits beyond which no bound matters, if none exceeds 1 and B_0 >= 1 / (2 n).

    From then on e^(-beta k) is below B_0, so leaving those k out changes nothing.

    Examples
    --------
    >>> relevant_edits(10, 0.01), relevant_edits(10**6, 0.5)
    (10, 31)
    """
    return min(size, math.ceil(math.log(2.0 * (size + 1)) / beta) + 1)


def smallest_sizes(size: int, edits: int) -> IntArray:
    """Least number of records of the smaller set of an edit, after k = 0, ..., edits.

    Examples
    --------
    >>> smallest_sizes(3, 3).tolist()
    [2, 1, 0, 0]
    """
    return np.maximum(size - 1 - np.arange(edits + 1), 0)


def furthest_from_mean(ordered: IntArray, edits: int) -> FloatArray:
    """Largest distance of a value in [-1, 1] from the mean of the smaller set, after k edits.

    Sensitivity
        The mean of the smaller set is at least -1 + P_k / (n + k + 1), P_k the sum of x + 1 over
        all but the k + 1 largest values: removals take away no more, additions add nothing less
        than zero, and there are n + k + 1 records at most. Likewise from above. P_k does not rise
        from x to k + 1 edits of a neighbour, so the result does not fall.

    Parameters
    ----------
    ordered : int array, shape (n,)
    edits
        At most n.

    Returns
    -------
    float array, shape (edits + 1,)
        For k = 0, ..., edits; between 1 and 2.
    """
    size, total = ordered.size, int(ordered.sum())
    above = total + size * UNIT - _sums_of_first(ordered[::-1][: edits + 1] + UNIT, edits)
    below = size * UNIT - total - _sums_of_first(UNIT - ordered[: edits + 1], edits)
    most = size + 1 + np.arange(edits + 1)
    return np.asarray(2.0 - np.minimum(above, below) / (most * UNIT), dtype=np.float64)


def _sums_of_first(values: IntArray, edits: int) -> IntArray:
    """Sums of the first 1, 2, ..., edits + 1 values, or of all where there are fewer."""
    sums = np.cumsum(values[: edits + 1])
    total = sums[-1] if sums.size else 0
    return np.concatenate([sums, np.full(edits + 1 - sums.size, total, dtype=np.int64)])


# Results are the middles of so many equal cells, drawn as a block of cells and a cell in it.
_BLOCKS = _CELLS_PER_BLOCK = 128

# Epsilon set aside, per statistic, for the rounding of floating-point arithmetic and for the finite
# precision of uniform numbers.
_RESERVE, _LEAST_SHARE = 2.0**-16, 2.0**-31


def without_reserve(share: float) -> float:
    """What is left of an epsilon once that much, or half of it if it is little, is set aside.

    Raises `InvalidArgument` if rounding alone would tell data sets apart better than half of it.
    """
    if share < _LEAST_SHARE:
        raise InvalidArgument("epsilon", share, "2^-31 or more for one number of one record")
    return max(share - _RESERVE, share / 2.0)


# From this epsilon per statistic on the noise is far below a cell, and cosh would overflow.
_LARGEST_STEP = 16.0


@dataclass(frozen=True, eq=False)
class Grouped:
    """Records (private): numbers in [-1, 1], shape (n, columns), and groups, shape (n,).

    What noise adds nothing to is kept: many draws of the same records sort and measure them once.
    """

    columns: FloatArray
    groups: IntArray
    _ordered: dict[int, IntArray] = field(default_factory=dict, init=False, repr=False)
    _measured: dict[tuple[Statistic, float, int, int], tuple[float, float]] = field(
        default_factory=dict, init=False, repr=False
    )

    def measure(
        self, statistic: Statistic, beta: float, group: int, column: int
    ) -> tuple[float, float]:
        """The statistic of a column in a group, and its beta-smooth sensitivity."""
        if group not in self._ordered:
            members = on_unit_grid(self.columns[self.groups == group])
            self._ordered[group] = np.sort(members, axis=0).T.copy()
        key = statistic, beta, group, column
        if key not in self._measured:
            self._measured[key] = statistic.measure(self._ordered[group][column], beta)
        return self._measured[key]


@dataclass(frozen=True, kw_only=True)
class SmoothNoise(PureMechanism, ABC):
    """Base: a statistic of every column in every group, each with noise of its own scale.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release; positive.
    statistic : Statistic
    n_columns, n_groups : int
        Public; at least 1.
    neighbors : Neighbors, default add-remove

    Privacy
        A record is in one group, so the groups of one column cost what one of them costs, and the
        columns share epsilon equally. Under replace the old record leaves one group and the new one
        enters another, or the same: a removal and an addition, each at half the epsilon. The
        number of records is private under both, because that of a group is.

        One result is the continuous law at `measure`, rounded to one of 2^14 public cells between
        the least and the largest value, the first and the last holding everything beyond. The
        probabilities of the cells are computed in closed form, and a cell is drawn by
        `NoiseSource.choose` in steps, which is exact: no floating-point noise exists whose low
        bits or thin tails could be read (Mironov 2012). Values are counted in cells of 2^-16 and
        summed in whole numbers. What rounding remains moves a log-probability by less than 2^-34
        for up to 2^26 records; 2^-16 of epsilon (at most half) is set aside per column.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC. doi:10.1145/1250790.1250803
    I. Mironov (2012), On significance of the least significant bits for differential privacy, CCS.
    doi:10.1145/2382196.2382264
    """

    statistic: Statistic
    n_columns: _check.Count = 1
    n_groups: _check.Count = 1

    guarantee: ClassVar[Guarantee]

    def __post_init__(self) -> None:
        super().__post_init__()
        without_reserve(float(self.per_record / self.n_columns))

    @property
    def step(self) -> float:
        """Epsilon of one statistic and one added or removed record, less what is set aside."""
        return min(without_reserve(float(self.per_record / self.n_columns)), _LARGEST_STEP)

    @property
    @abstractmethod
    def beta(self) -> float:
        """Smoothness of the sensitivity."""

    @property
    @abstractmethod
    def noise_factor(self) -> float:
        """Scale of the noise per unit of smooth sensitivity."""

    @abstractmethod
    def log_mass(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Log-probability that standard noise lies between two numbers, left < right."""

    def centres_and_scales(self, value: Grouped) -> tuple[FloatArray, FloatArray]:
        """Exact statistics and noise scales (private), each of shape (n_groups, n_columns)."""
        centres, scales = np.zeros((2, self.n_groups, self.n_columns))
        for group in range(self.n_groups):
            for column in range(self.n_columns):
                centre, sensitivity = value.measure(self.statistic, self.beta, group, column)
                centres[group, column] = centre
                # At least one cell of the values, a floor that is as smooth as any constant.
                scales[group, column] = self.noise_factor * max(sensitivity, 1.0 / UNIT)
        return centres, scales

    def draw(self, value: Grouped, noise: NoiseSource) -> FloatArray:
        """Draw every statistic, shape (n_groups, n_columns), within its bounds."""
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: Grouped, times: int, noise: NoiseSource) -> list[FloatArray]:
        """Draw so many times, each as `draw` does; together they cost so many times the loss."""
        centres, scales = self.centres_and_scales(value)
        pairs = zip(centres.ravel(), scales.ravel(), strict=True)
        laws = [self._law(centre, scale) for centre, scale in pairs]
        drawn = np.array([[law(noise) for law in laws] for _ in range(times)], dtype=np.float64)
        return list(drawn.reshape(times, *centres.shape))

    def without_noise(self, value: Grouped) -> FloatArray:
        """The statistics, each in the middle of its cell; for simulations only."""
        centres, _ = self.centres_and_scales(value)
        low, cells = self.statistic.low, _BLOCKS * _CELLS_PER_BLOCK
        places = np.clip(np.floor((centres - low) / (1.0 - low) * cells), 0, cells - 1)
        return np.asarray(low + (places + 0.5) / cells * (1.0 - low), dtype=np.float64)

    def _law(self, centre: float, scale: float) -> Callable[[NoiseSource], float]:
        """What draws one statistic."""
        low = self.statistic.low
        edges = np.linspace(low, 1.0, _BLOCKS * _CELLS_PER_BLOCK + 1)
        bounds = (edges - centre) / scale
        bounds[0], bounds[-1] = -np.inf, np.inf
        blocks = bounds[::_CELLS_PER_BLOCK]
        of_blocks = self.log_mass(blocks[:-1], blocks[1:])

        @cache
        def of_cells(start: int) -> FloatArray:
            inside = bounds[start : start + _CELLS_PER_BLOCK + 1]
            return self.log_mass(inside[:-1], inside[1:])

        def draw(noise: NoiseSource) -> float:
            start = _CELLS_PER_BLOCK * noise.choose(of_blocks)
            cell = start + noise.choose(of_cells(start))
            return float(edges[cell] + edges[cell + 1]) / 2.0

        return draw
