"""K-means as post-processing: every point in its nearest cluster, and nothing random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.mechanisms.counts.published_clusters import nearest
from dpcore.selection.k_means import k_means


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
