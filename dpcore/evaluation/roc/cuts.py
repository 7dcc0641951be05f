"""Public thresholds on the edges of a score histogram."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray

__all__ = ["coarse_cuts", "nearest_cuts", "uniform_cuts"]


def nearest_cuts(edges: FloatArray, thresholds: FloatArray) -> IntArray:
    """Indices of the inner edges nearest to ascending thresholds, each edge once.

    Parameters
    ----------
    edges : float array, shape (cells + 1,)
    thresholds : float array, shape (points,)
        Ascending.

    Examples
    --------
    >>> nearest_cuts(np.array([0.0, 0.2, 0.5, 1.0]), np.array([0.1, 0.3, 0.45])).tolist()
    [1, 2]
    """
    after = np.clip(np.searchsorted(edges, thresholds), 1, edges.size - 1)
    nearest = after - (thresholds - edges[after - 1] < edges[after] - thresholds)
    # Ascending already, so equal neighbours are all there is to remove.
    inner = np.clip(nearest, 1, edges.size - 2)
    return inner[np.diff(inner, prepend=0) > 0]


def uniform_cuts(edges: FloatArray, cells: int) -> IntArray:
    """Indices of the edges nearest to 1/cells, 2/cells, ..., none for a single cell."""
    return nearest_cuts(edges, np.arange(1, cells) / cells)


def coarse_cuts(edges: FloatArray, most: int = 2**13) -> IntArray:
    """Indices of at most ``most + 1`` edges at even steps, the first and the last among them.

    Examples
    --------
    >>> coarse_cuts(np.linspace(0, 1, 101), most=4).tolist()
    [0, 25, 50, 75, 100]
    """
    cells = edges.size - 1
    return np.linspace(0, cells, min(cells, most) + 1).round().astype(np.int64)
