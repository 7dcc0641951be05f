"""Exact losses of noise in proportion to a smooth sensitivity."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.exact.laws import ExactLaw
from dpcore.audit.pair import Pair
from dpcore.mechanisms import PublishedSmoothMedians, SmoothMedians
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy, SmoothCauchy
from dpcore.mechanisms.smooth.gaussian import SmoothGaussian
from dpcore.mechanisms.smooth.medians import medians_with_sensitivity
from dpcore.mechanisms.smooth.noise import SmoothNoise

__all__ = ["_MEDIANS", "_SMOOTH_NOISE", "density_loss", "epsilon_at", "worst_smooth_loss"]

_CELLS = 2**14


def _log_chances(mechanism: SmoothNoise, centre: float, scale: float) -> FloatArray:
    edges = (np.linspace(mechanism.statistic.low, 1.0, _CELLS + 1) - centre) / scale
    edges[0], edges[-1] = -np.inf, np.inf
    return mechanism.log_mass(edges[:-1], edges[1:])


def epsilon_at(delta: float, here: FloatArray, there: FloatArray) -> float:
    """The least epsilon at which two laws, given by log-chances, are within delta both ways.

    Examples
    --------
    >>> round(epsilon_at(0.0, np.log([0.5, 0.5]), np.log([0.25, 0.75])), 3)
    0.693
    """
    ratio = np.abs(here - there)
    if delta == 0.0:
        return float(ratio.max())
    low, high = 0.0, float(ratio.max())
    for _ in range(60):
        middle = (low + high) / 2.0
        excess = [
            float(np.maximum(np.exp(one) - np.exp(middle + other), 0.0).sum())
            for one, other in ((here, there), (there, here))
        ]
        low, high = (middle, high) if max(excess) > delta else (low, middle)
    return high


def _smooth_noise_loss(mechanism: SmoothNoise, pair: Pair) -> float:
    """Independent results add up; each at its share of delta, so an upper bound with delta."""
    sides = [mechanism.centres_and_scales(side) for side in (pair.here, pair.there)]
    (centres, scales), (other_centres, other_scales) = (
        (centre.ravel(), scale.ravel()) for centre, scale in sides
    )
    changed = np.flatnonzero((centres != other_centres) | (scales != other_scales)).tolist()
    delta = float(mechanism.loss.delta) / max(len(changed), 1)
    return sum(
        epsilon_at(
            delta,
            _log_chances(mechanism, centres[place], scales[place]),
            _log_chances(mechanism, other_centres[place], other_scales[place]),
        )
        for place in changed
    )


_SMOOTH_NOISE = ExactLaw(
    mechanisms=(SmoothCauchy, PublishedSmoothCauchy, SmoothGaussian), loss=_smooth_noise_loss
)


def density_loss(shift: float, scale: float, other_scale: float) -> float:
    """The largest log-ratio of two Cauchy densities, found on a fine grid of points.

    The independent check of `dpcore.mechanisms.cauchy_loss`, which is the hyperbolic distance of
    the points (median, scale).

    Examples
    --------
    >>> from dpcore.mechanisms import cauchy_loss
    >>> abs(density_loss(1.0, 1.0, 1.5) - cauchy_loss(1.0, 1.0, 1.5)) < 1e-6
    True
    """
    angles = np.linspace(-np.pi / 2, np.pi / 2, 400_001)[1:-1]
    x = shift / 2.0 + max(scale, other_scale) * np.tan(angles)
    ratio = _log_density(x, 0.0, scale) - _log_density(x, shift, other_scale)
    return float(np.abs(ratio).max())


def _log_density(x: FloatArray, median: float, scale: float) -> FloatArray:
    return np.asarray(np.log(scale) - np.log(scale**2 + (x - median) ** 2))


def worst_smooth_loss(beta: float, alpha: float, changes: int = 9) -> float:
    """The largest loss of f + S / alpha Cauchy between neighbours, S beta-smooth.

    Medians lie at most S apart, and the other sensitivity is e^b S with |b| at most beta.

    Examples
    --------
    >>> from dpcore.mechanisms import cauchy_rate
    >>> worst_smooth_loss(0.5, cauchy_rate(1.0, 0.5)) <= 1.0 + 1e-6
    True
    >>> worst_smooth_loss(1.0, 0.5**0.5) > 1.07  # the scale of the print, with beta = epsilon = 1
    True
    """
    return max(
        density_loss(1.0, 1.0 / alpha, float(np.exp(b)) / alpha)
        for b in np.linspace(0.0, beta, changes)
    )


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


def _medians_loss(mechanism: SmoothMedians, pair: Pair) -> float | None:
    if mechanism.cuts.size != 2:
        return None
    here, there = _law(mechanism, pair.here), _law(mechanism, pair.there)
    return float(np.abs(np.log(here / there)).max())


_MEDIANS = ExactLaw(mechanisms=(SmoothMedians, PublishedSmoothMedians), loss=_medians_loss)

EXACT = (
    _SMOOTH_NOISE,
    _MEDIANS,
)
