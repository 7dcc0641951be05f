"""Scores as whole numbers of a public grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument

# Cells per unit of sensitivity: fine enough that ties hardly happen and that the widening for
# rounding costs one part in a million.
_RESOLUTION_BITS = 20
# Room for noise on top, inside 64-bit integers.
LARGEST_CELL = 2.0**61


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """A public grid for scores, and how many of its cells one score can move.

    Parameters
    ----------
    sensitivity : float
        The largest change of any one score between neighbours; positive.
    whole : bool, default False
        Whether all scores are whole numbers on every data set: then nothing is rounded.

    Sensitivity
        Rounding moves a score by half a cell at most on either data set, so a rounded score moves
        by at most `steps` = sensitivity / cell + 1 cells; whole scores by sensitivity / cell.
        Rounding never turns an order round, so scores that are monotone stay monotone.

    Examples
    --------
    >>> counts = FixedPoint(sensitivity=1, whole=True)
    >>> int(counts.steps), (counts.of(np.array([3.0])) * counts.cell).tolist()
    (1048576, [3.0])
    """

    sensitivity: float
    whole: bool = False

    def __post_init__(self) -> None:
        _check.positive(sensitivity=self.sensitivity)

    @property
    def cell(self) -> float:
        """Width of the grid: a power of two, at most 1 for whole scores."""
        exponent = math.floor(math.log2(self.sensitivity)) - _RESOLUTION_BITS
        return 2.0 ** (min(exponent, 0) if self.whole else exponent)

    @property
    def steps(self) -> int:
        """The largest change of a rounded score between neighbours, in cells."""
        exact = math.floor(Fraction(self.sensitivity) / Fraction(self.cell))
        return exact if self.whole else exact + 1

    def of(self, scores: FloatArray) -> IntArray:
        """Scores in cells; those beyond 2^61 cells are clamped, on every data set alike."""
        values = np.asarray(scores, dtype=np.float64)
        if values.ndim != 1 or not np.isfinite(values).all():
            raise InvalidArgument("scores", values.shape, "a vector of finite numbers")
        if self.whole and (values != np.rint(values)).any():
            raise InvalidArgument("scores", "fractions", "whole numbers, as was declared")
        cells: IntArray = np.clip(np.rint(values / self.cell), -LARGEST_CELL, LARGEST_CELL).astype(
            np.int64
        )
        return cells
