"""Laplace noise for real numbers, on a fixed-point grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.noise.system import LARGEST_VALUE
from dpcore.privacy import Guarantee, exact

# Cells of the grid per unit of sensitivity and entry: fine enough that the widening below costs one
# part in 2^20 of accuracy, coarse enough that sums of millions of rows stay inside 64-bit integers.
_RESOLUTION_BITS = 20


@dataclass(frozen=True, kw_only=True)
class Laplace(PureMechanism):
    """Add Laplace noise to real numbers that were rounded to a public grid.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the joint release of all entries; positive.
    l1_sensitivity : float, default 1
        The largest L1 change of the whole vector between neighbours; positive.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued that sensitivity.

    Sensitivity
        Argued by the caller for the exact values. Rounding each of d entries to a grid of cell g
        moves an entry by at most g/2 on either data set, so the rounded vector moves by at most
        l1_sensitivity + d g, and the noise is calibrated to that.
    Privacy
        epsilon-DP. The noise is discrete Laplace in whole cells, so no floating-point noise exists
        whose low bits could be read (Mironov 2012). g is a power of two near
        l1_sensitivity / (d 2^20).

    Notes
    -----
    Entries beyond 2^61 cells are clamped there, identically on every data set, which is
    pre-processing that can only bring neighbours closer.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim, A. Smith (2006), Calibrating noise to sensitivity, TCC,
    Proposition 1. doi:10.1007/11681878_14

    Examples
    --------
    >>> Laplace(epsilon=0.5).scale
    2.0
    """

    l1_sensitivity: float = 1.0

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Dwork et al. 2006, Proposition 1")

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.positive(l1_sensitivity=self.l1_sensitivity)

    @property
    def scale(self) -> float:
        """Scale of the noise (before the widening for the grid); variance is twice the square."""
        return self.l1_sensitivity / float(exact(self.epsilon))

    def cell(self, size: int) -> float:
        """Width of the public grid for a vector of that many entries."""
        return 2.0 ** math.floor(math.log2(self.l1_sensitivity / max(size, 1)) - _RESOLUTION_BITS)

    def cell_scale(self, size: int) -> Fraction:
        """Scale of the integer noise, in cells, widened for the rounding."""
        in_cells = Fraction(self.l1_sensitivity) / Fraction(self.cell(size))
        return (in_cells + size) / exact(self.epsilon)

    def draw(self, value: FloatArray, noise: NoiseSource) -> FloatArray:
        """Round to the grid and add noise; an array of any shape."""
        values = np.asarray(value, dtype=np.float64)
        if not np.isfinite(values).all():
            raise InvalidArgument("value", "NaN or infinity", "an array of finite numbers")
        cell = self.cell(values.size)
        cells = np.clip(np.rint(values / cell), -LARGEST_VALUE, LARGEST_VALUE)
        drawn = noise.discrete_laplace(self.cell_scale(values.size), values.size)
        noisy = cells.astype(np.int64) + drawn.reshape(values.shape)
        return noisy.astype(np.float64) * cell
