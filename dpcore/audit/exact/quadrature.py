"""Points and weights to integrate smooth pieces."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["laplace_density", "laplace_tail", "pieces"]

_ORDER = 24
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_ORDER)


def pieces(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gauss-Legendre points and weights for every interval between neighbouring ends.

    Examples
    --------
    >>> points, weights = pieces(np.array([0.0, 1.0, 3.0]))
    >>> round(float((weights * points**2).sum()), 9)
    9.0
    """
    half = np.diff(ends)[:, np.newaxis] / 2.0
    middle = ends[:-1, np.newaxis] + half
    return (middle + half * _NODES).ravel(), (half * _WEIGHTS).ravel()


def laplace_density(x: FloatArray, scale: float) -> FloatArray:
    """Density of Laplace noise."""
    return np.asarray(np.exp(-np.abs(x) / scale) / (2.0 * scale))


def laplace_tail(x: FloatArray, scale: float) -> FloatArray:
    """P(noise >= x) of Laplace noise, accurate in the far tail too.

    Examples
    --------
    >>> laplace_tail(np.array([0.0]), 2.0).tolist()
    [0.5]
    """
    small = 0.5 * np.exp(-np.abs(x) / scale)
    return np.asarray(np.where(x >= 0.0, small, 1.0 - small))
