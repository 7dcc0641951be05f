"""One set of counts from noisy counts on every level of a tree: two passes of least squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import FloatArray


def fit_tree(levels: Sequence[NDArray[Any]], *, total: float | None = None) -> FloatArray:
    """The linear unbiased estimate of least variance of each leaf.

    Parameters
    ----------
    levels
        Noisy counts from the coarsest measured level to the leaves, with noise of equal variance.
        Each node of a level has equally many children, side by side on the next one. The first
        level may have any number of nodes.
    total
        The sum of all counts, where it is public; do not pass a noisy one.

    Returns
    -------
    float array, shape (leaves,)

    Notes
    -----
    Upwards, a node's own count and the sum of its children's estimates are averaged by inverse
    variance; downwards, what a node's final estimate exceeds the sum of its children is shared
    equally among them.

    References
    ----------
    M. Hay, V. Rastogi, G. Miklau, D. Suciu (2010), Boosting the accuracy of differentially private
    histograms through consistency, PVLDB 3(1), Theorem 3. doi:10.14778/1920841.1920970

    Examples
    --------
    >>> fit_tree([np.array([3.0]), np.array([1.0, 5.0])]).tolist()
    [0.0, 4.0]
    """
    upward = [np.asarray(levels[-1], dtype=np.float64)]
    variance = 1.0
    for level in levels[-2::-1]:
        own = np.asarray(level, dtype=np.float64)
        branching = upward[0].size // own.size
        below = branching * variance
        share = below / (below + 1.0)
        upward.insert(0, share * own + (1.0 - share) * _sums(upward[0], own.size))
        variance = share
    final = upward[0]
    if total is not None:
        final = final + (total - final.sum()) / final.size
    for level in upward[1:]:
        branching = level.size // final.size
        final = level + np.repeat((final - _sums(level, final.size)) / branching, branching)
    return final


def _sums(children: FloatArray, parents: int) -> FloatArray:
    return np.asarray(children.reshape(parents, -1).sum(axis=1), dtype=np.float64)
