"""Cauchy noise at the scale of a smooth sensitivity, checked by the densities themselves."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["density_loss", "worst_smooth_loss"]


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
