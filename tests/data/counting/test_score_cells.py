"""The grid of score cells: exact edges, one answer in every precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_cells import LEVELS, score_cells
from dpcore.errors import InvalidArgument


def cell_by_search(edges: np.ndarray, scores: np.ndarray) -> np.ndarray:
    found = np.searchsorted(edges, scores.astype(np.float64), side="right") - 1
    return np.bincount(np.minimum(found, edges.size - 2), minlength=edges.size - 1)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("cells, clip", [(65536, 20.0), (1001, 7.0), (2, 1.0), (4096, 20.0)])
def test_a_score_lies_in_the_last_cell_whose_edge_it_reaches(
    precision: type, cells: int, clip: float
) -> None:
    edges = score_cells(cells, clip).edges
    at = edges.astype(precision)
    near = [at, np.nextafter(at, precision(0)), np.nextafter(at, precision(1))]
    rng = np.random.default_rng(0)
    scores = np.concatenate([*near, rng.beta(0.1, 0.1, 50_000).astype(precision)])
    counted = ScoreHistogram.from_arrays(np.ones(scores.size), scores, cells=cells, clip=clip)
    np.testing.assert_array_equal(counted.positives, cell_by_search(edges, scores))


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30))
def test_single_and_double_precision_agree(scores: list[float]) -> None:
    single = np.array(scores, dtype=np.float32)
    one = ScoreHistogram.from_arrays(np.zeros(single.size), single)
    other = ScoreHistogram.from_arrays(np.zeros(single.size), single.astype(np.float64))
    np.testing.assert_array_equal(one.negatives, other.negatives)


def test_cells_are_nearly_of_equal_width_in_logit() -> None:
    edges = score_cells().edges[1:-1].astype(np.longdouble)
    width = np.diff(logit(edges)) / (40.0 / 65536)
    assert width.min() > 0.49
    assert width.max() < 1.51
    assert abs(width.mean() - 1.0) < 1e-4


def test_edges_mirror_each_other() -> None:
    edges = score_cells().edges
    np.testing.assert_allclose(edges, 1.0 - edges[::-1], atol=1.2e-16, rtol=0)
    assert edges[32768] == 0.5


def test_levels_are_shared_out_among_the_cells() -> None:
    grid = score_cells(16, 3.0)
    assert grid.fold(np.ones(2 * LEVELS, dtype=np.int64)).sum() == 2 * LEVELS
    assert (np.diff(grid.starts) > 0).all()


@pytest.mark.parametrize("cells, clip", [(1, 20.0), (65537, 20.0), (8, 0.0), (8, 21.0), (65536, 1)])
def test_a_grid_that_doubles_cannot_carry_is_refused(cells: int, clip: float) -> None:
    with pytest.raises(InvalidArgument):
        score_cells(cells, clip)
