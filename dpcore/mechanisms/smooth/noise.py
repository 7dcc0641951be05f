"""Statistics of groups of records, released with noise in proportion to a smooth sensitivity."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.smooth.bounds import UNIT, Statistic, on_unit_grid
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact

__all__ = ["Grouped", "SmoothNoise"]

# Results are the middles of so many equal cells, drawn as a block of cells and a cell in it.
_BLOCKS = _CELLS_PER_BLOCK = 128

# Epsilon set aside, per statistic, for the rounding of floating-point arithmetic.
_RESERVE = 2.0**-16

# From this epsilon per statistic on the noise is far below a cell, and cosh would overflow.
_LARGEST_STEP = 16.0


@dataclass(frozen=True, eq=False)
class Grouped:
    """Records (private): numbers in [-1, 1], shape (n, columns), and groups, shape (n,)."""

    columns: FloatArray
    groups: IntArray


@dataclass(frozen=True, kw_only=True)
class SmoothNoise(ABC):
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
        `NoiseSource.choose` in two steps, which is exact: no floating-point noise exists whose low
        bits or thin tails could be read (Mironov 2012). Values are counted in cells of 2^-16 and
        summed in whole numbers. What rounding remains moves a log-probability by less than 2^-20
        for up to 2^26 records; 2^-16 of epsilon (at most half) is set aside per column.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC. doi:10.1145/1250790.1250803
    I. Mironov (2012), On significance of the least significant bits for differential privacy, CCS.
    doi:10.1145/2382196.2382264
    """

    epsilon: int | float | str | Fraction
    statistic: Statistic
    n_columns: int = 1
    n_groups: int = 1
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee]

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon))
        _check.integer_in_range(1, None, n_columns=self.n_columns, n_groups=self.n_groups)

    @property
    def loss(self) -> Loss:
        """The privacy loss of the joint release."""
        return Loss(self.epsilon)

    @property
    def step(self) -> float:
        """Epsilon of one statistic and one added or removed record, less what is set aside."""
        records = self.neighbors.pick(add_remove=1, replace=2)
        share = float(exact(self.epsilon) / (self.n_columns * records))
        return min(max(share - _RESERVE, share / 2.0), _LARGEST_STEP)

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
        cells = on_unit_grid(value.columns)
        centres, scales = np.zeros((2, self.n_groups, self.n_columns))
        for group in range(self.n_groups):
            members = cells[value.groups == group]
            for column in range(self.n_columns):
                ordered = np.sort(members[:, column])
                centre, sensitivity = self.statistic.measure(ordered, self.beta)
                centres[group, column] = centre
                # At least one cell of the values, a floor that is as smooth as any constant.
                scales[group, column] = self.noise_factor * max(sensitivity, 1.0 / UNIT)
        return centres, scales

    def draw(self, value: Grouped, noise: NoiseSource) -> FloatArray:
        """Draw every statistic, shape (n_groups, n_columns), within its bounds."""
        centres, scales = self.centres_and_scales(value)
        drawn = [
            self._drawn(centre, scale, noise)
            for centre, scale in zip(centres.ravel(), scales.ravel(), strict=True)
        ]
        return np.array(drawn, dtype=np.float64).reshape(centres.shape)

    def without_noise(self, value: Grouped) -> FloatArray:
        """The statistics, each in the middle of its cell; for simulations only."""
        centres, _ = self.centres_and_scales(value)
        low, cells = self.statistic.low, _BLOCKS * _CELLS_PER_BLOCK
        places = np.clip(np.floor((centres - low) / (1.0 - low) * cells), 0, cells - 1)
        return np.asarray(low + (places + 0.5) / cells * (1.0 - low), dtype=np.float64)

    def _drawn(self, centre: float, scale: float, noise: NoiseSource) -> float:
        low = self.statistic.low
        edges = np.linspace(low, 1.0, _BLOCKS * _CELLS_PER_BLOCK + 1)
        bounds = (edges - centre) / scale
        bounds[0], bounds[-1] = -np.inf, np.inf
        blocks = bounds[::_CELLS_PER_BLOCK]
        start = _CELLS_PER_BLOCK * noise.choose(self.log_mass(blocks[:-1], blocks[1:]))
        inside = bounds[start : start + _CELLS_PER_BLOCK + 1]
        cell = start + noise.choose(self.log_mass(inside[:-1], inside[1:]))
        return float(edges[cell] + edges[cell + 1]) / 2.0
