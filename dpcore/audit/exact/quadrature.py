"""Points and weights to integrate smooth pieces."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["pieces"]

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
