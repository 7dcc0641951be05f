"""Noisy counts made non-negative."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["project_to_simplex", "scale_to_simplex"]


def project_to_simplex(values: FloatArray, total: float) -> FloatArray:
    """Nearest vector in L2 of non-negative numbers with the given sum.

    Parameters
    ----------
    values : float array, shape (cells,)
    total : float
        Positive.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra (2008), Efficient projections onto the
    l1-ball for learning in high dimensions, ICML, Figure 1. doi:10.1145/1390156.1390191

    Examples
    --------
    >>> project_to_simplex(np.array([3.0, -1.0, 2.0]), 4.0).tolist()
    [2.5, 0.0, 1.5]
    """
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - total) / np.arange(1, values.size + 1)
    # The largest entry always survives (total > 0), also where rounding hides that.
    survivors = max(int((descending > excess).sum()), 1)
    return np.asarray(np.maximum(values - excess[survivors - 1], 0.0), dtype=np.float64)


def scale_to_simplex(values: FloatArray, total: float) -> FloatArray:
    """Negative entries set to zero, the others scaled to the given sum.

    All entries become equal if none is positive.

    Examples
    --------
    >>> scale_to_simplex(np.array([3.0, -1.0, 1.0]), 8.0).tolist()
    [6.0, 0.0, 2.0]
    """
    positive = np.maximum(values, 0.0)
    mass = positive.sum()
    if mass <= 0.0:
        return np.full(values.size, total / values.size)
    return np.asarray(positive * (total / mass), dtype=np.float64)
