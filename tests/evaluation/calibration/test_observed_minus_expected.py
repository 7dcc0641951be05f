"""The default method: what it costs, what it releases, how it divides epsilon."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.calibration import observed_minus_expected
from dpcore.evaluation.calibration.measurement import UNIT, Groups, group_totals
from dpcore.evaluation.calibration.observed_minus_expected import METHOD, run, sum_shares
from dpcore.release import open_gate
from tests.evaluation.calibration._records import scored, worst_cost


@pytest.mark.spanning
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("edges", ["fixed", "quantile"])
@pytest.mark.parametrize("groups", [3, 5])
def test_every_small_neighbour_costs_at_most_epsilon(
    neighbors: Neighbors, edges: str, groups: int
) -> None:
    worst = worst_cost(METHOD, neighbors, Loss(1), groups=groups, edges=edges)
    # Scores are in the middle of cells, so the sum never moves by all of its bound.
    assert Fraction(8, 10) < worst <= 1


def test_an_understated_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed_minus_expected, "UNIT", UNIT // 2)
    assert worst_cost(METHOD, Neighbors.ADD_REMOVE, Loss(1), groups=3, edges="fixed") > 1


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_totals_are_the_exact_ones_plus_noise(neighbors: Neighbors) -> None:
    scores = scored(5_000, 1)
    gate = open_gate(Loss(10**6), neighbors=neighbors, noise=SeededNoise(1))
    measured = run(scores, loss=Loss(10**6), gate=gate, groups=10, edges="quantile")
    exact = group_totals(scores, measured.groups)
    np.testing.assert_array_equal(measured.sums.positives, exact.positives)
    np.testing.assert_array_equal(measured.sums.negatives, exact.negatives)
    in_scores = exact.offsets * measured.groups.half_width / UNIT
    np.testing.assert_allclose(measured.sums.offsets, in_scores, atol=1e-4)
    cells = scores.positives + scores.negatives
    expected = np.add.reduceat(cells * scores.centers, measured.groups.cuts[:-1])
    np.testing.assert_allclose(measured.expected[0], expected, atol=1e-2)
    np.testing.assert_allclose(measured.expected.sum(axis=0), exact.positives + exact.negatives)


def test_stated_scales_are_those_of_the_mechanism() -> None:
    gate = open_gate(Loss(1), neighbors="replace", noise=SeededNoise(1))
    measured = run(scored(500, 1), loss=Loss(1), gate=gate, groups=4, edges="fixed")
    shares = np.array([float(share) for share in sum_shares(measured.groups)])
    np.testing.assert_allclose(measured.count_scale, 2 / (1 - shares))
    width = measured.groups.half_width
    np.testing.assert_allclose(measured.offset_scales, [2 * width / shares])


def test_shares_make_the_residual_most_precise() -> None:
    groups = Groups(np.array([0.0, 0.02, 0.3, 1.0]), np.arange(4))
    middle, width = groups.middle, groups.half_width

    def variance(share: np.ndarray) -> np.ndarray:
        weight = (1 - middle) ** 2 + middle**2
        return weight / (1 - share) ** 2 + width**2 / share**2

    ours = variance(np.array([float(share) for share in sum_shares(groups)]))
    for step in range(1, 64):
        assert (ours <= variance(np.full(3, step / 64)) * 1.01).all()


def test_shares_are_always_usable() -> None:
    thin = Groups(np.array([0.0, 1e-9, 1.0]), np.arange(3))
    assert all(0 < share < 1 for share in sum_shares(thin))


@pytest.mark.parametrize("cells", [2, 3, 10])
def test_a_grid_as_coarse_as_the_groups_is_used_as_it_is(cells: int) -> None:
    scores = ScoreHistogram.from_arrays([0, 1], [0.1, 0.8], cells=cells)
    gate = open_gate(Loss(1), noise=SeededNoise(1))
    measured = run(scores, loss=Loss(1), gate=gate, groups=10, edges="quantile")
    np.testing.assert_array_equal(measured.groups.edges, scores.edges)
    assert [charge.loss for charge in gate.charges] == [Loss(1)]
