"""Noise in whole cells of a public grid with exponential tails, fast for millions of scores."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.noise.system import checked_scale

# Cells per unit of sensitivity: fine enough that ties hardly happen and that the widening for
# rounding costs one part in a million.
_RESOLUTION_BITS = 20

# Room for noise on top, inside 64-bit integers.
LARGEST_CELL = 2.0**61


@dataclass(frozen=True, kw_only=True)
class FixedPoint(_check.Checked):
    """A public grid for scores, and how many of its cells one score can move.

    Parameters
    ----------
    sensitivity
        The largest change of any one score between neighbours; positive.
    whole
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

    sensitivity: _check.Positive
    whole: bool = False

    @property
    def cell(self) -> float:
        """Width of the grid: a power of two, at most 1 for whole scores."""
        exponent = math.floor(math.log2(self.sensitivity)) - _RESOLUTION_BITS
        return 2.0 ** (min(exponent, 0) if self.whole else exponent)

    @property
    def steps(self) -> int:
        """The largest change of a rounded score between neighbours, in cells."""
        steps = math.floor(Fraction(self.sensitivity) / Fraction(self.cell))
        return steps if self.whole else steps + 1

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


@dataclass(frozen=True, kw_only=True)
class ScoredChoice(PureMechanism):
    """Base: what is public about private scores that a mechanism chooses by.

    Parameters
    ----------
    epsilon
        Privacy loss of everything; positive.
    sensitivity : float, default 1
        The largest change of any single score between neighbours; positive.
    monotone
        True if between neighbours all scores move in the same direction.
    whole
        Whether the scores are whole numbers on every data set.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued `sensitivity` and `monotone`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    """

    sensitivity: _check.Positive = 1.0
    monotone: bool = False
    whole: bool = False

    @property
    def grid(self) -> FixedPoint:
        """The grid of the scores."""
        return FixedPoint(sensitivity=self.sensitivity, whole=self.whole)

    @property
    def moves(self) -> int:
        """By how many cells two scores can move against each other between neighbours."""
        return self.grid.steps * (1 if self.monotone else 2)


# The tail of the noise that is drawn, P(Z >= t), is that of the geometric law times 1 +- 2^-40.5:
# 2^-44 from the grid of `fine_uniform`, the rest from the logarithm in double precision.
ROUNDING = Fraction(1, 2**39)

_FINER_BELOW = 2.0**-8


def tail_scale(steps: int, share: Fraction) -> float:
    """Scale in cells with which a shift by `steps` moves a tail by at most e^share.

    Sensitivity
        P(Z >= t - steps) / P(Z >= t) <= exp(steps / scale) * (1 + 2^-39): the last factor is the
        rounding of what is drawn, and is paid for here by a slightly larger scale.

    Raises
    ------
    InvalidArgument
        If the share is so small that rounding would use it up, or the noise would reach 2^61 cells,
        where it is cut off: two scores that are both there are as far apart as without noise.

    Examples
    --------
    >>> round(tail_scale(3, Fraction(1, 2)), 6)
    6.0
    """
    return checked_scale(steps / max(share - ROUNDING, ROUNDING**2))


def fine_uniform(size: int, noise: NoiseSource) -> FloatArray:
    """Uniform numbers of (0, 1) that are as finely spaced near 0, in proportion, as elsewhere.

    A number below 2^-8 is drawn again inside (0, 2^-8), and so on: the law is the same, spaced by
    less than 2^-44 of itself, and there is no smallest number that would cut the tail.
    """
    numbers = noise.uniform(size)
    small, level = np.flatnonzero(numbers < _FINER_BELOW), _FINER_BELOW
    while small.size:
        inner = noise.uniform(small.size)
        numbers[small] = level * inner
        small, level = small[inner < _FINER_BELOW], level * _FINER_BELOW
    return numbers


def _cells(numbers: FloatArray, scale: float) -> IntArray:
    return np.minimum(-np.log(numbers) * scale, LARGEST_CELL).astype(np.int64)


def exponential_cells(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw Z = 0, 1, ... with P(Z >= t) = exp(-t / scale): exponential noise in whole cells."""
    return _cells(fine_uniform(size, noise), scale)


def gumbel_cells(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw Gumbel noise in whole cells: P(Z >= t) = 1 - exp(-exp(-t / scale)).

    The largest values come from uniform numbers near 0, where these are finely spaced. A shift of
    the tail by s cells multiplies it by at most exp(s / scale), as for exponential noise, because
    1 - exp(-x) is concave: `tail_scale` serves both.
    """
    gumbel = -np.log(-np.log1p(-fine_uniform(size, noise)))
    return np.floor(np.clip(gumbel * scale, -LARGEST_CELL, LARGEST_CELL)).astype(np.int64)


def laplace_cells(scale: float, size: int, noise: NoiseSource) -> IntArray:
    """Draw Laplace noise in whole cells: P(Z >= t) = P(Z < -t) = exp(-t / scale) / 2, t >= 0.

    It is symmetric about minus half a cell, which a threshold on the same grid does not notice.
    """
    sizes = exponential_cells(scale, size, noise)
    return np.where(noise.uniform(size) < 0.5, sizes, -1 - sizes)


def thinned_cells(
    scale: float, at_least: float, size: int, noise: NoiseSource
) -> tuple[IntArray, IntArray]:
    """Draw exponential noise for many, and return only those that get `at_least` or more.

    Positions and their noise; the gaps between such positions are geometric, so the work is
    proportional to how many there are. Some with slightly less are returned too.
    """
    chance = min(float(np.exp(-max(at_least - 1.0, 0.0) / scale)), 1.0)
    if chance > 0.125:
        return np.arange(size), exponential_cells(scale, size, noise)
    positions = np.zeros(0, dtype=np.int64)
    # Nothing that happens with such a chance has ever happened; its inverse would overflow.
    last = -1 if chance > 1e-290 else size
    while last < size:
        logs = np.log(fine_uniform(int(chance * size) + 16, noise)) / np.log1p(-chance)
        jumps = np.minimum(np.floor(logs), size).astype(np.int64) + 1
        positions = np.append(positions, last + np.cumsum(jumps))
        last = int(positions[-1])
    positions = positions[positions < size]
    # Conditioned on a number below `chance`, the number is uniform below it.
    return positions, _cells(chance * fine_uniform(positions.size, noise), scale)
