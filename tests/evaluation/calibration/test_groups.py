"""Groups and their exact totals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.calibration.groups import (
    UNIT,
    Groups,
    fixed_groups,
    group_totals,
    quantile_groups,
)
from dpcore.release import open_gate
from tests.evaluation.calibration._records import scored

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
