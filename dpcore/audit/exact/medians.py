"""Exact losses of medians with Cauchy noise, for one interval over the whole grid."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms import PublishedSmoothMedians, SmoothMedians
from dpcore.mechanisms.smooth.medians import medians_with_sensitivity

__all__ = ["EXACT"]

_UNITS, _ANYWHERE = 2.0**30, 2.0**-12


def _law(mechanism: SmoothMedians, below: IntArray) -> FloatArray:
    """Probability of each inner edge, from the Cauchy distribution function."""
    positions = mechanism.positions
    grid = np.rint((positions - positions[0]) / (positions[-1] - positions[0]) * _UNITS)
    medians, sensitivity = medians_with_sensitivity(below, grid, mechanism.cuts, mechanism.beta)
    scale = mechanism.noise_factor * max(float(sensitivity[0]), 1.0)
    inner = grid[1:-1]
    borders = np.concatenate([[grid[0]], (inner[1:] + inner[:-1]) / 2.0, [grid[-1]]])
    chance = np.diff(0.5 + np.arctan((borders - medians[0]) / scale) / np.pi)
    # A result outside of the grid becomes the middle.
    chance[np.argmin(np.abs(inner - (grid[0] + grid[-1]) / 2.0))] += 1.0 - chance.sum()
    return np.asarray((1.0 - _ANYWHERE) * chance + _ANYWHERE / inner.size)


def _loss(mechanism: SmoothMedians, pair: Pair) -> float | None:
    if mechanism.cuts.size != 2:
        return None
    here, there = _law(mechanism, pair.here), _law(mechanism, pair.there)
    return float(np.abs(np.log(here / there)).max())


EXACT = ExactLaw(mechanisms=(SmoothMedians, PublishedSmoothMedians), loss=_loss)
