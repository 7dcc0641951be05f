"""Clusters of noisy counts: the noise is that of the counts, and the rest is post-processing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms.counts.clusters_as_published import nearest
from dpcore.selection import SelectionRelease, select_features, select_top_k
from dpcore.selection.methods.cluster import METHOD, k_means

ROWS_OF_CLUSTER_PUBLISHED = np.repeat(np.eye(6), [90, 85, 80, 3, 2, 1], axis=0)


def test_with_little_noise_the_high_cluster_is_accepted() -> None:
    picked = select_features(
        ROWS_OF_CLUSTER_PUBLISHED,
        method="cluster-published",
        threshold=40,
        epsilon=10_000,
        noise=SeededNoise(0),
    )
    assert picked.selected.tolist() == [0, 1, 2]
    assert [charge.loss for charge in picked.charges] == [Loss(10_000)]
    assert picked.scores is None


def test_it_is_broken_and_refused() -> None:
    assert METHOD[1].guarantee.word == "BROKEN"
    for part in ("memberships", ".295", ".99996", "2 s"):
        assert part in METHOD[1].guarantee.reason
    with pytest.raises(NotPrivate, match="memberships"):
        select_features(
            ROWS_OF_CLUSTER_PUBLISHED,
            method="cluster-published",
            threshold=4,
            epsilon=1,
            noise=SystemNoise(),
        )


def test_it_selects_by_threshold_only() -> None:
    with pytest.raises(InvalidArgument, match="selects by threshold"):
        select_features(
            ROWS_OF_CLUSTER_PUBLISHED,
            method="cluster-published",
            top_k=2,
            epsilon=1,
            noise=SeededNoise(0),
        )


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6))
def test_points_lie_in_the_nearest_cluster(seed: int, clusters: int, rounds: int) -> None:
    points = np.random.default_rng(seed).normal(size=(30, 2)) * 100
    members, centres = k_means(points, clusters, rounds)
    assert centres.shape == (clusters, 2)
    np.testing.assert_array_equal(members, nearest(points, centres))


def test_clear_clusters_are_found() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], [500, 40, 5])
    points = np.array([[0, 0], [50, 60], [900, 700]])[truth] + rng.normal(size=(545, 2))
    members, centres = k_means(points, 3, 20)
    for group in range(3):
        assert np.unique(members[truth == group]).size == 1
    assert np.unique(members).size == 3
    assert centres[members[-1]] == pytest.approx([900, 700], abs=2)


def test_no_points() -> None:
    members, centres = k_means(np.zeros((0, 2)), 3, 5)
    assert members.size == 0
    assert centres.shape == (3, 2)


def test_fewer_points_than_clusters() -> None:
    members, _ = k_means(np.array([[1.0], [5.0]]), 8, 3)
    assert members[0] != members[1]


def test_no_clusters() -> None:
    with pytest.raises(InvalidArgument, match="clusters"):
        k_means(np.zeros((3, 1)), 0, 1)


RNG = np.random.default_rng(1)

Y = RNG.integers(0, 2, 400)

CHANCES = np.repeat([0.9, 0.3, 0.02], [4, 6, 30])

ROWS = (RNG.random((400, 40)) < CHANCES).astype(float)


def pick(**arguments: Any) -> SelectionRelease:
    defaults = {"method": "cluster", "epsilon": 100, "noise": SeededNoise(0), "max_nonzeros": 12}
    return select_features(ROWS, Y, **(defaults | arguments))  # type: ignore[arg-type]


def test_whole_clusters_are_accepted() -> None:
    assert pick(threshold=200, clusters=3).selected.tolist() == [0, 1, 2, 3]
    assert pick(threshold=60, clusters=3).selected.tolist() == list(range(10))


def test_by_number_clusters_come_in_order() -> None:
    assert pick(top_k=4).selected.tolist() == [0, 1, 2, 3]
    assert set(range(4)) < set(pick(top_k=7).selected.tolist()) < set(range(10))


@pytest.mark.parametrize("score", ["total-count", "difference-count"])
def test_the_charge_and_the_scores(score: str) -> None:
    picked = pick(top_k=4, score=score, epsilon="0.5", noise=SystemNoise())
    assert [charge.loss for charge in picked.charges] == [Loss("0.5")]
    assert picked.scores is not None
    assert picked.scores.shape == (40,)


@pytest.mark.parametrize("how", ["truncate", "weight"])
@pytest.mark.parametrize("neighbors, factor", [("add-remove", 1), ("replace", 2)])
def test_the_noise_is_that_of_the_row_bound(how: str, neighbors: str, factor: int) -> None:
    """Total counts are sums of two counts: the mean absolute sum of two Laplace is 3/2 scales."""
    draws = [
        select_features(
            np.zeros((0, 30)),
            np.zeros(0),
            method="cluster",
            epsilon=1,
            top_k=1,
            max_nonzeros=5,
            row_bound=how,
            neighbors=neighbors,
            noise=SeededNoise(seed),
        ).scores
        for seed in range(60)
    ]
    assert np.abs(draws).mean() == pytest.approx(1.5 * 5 * factor, rel=0.1)


@pytest.mark.parametrize("score", ["purity-index", "information-gain"])
def test_a_score_that_counts_do_not_decide(score: str) -> None:
    with pytest.raises(InvalidArgument, match="^score must be total-count or difference-count"):
        pick(top_k=2, score=score, max_rows=400)


def test_scores_alone_are_not_enough() -> None:
    with pytest.raises(InvalidArgument, match="needs records"):
        select_top_k([1.0, 2.0], k=1, epsilon=1, method="cluster", noise=SeededNoise(0))
