"""The law of the largest error of a method, by simulation."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.noise import SeededNoise
from dpcore.privacy import Ledger, Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["simulated_reach"]

# Fine enough that rounding to whole counts does not show in noise of a thousand counts and more.
_EPSILON = Fraction(1, 1000)
_MANY, _FEW, _LONG = 1999, 499, 4096
_STEPS, _POWERS = 17, (0.1, 0.3, 1.0, 3.0, 10.0)


def simulated_reach(
    method: Method,
    parameters: dict[str, Any],
    *,
    points: int,
    neighbors: Neighbors,
    confidence: FloatArray,
    draws: int | None = None,
) -> FloatArray:
    """Largest errors over all grid points that the noise stays below, in counts times epsilon.

    Parameters
    ----------
    method : Method
    parameters : dict
        Checked parameters of the method.
    points : int
    neighbors : Neighbors
    confidence : float array, shape (levels,)
    draws : int, optional
        Simulated releases; by default 1,999, or 499 on grids of more than 4,096 points.

    Returns
    -------
    float array, shape (levels,)

    Notes
    -----
    Methods are linear, so what one releases about no records at all is its noise: the method
    itself is the simulator, with seeded noise and a ledger of its own. The law scales with 1 /
    epsilon but for rounding to whole counts, which makes noise smaller if anything: one simulation
    serves every epsilon.

    Replace: the largest abs(e_i), e_i the noise of sum i. Add-remove: sums are divided by a noisy
    total, and what the true share t_i of the records up to point i leaves unexplained is
    C_i - t_i C_n = e_i - t_i e_n. Its largest size depends on the curve t, which is private; the
    answer is the largest over steps from 0 to 1 at many places, where all records lie in one cell
    and the noise of sums or of their complements is met in full, and over bent curves.

    The returned rank of the simulated maxima is such that a fresh one exceeds it with probability
    at most 1 - confidence.
    """
    settled = tuple(sorted(parameters.items()))
    maxima = _maxima(method, settled, points, neighbors, draws or _draws(points))
    ranks = [min(math.ceil(level * (len(maxima) + 1)), len(maxima)) for level in confidence]
    return np.asarray(maxima[np.array(ranks) - 1].max(axis=1), dtype=np.float64)


def _draws(points: int) -> int:
    return _MANY if points <= _LONG else _FEW


@lru_cache(maxsize=64)
def _maxima(
    method: Method,
    parameters: tuple[tuple[str, Any], ...],
    points: int,
    neighbors: Neighbors,
    draws: int,
) -> FloatArray:
    """Largest errors of simulated releases in counts times epsilon, (draws, curves), sorted."""
    noise = SeededNoise(0).child("noise reach")
    nothing = np.zeros(points, dtype=np.int64)
    largest = _largest_error if neighbors is Neighbors.REPLACE else _largest_by_curve
    maxima = []
    for _ in range(draws):
        gate = Gate(Ledger(neighbors=neighbors), noise)
        maxima.append(
            largest(method.run(nothing, loss=Loss(_EPSILON), gate=gate, **dict(parameters)))
        )
    return np.sort(np.array(maxima), axis=0) * float(_EPSILON)


def _largest_error(error: FloatArray) -> FloatArray:
    return np.asarray(np.abs(error).max(keepdims=True), dtype=np.float64)


def _largest_by_curve(error: FloatArray) -> FloatArray:
    """Largest abs(e_i - t_i e_n) for each of a family of curves t."""
    before = np.append(0.0, np.maximum.accumulate(np.abs(error)))
    after = np.append(0.0, np.maximum.accumulate(np.abs(error - error[-1])[::-1]))[::-1]
    step = np.linspace(0, error.size, _STEPS).round().astype(np.int64)
    bent = [np.abs(error - curve * error[-1]).max() for curve in _bent(error.size)]
    return np.concatenate([np.maximum(before[step], after[step]), bent])


@lru_cache(maxsize=4)
def _bent(points: int) -> FloatArray:
    """Bent curves from 0 to 1, shape (curves, points)."""
    rank = np.arange(1, points + 1) / points
    return np.stack([rank**power for power in _POWERS])
