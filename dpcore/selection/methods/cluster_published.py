"""Select clusters of features by private k-means, as published."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import PublishedClusters
from dpcore.privacy import Loss
from dpcore.registry import Parameter
from dpcore.release import Gate
from dpcore.selection.methods.cluster import CLUSTERS
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "cluster_published"]


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
    mechanism = PublishedClusters(
        epsilon=loss.epsilon,
        centres=_spread(problem.bar, clusters),
        rounds=rounds,
        row_bound=records.public.norm,
        neighbors=problem.neighbors,
    )
    found = gate.release(mechanism, records.points(), label="clusters of features")
    accepted = records.score.of_counts(found.centres) >= problem.bar
    return Selected(np.flatnonzero(accepted[found.members]))


def _spread(threshold: float, clusters: int) -> FloatArray:
    """Centres whose counts add up to the threshold times powers of two, half of them below."""
    totals = max(threshold, 1.0) * 2.0 ** (np.arange(clusters) - clusters // 2)
    return np.stack([totals / 2, totals / 2], axis=1)


METHOD = Selector(
    name="cluster-published",
    title="Clusters, as published",
    summary="Noisy k-means of the features, whose memberships are released as they are.",
    run=cluster_published,
    guarantee=PublishedClusters.guarantee,
    reference="Stoddard, Chen and Machanavajjhala 2014, Section 3.3",
    parameters=(
        CLUSTERS,
        Parameter(
            name="rounds", kind=int, default=5, minimum=1, maximum=100, label="Rounds of k-means"
        ),
    ),
    rules=("threshold",),
    reads_records=True,
)
