"""The chance that a cluster is accepted, by integration."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedClusters
from dpcore.selection.exact import acceptance, accepted, only_the_second


def test_with_one_point_and_hardly_any_noise_on_the_size() -> None:
    """P(7 + Lap(2) >= 5) = 1 - exp(-1) / 2."""
    found = acceptance(7.0, 1, 5.0, sum_scale=2.0, size_scale=1e-6)
    assert found == pytest.approx(1 - exp(-1) / 2, abs=1e-5)


@pytest.mark.statistical
def test_the_mechanism_accepts_as_often() -> None:
    mechanism = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)
    points, noise, n = np.array([[6.0], [7.0], [8.0]]), SeededNoise(0), 6000
    draws = [mechanism.draw(points, noise) for _ in range(n)]
    assert all(drawn.members.tolist() == [0, 1, 1] for drawn in draws)
    for cluster, total, size in ((0, 6.0, 1), (1, 15.0, 2)):
        seen = np.mean([drawn.centres[cluster, 0] >= 5 for drawn in draws])
        expected = acceptance(total, size, 5.0, sum_scale=2.0, size_scale=2.0)
        error = 6 * np.sqrt(expected * (1 - expected) / n)
        assert abs(seen - expected) < error
        assert abs(seen - acceptance(total, size, 5.0, sum_scale=2.0, size_scale=0.3)) > error


def test_scales_are_positive() -> None:
    with pytest.raises(InvalidArgument, match="sum_scale"):
        acceptance(1.0, 1, 1.0, sum_scale=0.0, size_scale=1.0)


ONCE = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)


def test_the_second_alone_is_possible_only_in_a_cluster_of_its_own() -> None:
    chances = [only_the_second(ONCE, np.array([[6.0], [count]]), 5.0) for count in (6.0, 7.0, 8.0)]
    assert chances[0] == 0.0
    assert chances[1] == pytest.approx(0.295, abs=5e-4)
    assert chances[1] < chances[2] < 1.0


def test_a_record_carries_a_whole_count_to_another_cluster() -> None:
    """50 zeros and a count of 1000 or 1001, centres 0 and 2001, threshold 50."""
    crossing = PublishedClusters(epsilon=1, centres=np.array([[0.0], [2001.0]]), rounds=1)
    zeros = np.zeros((50, 1))
    below = accepted(crossing, np.vstack([zeros, [[1000.0]]]), 50.0, 0)
    above = accepted(crossing, np.vstack([zeros, [[1001.0]]]), 50.0, 1)
    assert below == pytest.approx(9.3e-8, rel=0.02)
    assert above == pytest.approx(0.99996, abs=5e-6)


def test_later_rounds_have_no_exact_probability() -> None:
    twice = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=2)
    with pytest.raises(InvalidArgument, match="^rounds must be 1"):
        accepted(twice, np.zeros((2, 1)), 5.0, 0)
