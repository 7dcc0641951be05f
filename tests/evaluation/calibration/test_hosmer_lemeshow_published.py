"""Algorithm 2 as published: scales, search, cost, and that its p-value is not valid."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation import private_calibration
from dpcore.evaluation.calibration.hosmer_lemeshow_published import METHOD, quantile_search, run
from dpcore.release import open_gate
from tests.evaluation.calibration._records import scored, worst_cost


@pytest.mark.few(2)
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("edges", ["fixed", "quantile"])
def test_every_small_neighbour_costs_at_most_epsilon(neighbors: Neighbors, edges: str) -> None:
    worst = worst_cost(METHOD, neighbors, Loss(1), groups=4, edges=edges)
    # The claim is eight shares; two are used under add-remove, four under replace.
    steps, used = (19 if edges == "quantile" else 8), neighbors.pick(add_remove=2, replace=4)
    tree = 11 if edges == "quantile" else 0
    assert worst == Fraction(tree + used, steps)


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("levels", [6, 10])
def test_scales_are_the_published_ones(neighbors: Neighbors, levels: int) -> None:
    gate = open_gate(Loss(1), neighbors=neighbors, noise=SeededNoise(1))
    measured = run(
        scored(3_000, 1), loss=Loss(1), gate=gate, groups=10, edges="quantile", levels=levels
    )
    np.testing.assert_allclose(measured.count_scale, levels + 9)
    middle = measured.groups.middle
    np.testing.assert_allclose(
        measured.offset_scales, (levels + 9) * np.stack([1 - middle, middle])
    )


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_with_much_epsilon_it_is_the_exact_table(neighbors: Neighbors) -> None:
    scores = scored(20_000, 1)
    gate = open_gate(Loss(10**6), neighbors=neighbors, noise=SeededNoise(1))
    measured = run(scores, loss=Loss(10**6), gate=gate, groups=5, edges="quantile", levels=12)
    starts = measured.groups.cuts[:-1]
    count = scores.positives + scores.negatives
    size = np.add.reduceat(count, starts)
    np.testing.assert_array_equal(
        measured.sums.positives, np.add.reduceat(scores.positives, starts)
    )
    np.testing.assert_allclose(size, 4_000, rtol=0.05)
    expected = np.add.reduceat(count * scores.centers, starts)
    np.testing.assert_allclose(measured.expected[0], expected, atol=0.01)
    np.testing.assert_allclose(measured.expected[1], size - expected, atol=0.01)
    offset = expected - measured.groups.middle * size
    np.testing.assert_allclose(measured.sums.offsets, offset, atol=0.01)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=40), st.floats(0.01, 0.99, exclude_max=True)
)
def test_binary_search_finds_the_first_point_that_reaches(counts: list[int], share: float) -> None:
    prefix = np.cumsum(counts)
    total = int(prefix[-1])
    found = quantile_search(prefix, share, total)
    reached = np.flatnonzero(prefix >= share * total)
    assert found == reached[0] + 1


@pytest.mark.slow
def test_the_naive_p_value_rejects_calibrated_models() -> None:
    rejected = [
        private_calibration(
            scored(3_000, run), epsilon=1, noise=SeededNoise(run), method=METHOD.name
        ).p_value_naive
        <= 0.05
        for run in range(60)
    ]
    assert np.mean(rejected) > 0.3
