"""Select clusters of features that look alike: by two noisy counts each, and as published."""

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import PublishedClusters
from dpcore.mechanisms.counts.clusters_as_published import nearest
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.selection.methods import declared
from dpcore.selection.methods.noisy_scores import noisy_values
from dpcore.selection.problem import Selected, SelectionProblem


def k_means(points: FloatArray, clusters: int, rounds: int) -> tuple[IntArray, FloatArray]:
    """Lloyd's iteration from points at falling ranks: the whole, the half, the quarter, ...

    Parameters
    ----------
    points : float array, shape (n, dimensions)
        Released, or public.
    clusters, rounds
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


def cluster(
    problem: SelectionProblem, *, loss: Loss, gate: Gate, clusters: int, rounds: int
) -> Selected:
    """Perturb the counts of every feature, cluster the noisy points, and accept whole clusters.

    By `top_k` clusters are taken in the order of their scores; within a cluster features come in
    the order of their own noisy scores.

    Sensitivity
        A feature is the point of its counts outside and inside of class 1. A record adds its row,
        of norm at most s, to the points: s in L1 under add-remove, 2 s under replace, whatever the
        number of features.
    Privacy
        epsilon-DP; one charge. Clustering what was released is post-processing.

    References
    ----------
    The idea is that of B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Section 3.3
    (arXiv:1411.5428), whose method is not private (`cluster-published`); adding the noise first
    is the project's own.
    """
    records = problem.records
    assert records is not None
    assert records.score.of_counts is not None
    points, most = records.points(), problem.neighbors.steps * records.public.norm
    noisy = noisy_values(problem, points, most, loss=loss, gate=gate, label="feature counts")
    members, centres = k_means(noisy, clusters, rounds)
    shared, own = (records.score.of_counts(points) for points in (centres, noisy))
    if problem.rule == "threshold":
        return Selected(np.flatnonzero(shared[members] > problem.bar), own)
    return Selected(np.sort(np.lexsort((-own, -shared[members]))[: problem.k]), own)


_CLUSTER = declared("cluster", cluster, reads_records=True)


def cluster_published(
    problem: SelectionProblem, *, loss: Loss, gate: Gate, clusters: int, rounds: int
) -> Selected:
    """Cluster the counts of the features with noisy k-means, and accept whole clusters.

    The publication begins at random centres; these begin at public ones, spread about the
    threshold.

    Privacy
        None, see `dpcore.mechanisms.PublishedClusters`; one charge of what is claimed.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Algorithm 1. arXiv:1411.5428
    """
    records = problem.records
    assert records is not None
    assert records.score.of_counts is not None
    centres, relation = _spread(problem.bar, clusters), problem.neighbors
    bound = records.public.norm
    mechanism = PublishedClusters(
        epsilon=loss.epsilon, centres=centres, rounds=rounds, row_bound=bound, neighbors=relation
    )
    found = gate.release(mechanism, records.points(), label="clusters of features")
    accepted = records.score.of_counts(found.centres) >= problem.bar
    return Selected(np.flatnonzero(accepted[found.members]))


def _spread(threshold: float, clusters: int) -> FloatArray:
    """Centres whose counts add up to the threshold times powers of two, half of them below."""
    totals = max(threshold, 1.0) * 2.0 ** (np.arange(clusters) - clusters // 2)
    return np.stack([totals / 2, totals / 2], axis=1)


_PROMISE = {"guarantee": PublishedClusters.guarantee, "rules": ("threshold",)}

_CLUSTER_PUBLISHED = declared(
    "cluster-published", cluster_published, reads_records=True, **_PROMISE
)

METHOD = (_CLUSTER, _CLUSTER_PUBLISHED)
