"""The chance that a cluster is accepted, by integration."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedClusters
from dpcore.selection.exact import acceptance


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
