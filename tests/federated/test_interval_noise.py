"""Stored noise: which intervals a count carries, its covariance, its charge."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise, SystemNoise
from dpcore.federated import Plan
from dpcore.federated.interval_noise import (
    IntervalNoise,
    child_noise,
    intervals_of,
    shared_intervals,
)


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_each_level_gives_one_interval_that_holds_the_cell(depth: int) -> None:
    cells = np.arange(1 << depth)
    intervals = intervals_of(cells, depth)
    assert intervals.shape == (cells.size, depth + 1)
    assert np.unique(intervals).tolist() == list(range(2 * cells.size - 1))
    for level, column in enumerate(intervals.T):
        assert np.bincount(column - column.min()).tolist() == [2**level] * (cells.size >> level)
        assert (np.diff(column) >= 0).all()


def test_the_same_point_has_the_same_noise() -> None:
    plan = Plan(depth=4, classes=2, epsilon=0.3)
    noise = IntervalNoise.drawn(plan, plan.whole_noise(), SeededNoise(1), "somebody")
    at = noise.at(np.array([3, 9, 3]), plan)
    assert at.shape == (2, 3)
    assert at[:, 0].tolist() == at[:, 2].tolist()
    assert at[0].tolist() != at[1].tolist()
    assert not IntervalNoise.none(plan).at(np.arange(16), plan).any()


def test_the_covariance_is_that_of_shared_intervals() -> None:
    plan, points = Plan(depth=3, epsilon=1), np.array([0, 3, 7])
    source = SeededNoise(5)
    draws = np.array(
        [IntervalNoise.drawn(plan, plan.whole_noise(), source, "x").at(points, plan)[0]
         for _ in range(3000)]
    )  # fmt: skip
    expected = plan.noise_variance * shared_intervals(points, 3)
    np.testing.assert_allclose(np.cov(draws.T), expected, atol=0.25 * expected.max())


def test_seeds_are_divided_and_the_system_is_one() -> None:
    seeded, system = SeededNoise(1), SystemNoise()
    assert child_noise(seeded, "a").uniform(1) != child_noise(seeded, "b").uniform(1)
    assert child_noise(system, "a") is system
