"""What is known of a measurement's noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.calibration.measurement import (
    UNIT,
    Groups,
    fixed_groups,
    group_totals,
    quantile_groups,
)
from dpcore.release import open_gate
from tests.evaluation.calibration._records import measured, scored

inner_edges = st.sets(st.integers(1, 63), max_size=8).map(lambda cuts: np.array(sorted(cuts), int))

records = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), max_size=30)


def histogram(rows: list[tuple[int, float]], cells: int = 64) -> ScoreHistogram:
    score = np.array([row[1] for row in rows], dtype=float)
    return ScoreHistogram.from_arrays([row[0] for row in rows], score, cells=cells)


@given(records, inner_edges)
def test_totals_are_those_of_the_records(rows: list[tuple[int, float]], cuts: np.ndarray) -> None:
    scores = histogram(rows)
    groups = Groups.at(scores.edges, cuts)
    totals = group_totals(scores, groups)
    for group in range(groups.size):
        cells = slice(groups.cuts[group], groups.cuts[group + 1])
        ones, zeros = scores.positives[cells], scores.negatives[cells]
        assert totals.positives[group] == ones.sum()
        assert totals.negatives[group] == zeros.sum()
        offset = ((ones + zeros) * (scores.centers[cells] - groups.middle[group])).sum()
        in_steps = offset / groups.half_width[group] * UNIT
        assert totals.offsets[group] == pytest.approx(in_steps, abs=0.5 * len(rows) + 1e-6)


@given(inner_edges, st.integers(0, 63), st.integers(0, 1))
def test_one_record_moves_one_count_by_one_and_the_sum_within_the_unit(
    cuts: np.ndarray, cell: int, label: int
) -> None:
    empty = ScoreHistogram.empty(cells=64)
    counts = np.zeros(64, dtype=np.int64)
    counts[cell] = 1
    sides = (counts, empty.negatives) if label else (empty.positives, counts)
    groups = Groups.at(empty.edges, cuts)
    totals = group_totals(ScoreHistogram(*sides, empty.edges), groups)
    assert totals.positives.sum() + totals.negatives.sum() == 1
    assert np.count_nonzero(totals.positives) == label
    assert np.abs(totals.offsets).sum() <= UNIT


@pytest.mark.parametrize("cuts", [[], [1], [2], [1, 3]])
def test_a_score_stays_within_the_unit_where_cells_are_as_narrow_as_numbers(
    cuts: list[int],
) -> None:
    """The middle of such a group is rounded, away from a score by more than half the width."""
    edges = np.array([0.0, *(1.0 - np.arange(3, -1, -1) * 2.0**-53)])
    groups, nobody = Groups.at(edges, np.array(cuts, dtype=np.int64)), np.zeros(4, dtype=np.int64)
    for one in np.eye(4, dtype=np.int64):
        totals = group_totals(ScoreHistogram(one, nobody, edges), groups)
        assert np.abs(totals.offsets).sum() <= UNIT


def test_fixed_groups_have_equal_widths() -> None:
    groups = fixed_groups(ScoreHistogram.empty().edges, 10)
    np.testing.assert_allclose(groups.edges, np.linspace(0, 1, 11), atol=1e-3)
    assert groups.edges[0] == 0.0
    assert groups.edges[-1] == 1.0


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_quantile_groups_have_nearly_equal_sizes(neighbors: Neighbors) -> None:
    scores = scored(50_000, 1)
    gate = open_gate(Loss(1), neighbors=neighbors, noise=SeededNoise(1))
    groups = quantile_groups(scores, 10, loss=Loss(1), gate=gate)
    totals = group_totals(scores, groups)
    size = totals.positives + totals.negatives
    assert groups.size == 10
    assert size.min() > 4_000
    assert size.max() < 6_000


def test_edges_are_chosen_from_scores_without_a_look_at_classes() -> None:
    scores = scored(2_000, 2)
    swapped = ScoreHistogram(scores.negatives, scores.positives, scores.edges)
    chosen = [
        quantile_groups(one, 5, loss=Loss(1), gate=open_gate(Loss(1), noise=SeededNoise(1))).edges
        for one in (scores, swapped)
    ]
    np.testing.assert_array_equal(*chosen)


def test_residual_is_observed_minus_expected() -> None:
    one = measured([3, 9], [7, 1], [0.5, -0.5])
    np.testing.assert_allclose(one.residual, [3 - 10 * 0.25 - 0.5, 9 - 10 * 0.75 + 0.5])


@pytest.mark.parametrize("scale", [0.3, 1.0, 20.0])
def test_count_variance_is_that_of_the_discrete_law(scale: float) -> None:
    drawn = SeededNoise(1).discrete_laplace(scale, 400_000)
    assert measured([1], [1], scale=scale).count_variance[0] == pytest.approx(drawn.var(), rel=0.03)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_variances_stay_finite(scale: float) -> None:
    one = measured([1, 0], [0, 1], scale=scale)
    assert np.isfinite(one.residual_variance).all()


def test_residual_variance_adds_up() -> None:
    one = measured([5, 5], [5, 5], scale=2.0)
    noise = SeededNoise(2)
    size = 200_000
    counts = [noise.discrete_laplace(2.0, size) for _ in range(2)]
    offsets = np.random.default_rng(3).laplace(0, 2.0 * 0.25, size)
    for group, middle in enumerate((0.25, 0.75)):
        drawn = counts[0] - middle * (counts[0] + counts[1]) - offsets
        assert one.residual_variance[group] == pytest.approx(drawn.var(), rel=0.03)


def test_size_can_divide() -> None:
    assert measured([-3, 4], [1, 4]).size.tolist() == [1.0, 8.0]


def test_the_seed_is_that_of_the_released_numbers() -> None:
    one = measured([5, 5], [5, 5])
    other = measured([5, 5], [5, 6])
    assert one.seed == measured([5, 5], [5, 5]).seed != other.seed
    assert replace(one, count_scale=np.array([9.0, 9.0])).seed == one.seed
