"""Exact counts on a grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation.ecdf.cell_counts import CellCounts, ecdf_of_scores, require_numbers
from dpcore.privacy import Neighbors

GRID = np.array([-1.0, 0.0, 2.5, 4.0])


@given(st.lists(st.sampled_from([-5.0, -1.0, -0.5, 0.0, 1.0, 2.5, 3.0, 4.0, 9.0, np.inf, -np.inf])))
def test_sums_are_the_numbers_of_values_up_to_each_point(values):
    cells = CellCounts.from_values(values, GRID)
    clipped = np.clip(np.array(values), GRID[0], GRID[-1])
    assert np.cumsum(cells.counts).tolist() == [int((clipped <= point).sum()) for point in GRID]


def test_the_exact_curve():
    assert CellCounts(np.array([1, 0, 2, 1]), GRID).cdf.tolist() == [0.25, 0.25, 0.75, 1.0]
    assert CellCounts(np.zeros(4, dtype=int), GRID).cdf.tolist() == [0.0] * 4


@pytest.mark.parametrize("odd", [np.nan, None, "canary", [1, 2], object()])
def test_what_is_no_number_is_left_out_and_counted(odd):
    cells = CellCounts.from_values([0.0, 1.0, odd], GRID)
    assert cells.counts.tolist() == [0, 1, 1, 0]
    assert cells.left_out == 1
    assert cells.as_counted(Neighbors.ADD_REMOVE).tolist() == [0, 1, 1, 0]
    assert cells.as_counted(Neighbors.REPLACE).tolist() == [1, 1, 1, 0]
    with pytest.raises(InvalidArgument, match=r"^values\[2\] must be a number") as refused:
        require_numbers([0.0, 1.0, odd])
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize("values", [np.array([[0.0]]), 1.0])
def test_values_are_a_vector(values):
    with pytest.raises(InvalidArgument, match="values must be a vector"):
        CellCounts.from_values(values, GRID)


@pytest.mark.parametrize("counts", [[1, 2], [1.0, 2.0, 3.0, 4.0], [1, 2, 3, -1]])
def test_counts_are_whole_and_fit_the_grid(counts):
    with pytest.raises(InvalidArgument, match="counts must be 4 whole numbers"):
        CellCounts(np.array(counts), GRID)


def test_scores_left_out_are_counted_among_the_negatives_and_never_the_positives():
    histogram = ScoreHistogram.from_arrays([1, 0, 1], [0.9, 0.2, None])
    counted = {
        part: ecdf_of_scores(histogram, part).as_counted(Neighbors.REPLACE).sum()
        for part in ("positives", "negatives", "all")
    }
    assert counted == {"positives": 1, "negatives": 2, "all": 3}


def test_scores_of_a_class():
    generator = np.random.default_rng(0)
    scores, labels = generator.random(500), generator.random(500) < 0.3
    histogram = ScoreHistogram.from_arrays(labels.astype(int), scores)
    for part, chosen in (("positives", labels), ("negatives", ~labels), ("all", labels | True)):
        cells = ecdf_of_scores(histogram, part)
        assert cells.counts.sum() == chosen.sum()
        coarse = ecdf_of_scores(histogram, part, points=200)
        assert coarse.grid[-1] == 1.0
        found = np.cumsum(coarse.counts)
        expected = [(scores[chosen] < point).sum() for point in coarse.grid[:-1]]
        assert found[:-1].tolist() == expected


@pytest.mark.parametrize("part, points", [("some", None), ("all", 1), ("all", 2**17)])
def test_impossible_parts_are_refused(part, points):
    histogram = ScoreHistogram.from_arrays([0, 1], [0.1, 0.9])
    with pytest.raises(InvalidArgument):
        ecdf_of_scores(histogram, part, points=points)


def test_a_grid_of_ones_own_has_its_number_of_points():
    scores = ScoreHistogram.from_arrays([0, 1], [0.1, 0.9])
    with pytest.raises(InvalidArgument, match="^points must be left out beside a grid"):
        ecdf_of_scores(scores, points=4, grid=[0.0, 0.5, 1.0])
