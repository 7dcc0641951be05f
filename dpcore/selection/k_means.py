"""Cluster released points: post-processing, so it may look at them as often as it likes."""

from __future__ import annotations

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.counts.published_clusters import nearest

__all__ = ["k_means"]


def k_means(points: FloatArray, clusters: int, rounds: int) -> tuple[IntArray, FloatArray]:
    """Lloyd's iteration from points at falling ranks: the whole, the half, the quarter, ...

    Parameters
    ----------
    points : float array, shape (n, dimensions)
        Released, or public.
    clusters, rounds : int
        At least 1.

    Returns
    -------
    members : int array, shape (n,)
        Cluster of each point.
    centres : float array, shape (clusters, dimensions)

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [0.0], [90.0], [1.0], [91.0]])
    >>> members, centres = k_means(points, 2, 5)
    >>> members.tolist(), centres.ravel().tolist()
    ([1, 1, 1, 0, 1, 0], [90.5, 0.5])
    """
    _check.integer_in_range(1, None, clusters=clusters, rounds=rounds)
    if not points.size:
        return np.zeros(points.shape[0], dtype=np.int64), np.zeros((clusters, points.shape[1]))
    falling = np.argsort(-points.sum(axis=1), kind="stable")
    ranks = (points.shape[0] - 1) * np.append(0.0, 0.5 ** np.arange(clusters - 1)[::-1])
    centres = points[falling[ranks[:clusters].astype(np.int64)]].copy()
    for _ in range(rounds):
        members = nearest(points, centres)
        sizes = np.bincount(members, minlength=clusters)
        for axis in range(points.shape[1]):
            sums = np.bincount(members, weights=points[:, axis], minlength=clusters)
            filled = sizes > 0
            centres[filled, axis] = sums[filled] / sizes[filled]
    return nearest(points, centres), centres
