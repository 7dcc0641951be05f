"""Counts through noisy Haar wavelet coefficients (Privelet): accurate sums over long ranges."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact


@dataclass(frozen=True, kw_only=True)
class HaarCounts(PureMechanism):
    """Release a table of counts through the Haar wavelet transform of each row.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of the table; positive.
    l1_sensitivity : int, default 1
        The largest L1 change of the table of counts between neighbours.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Of the coefficients. A row of m = 2^h cells is written as its sum and, for every node of
        the binary tree over the cells, as the sum of the left half minus that of the right half:
        integers, m in all. Adding a record to a cell changes its row's sum and the h nodes above
        the cell by exactly one each, so the L1 change is 1 + h per unit of `l1_sensitivity`.
    Privacy
        epsilon-DP, by discrete Laplace noise of that sensitivity on the integers. Xiao et al.
        divide a node's difference by its number of leaves and its noise by the same weight; the
        two cancel, so this is their mechanism (generalised sensitivity 1 + log2 m) without
        floating-point noise.

    Notes
    -----
    Rows are padded with empty cells to a power of two. A node's coefficient enters the sum of the
    first j cells with a factor of at most one half and the row's sum with at most one: the
    variance of any such sum is at most 1 + h/4 times that of one coefficient.

    References
    ----------
    X. Xiao, G. Wang, J. Gehrke (2011), Differential privacy via wavelet transforms, IEEE TKDE
    23(8), generalized sensitivity. doi:10.1109/TKDE.2010.247

    Examples
    --------
    >>> HaarCounts(epsilon=0.5).scale(8)
    Fraction(8, 1)
    """

    l1_sensitivity: int = 1

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "Xiao et al. 2011, the Haar wavelet's generalized sensitivity"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(1, None, l1_sensitivity=self.l1_sensitivity)

    def scale(self, cells: int) -> Fraction:
        """Scale of the noise on each integer coefficient of rows with that many cells."""
        return self.l1_sensitivity * (1 + levels(cells)) / exact(self.epsilon)

    def draw(self, value: IntArray, noise: NoiseSource) -> FloatArray:
        """Release counts, shape (rows, cells), as floats of the same shape."""
        counts = np.asarray(value)
        if counts.ndim != 2 or not np.issubdtype(counts.dtype, np.integer) or counts.size == 0:
            raise InvalidArgument("value", f"{counts.dtype} {counts.shape}", "a table of integers")
        cells = counts.shape[1]
        coefficients = haar(counts)
        drawn = noise.discrete_laplace(self.scale(cells), coefficients.size)
        return inverse_haar(coefficients + drawn.reshape(coefficients.shape))[:, :cells]


def levels(cells: int) -> int:
    """Depth of the binary tree over that many cells."""
    return (cells - 1).bit_length()


def haar(counts: IntArray) -> IntArray:
    """Sum and left-minus-right differences of each row.

    Parameters
    ----------
    counts : int array, shape (rows, cells)

    Returns
    -------
    int array, shape (rows, 2 ** levels(cells))
        First the sum, then the differences, the root's first and the lowest nodes' last.
    """
    rows, cells = counts.shape
    sums = np.zeros((rows, 2 ** levels(cells)), dtype=np.int64)
    sums[:, :cells] = counts
    differences = []
    while sums.shape[1] > 1:
        left, right = sums[:, 0::2], sums[:, 1::2]
        differences.append(left - right)
        sums = left + right
    return np.concatenate([sums, *differences[::-1]], axis=1)


def inverse_haar(coefficients: IntArray) -> FloatArray:
    """Counts whose `haar` transform is given, shape (rows, 2 ** levels)."""
    sums = coefficients[:, :1].astype(np.float64)
    while (width := sums.shape[1]) < coefficients.shape[1]:
        differences = coefficients[:, width : 2 * width]
        halves = np.empty((sums.shape[0], 2 * width))
        halves[:, 0::2] = (sums + differences) / 2.0
        halves[:, 1::2] = (sums - differences) / 2.0
        sums = halves
    return sums
