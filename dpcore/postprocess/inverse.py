"""Where a distribution function reaches a level: binary search, as in Algorithm 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument

__all__ = ["first_reaching"]


def first_reaching(cdf: FloatArray, levels: ArrayLike) -> IntArray:
    """Index of the first point at which a distribution function reaches each level.

    Parameters
    ----------
    cdf : float array, shape (points,)
        Usually non-decreasing; if noise left it otherwise, the search still ends, at a point that
        reaches the level while its left neighbour does not, or at the last point.
    levels : array-like
        In [0, 1].

    Returns
    -------
    int array of the shape of `levels`
        The last index if the level is never reached.

    Raises
    ------
    InvalidArgument
        If a level is not in [0, 1].

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Algorithm 1 (here over the points of the grid rather than a real interval).

    Examples
    --------
    >>> first_reaching(np.array([0.2, 0.5, 0.5, 1.0]), [0.1, 0.5, 0.7]).tolist()
    [0, 1, 3]
    """
    wanted = np.asarray(levels, dtype=np.float64)
    if not ((wanted >= 0.0) & (wanted <= 1.0)).all():
        raise InvalidArgument("q", levels, "in [0, 1]")
    below = np.full(wanted.shape, -1, dtype=np.int64)
    reaching = np.full(wanted.shape, cdf.size - 1, dtype=np.int64)
    for _ in range(cdf.size.bit_length()):
        open_ = reaching - below > 1
        middle = np.where(open_, (below + reaching) // 2, reaching)
        reaches = cdf[middle] >= wanted
        reaching = np.where(open_ & reaches, middle, reaching)
        below = np.where(open_ & ~reaches, middle, below)
    return reaching
