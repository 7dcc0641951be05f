"""Public cuts on the edges of a histogram."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.cuts import coarse_cuts, nearest_cuts, uniform_cuts

edges = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=20, unique=True).map(
    lambda inner: np.array([0.0, *sorted(inner), 1.0])
)


@given(edges, st.lists(st.floats(0, 1), max_size=30).map(sorted))
def test_each_cut_is_an_inner_edge_nearest_to_a_threshold(
    edges: np.ndarray, thresholds: list[float]
) -> None:
    cuts = nearest_cuts(edges, np.array(thresholds))
    assert (np.diff(cuts) > 0).all()
    assert ((cuts > 0) & (cuts < edges.size - 1)).all()
    inner = edges[1:-1]
    for threshold in thresholds:
        nearest = np.abs(inner - threshold).min()
        assert np.abs(edges[cuts] - threshold).min() == pytest.approx(nearest, abs=1e-12)
    assert cuts.size <= len(thresholds)


def test_uniform_cuts_on_the_default_grid() -> None:
    grid = ScoreHistogram.empty().edges
    np.testing.assert_allclose(grid[uniform_cuts(grid, 4)], [0.25, 0.5, 0.75], atol=1e-4)
    assert uniform_cuts(grid, 1).size == 0
    assert uniform_cuts(grid, 10**6).size < grid.size - 1


def test_coarse_cuts_keep_the_ends() -> None:
    grid = ScoreHistogram.empty().edges
    coarse = coarse_cuts(grid)
    assert (coarse[0], coarse[-1], coarse.size) == (0, 2**16, 2**13 + 1)
    assert coarse_cuts(np.linspace(0, 1, 6)).tolist() == [0, 1, 2, 3, 4, 5]
    assert (np.diff(coarse_cuts(np.linspace(0, 1, 10_000))) > 0).all()
