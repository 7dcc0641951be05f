"""One round of the published clustering of features: how likely features are accepted."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import quad

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedClusters
from dpcore.mechanisms.counts.published_clusters import nearest

__all__ = ["acceptance", "accepted", "only_the_second"]


def acceptance(
    total: float, size: int, threshold: float, *, sum_scale: float, size_scale: float
) -> float:
    """Probability that the noisy centre of one-dimensional points reaches a threshold.

    Parameters
    ----------
    total : float
        Sum of the points of the cluster.
    size : int
        Their number.
    threshold : float
    sum_scale, size_scale : float
        Of the Laplace noise on both; the centre is the noisy sum over the noisy size, at least 1.

    Returns
    -------
    float

    Examples
    --------
    >>> round(acceptance(7.0, 1, 5.0, sum_scale=2.0, size_scale=2.0), 3)
    0.505
    """
    _check.positive(sum_scale=sum_scale, size_scale=size_scale)

    def given(noise: float) -> float:
        gap = (total - threshold * max(size + noise, 1.0)) / sum_scale
        above = 1.0 - 0.5 * np.exp(-gap) if gap > 0 else 0.5 * np.exp(gap)
        return float(above * np.exp(-abs(noise) / size_scale) / (2.0 * size_scale))

    reach = 50.0 * size_scale
    kinks = sorted({-reach, reach, 0.0, 1.0 - size, *_inside(total / threshold - size, reach)})
    pairs = pairwise(kinks)
    return float(sum(quad(given, low, high, epsabs=1e-13, limit=200)[0] for low, high in pairs))


def accepted(
    mechanism: PublishedClusters, points: FloatArray, threshold: float, cluster: int
) -> float:
    """Probability that a cluster of counts is accepted after one round.

    Parameters
    ----------
    mechanism : PublishedClusters
        Of one round, with centres of shape (clusters, 1).
    points : float array, shape (features, 1)
        Counts.
    threshold : float
        The centre of an accepted cluster reaches it.
    cluster : int

    Raises
    ------
    InvalidArgument
        With more rounds: the centres of the next ones are random.

    Examples
    --------
    >>> once = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)
    >>> round(accepted(once, np.array([[6.0], [7.0]]), 5.0, 1), 3)
    0.505
    """
    if mechanism.rounds != 1:
        raise InvalidArgument("rounds", mechanism.rounds, "1, for an exact probability")
    mine = points[nearest(points, mechanism.centres) == cluster]
    return acceptance(
        float(mine.sum()),
        mine.shape[0],
        threshold,
        sum_scale=float(mechanism.sum_scale),
        size_scale=float(mechanism.size_scale),
    )


def only_the_second(mechanism: PublishedClusters, points: FloatArray, threshold: float) -> float:
    """Probability that the second of two features is accepted and the first is not.

    It is 0 if both are in one cluster: memberships get no noise.

    Parameters
    ----------
    mechanism, points, threshold
        See `accepted`; two points.

    Examples
    --------
    >>> once = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)
    >>> [round(only_the_second(once, np.array([[6.0], [second]]), 5.0), 3) for second in (6.0, 7.0)]
    [0.0, 0.295]
    """
    first, second = nearest(points, mechanism.centres).tolist()
    if first == second:
        return 0.0
    chances = [accepted(mechanism, points, threshold, cluster) for cluster in (first, second)]
    return (1.0 - chances[0]) * chances[1]


def _inside(kink: float, reach: float) -> list[float]:
    return [kink] if abs(kink) < reach else []
