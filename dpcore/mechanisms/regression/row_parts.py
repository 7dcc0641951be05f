"""The shapes that the rows of a design matrix can have, and the noise that covers each shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.samplers.norm_noise import (
    MOST_CLASSES,
    CubeContrasts,
    GammaCube,
    LaplaceContrasts,
    LaplaceVector,
)
from dpcore.noise import NoiseSource


class Law(Protocol):
    """A law of noise: vectors, or matrices of one row per class."""

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length, at least roughly."""

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw once."""

    def log_density(self, value: FloatArray, /) -> float:
        """Log-density up to a constant."""


@dataclass(frozen=True)
class PerRow:
    """Independent vectors of one law as the rows of a matrix."""

    law: Law
    n_rows: int

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length."""
        return self.n_rows * self.law.variance

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one matrix."""
        return np.stack([self.law.sample(noise) for _ in range(self.n_rows)])

    def log_density(self, value: FloatArray, /) -> float:
        """Log-density up to a constant."""
        return sum(self.law.log_density(row) for row in value)


@dataclass(frozen=True, kw_only=True)
class RowPart:
    """Neighbouring columns of a design matrix and the set in which a row's entries lie.

    Parameters
    ----------
    kind : {"box", "ones", "shares"}
        "box": every entry in [-1, 1]. "ones": entries in [0, 1] that add up to `most` or less, such
        as a one-hot block (most 1). "shares": entries in [0, 1 / most] that add up to 1 or less,
        such as each word's share of a text that counts as `most` words or more.
    width : int
        Number of columns.
    most : int, default 1
        Not used by "box".
    reach : float, default 1
        Every entry is multiplied by it; above 0 and at most 1. Weights of columns that reach less
        far are noisier and more strongly penalised, and cost all others less.

    Examples
    --------
    >>> RowPart(kind="box", width=4).squared_length, RowPart(kind="ones", width=9).squared_length
    (4.0, 1.0)
    """

    kind: Literal["box", "ones", "shares"]
    width: int
    most: int = 1
    reach: float = 1.0

    def __post_init__(self) -> None:
        _check.one_of(("box", "ones", "shares"), kind=self.kind)
        _check.integer_in_range(1, None, width=self.width, most=self.most)
        _check.in_range(2.0**-20, 1.0, reach=self.reach)

    @property
    def squared_length(self) -> float:
        """Largest squared Euclidean length of the part in one row."""
        return self.reach**2 * self._squared_unit_length

    @property
    def _squared_unit_length(self) -> float:
        if self.kind == "box":
            return float(self.width)
        return 1.0 / self.most if self.kind == "shares" else float(min(self.most, self.width))

    def law(self, rate: float, n_classes: int = 2) -> Law:
        """The noise for the weights of these columns: matrices of one row, or one per class.

        Its log-density moves by at most rate * s when it is shifted by the product of residuals,
        whose absolute values add up to s, and a row. For more than two classes the residuals add up
        to zero, and so does the noise. A row of a box has largest entry at most 1. A row of ones
        has L1 norm at most `most`, so its law runs at rate / most; a row of shares at most 1. All
        norms are multiplied by the reach, and so all laws run at their rate over it.
        """
        rate = rate / self.reach
        if self.kind == "box":
            if 2 < n_classes <= MOST_CLASSES:
                return CubeContrasts(rate=rate, dimension=self.width, n_classes=n_classes)
            cube = GammaCube(rate=rate, dimension=self.width)
            return PerRow(cube, 1 if n_classes == 2 else n_classes)
        slow = rate / self.most if self.kind == "ones" else rate
        if n_classes > 2:
            return LaplaceContrasts(rate=slow, dimension=self.width, n_classes=n_classes)
        return PerRow(LaplaceVector(rate=slow, dimension=self.width), 1)


def shares(parts: Sequence[RowPart], n_classes: int = 2) -> list[float]:
    """Shares of the rate for each part, adding to 1, that make the total noise variance least.

    Variance is cost / share^2 for each part, and the sum is least at shares ~ cost^(1/3).
    """
    roots = [part.law(1.0, n_classes).variance ** (1.0 / 3.0) for part in parts]
    return [root / sum(roots) for root in roots]


def squared_radius(parts: Sequence[RowPart]) -> float:
    """Largest squared Euclidean length of a whole row."""
    return sum(part.squared_length for part in parts)


def split_columns(matrix: FloatArray, parts: Sequence[RowPart]) -> list[FloatArray]:
    """Cut a matrix, or a vector, into the columns of each part."""
    ends = np.cumsum([part.width for part in parts])[:-1]
    return list(np.split(matrix, ends, axis=-1))
