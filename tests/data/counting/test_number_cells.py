"""Cells of numbers, against a search in sorted edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore.data.counting.number_cells import (
    cell_counts,
    cell_of,
    cells_of_columns,
    with_missing_cell,
)
from dpcore.models.grid import anchored_grid
from dpcore.schema.columns import usable_bounds

EDGES = np.array([0.0, 1.0, 1.5, 4.0])


def test_an_edge_belongs_to_the_cell_above_it_and_the_last_to_the_last() -> None:
    assert cell_of(np.array([0.0, 1.0, 1.5, 4.0]), EDGES).tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize("low", [0.0, -7.1, 1e9])
@pytest.mark.parametrize("times", [1, 4])
@pytest.mark.parametrize("shares", [(1, 1, 1), (1, 2, 4, 8, 512), (3, 1, 1, 1, 7), (1, 90_000)])
def test_a_cell_that_is_looked_up_is_the_one_that_a_search_finds(
    low: float, shares: tuple[int, ...], times: int
) -> None:
    """On the edges, a step of rounding beside them, and anywhere; few edges, and more."""
    shares = times * shares
    edges = low + np.concatenate([[0.0], np.cumsum(np.array(shares) * 0.1)])
    anywhere = np.random.default_rng(0).uniform(edges[0], edges[-1], 20_000)
    beside = [edges, np.nextafter(edges[1:], -np.inf), np.nextafter(edges[:-1], np.inf)]
    values = np.concatenate([*beside, anywhere, [np.nan]])
    for cells in (edges, with_missing_cell(edges)):
        wanted = np.searchsorted(cells[1:-1], values, side="right")
        np.testing.assert_array_equal(cell_of(values, cells), wanted)


def test_a_record_more_moves_no_other_whatever_bounds_are_usable() -> None:
    """Many numbers are looked up, and few are searched for."""
    usable = [width for width in 10.0 ** -np.arange(280.0, 323.0) if usable_bounds((0.0, width))]
    assert usable
    for width in usable:
        edges = anchored_grid((0.0, width), cells=16, halvings=6)
        values = np.random.default_rng(0).uniform(0.0, width, 8192)
        values[0] = 0.0
        np.testing.assert_array_equal(cell_of(values, edges)[1:], cell_of(values[1:], edges))


@given(arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 4)), st.integers(1, 4))
def test_cells_are_counted_per_class(values: np.ndarray, n_classes: int) -> None:
    classes = np.arange(values.size) % n_classes
    (found,) = cell_counts(cell_of(values, EDGES)[np.newaxis], [EDGES.size - 1], classes, n_classes)
    for label in range(n_classes):
        wanted, _ = np.histogram(values[classes == label], bins=EDGES)
        np.testing.assert_array_equal(found[label], wanted)


@pytest.mark.parametrize("edges", [EDGES, with_missing_cell(np.linspace(-1.0, 5.0, 40))])
def test_columns_and_counts_go_by_the_same_cells(edges: np.ndarray) -> None:
    """More numbers than are looked up at a time."""
    values = np.append(np.random.default_rng(0).uniform(0.0, 4.0, 40_000), np.nan)
    cells = cell_of(values, edges)
    found = np.empty((2, values.size), dtype=np.int16)
    cells_of_columns(np.column_stack([values, values[::-1]]), [edges, edges], out=found)
    np.testing.assert_array_equal(found, [cells, cells[::-1]])
    # Of numbers alone it may be said that they are.
    alone = np.full((1, values.size - 1), -1)
    cells_of_columns(values[:-1, np.newaxis], [edges], out=alone, gaps=False)
    np.testing.assert_array_equal(alone[0], cells[:-1])
    classes = np.arange(values.size) % 3
    # So many columns are not all counted together, and some are.
    columns = np.vstack([found, found, found])
    counts = cell_counts(columns, [edges.size - 1] * 6, classes, 3)
    for column, ours in zip(columns, counts, strict=True):
        for label in range(3):
            wanted = np.bincount(column[classes == label], minlength=edges.size - 1)
            np.testing.assert_array_equal(ours[label], wanted)


@pytest.mark.parametrize("apart", [2.0**-23, 2.0**-22, 3 * 2.0**-23])
def test_edges_may_be_as_close_as_numbers_are(apart: float) -> None:
    edges = 1e9 + np.arange(40) * apart
    values = 1e9 + np.random.default_rng(0).integers(0, 100, 20_000) * 2.0**-23
    wanted = np.searchsorted(edges[1:-1], values, side="right")
    np.testing.assert_array_equal(cell_of(values, edges), wanted)


@pytest.mark.parametrize("low, width", [(0.0, 100.0), (17.0, 73.0), (-1e9, 0.3), (1e-8, 1e-5)])
@pytest.mark.parametrize("cells", [2, 16, 64, 1_000])
def test_equal_cells_are_stepped_through_to_the_bit(low: float, width: float, cells: int) -> None:
    """On the edges, a step of rounding beside them, and far beyond all of them."""
    edges = np.linspace(low, low + width, cells + 1)
    beside = [edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)]
    spread = np.random.default_rng(0).normal(low, 3.0 * width, 20_000)
    values = np.concatenate([*beside, spread, [1e300, -1e300, np.inf, -np.inf, np.nan]])
    wanted = np.searchsorted(edges[1:-1], values, side="right")
    np.testing.assert_array_equal(cell_of(values, edges), wanted)
