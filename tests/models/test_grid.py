"""Public grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting.number_cells import cell_of
from dpcore.errors import InvalidArgument
from dpcore.models.grid import anchored_grid, drawn_in, public_grids, space_grids
from tests.models._records import all_records, training
from tests.models.naive_bayes._fitted import NUMBER


@pytest.mark.parametrize(
    "records_per_noise, edges", [(0, 4), (100, 5), (150, 8), (500, 15), (1e6, 23)]
)
def test_grids_get_finer_with_more_records_per_noise(records_per_noise: float, edges: int) -> None:
    assert public_grids(NUMBER, records_per_noise)[0].size == edges


def test_equal_grids() -> None:
    np.testing.assert_allclose(
        space_grids(training([], 2, NUMBER).space, cells=4)[0], [0, 2.5, 5, 7.5, 10]
    )


def test_each_record_is_in_one_cell_of_its_class() -> None:
    data = training(all_records(3), 3)
    (counts,) = data.cell_counts(space_grids(data.space, cells=5))
    assert counts.shape == (3, 5)
    np.testing.assert_array_equal(counts.sum(axis=1), data.sizes)


BOUNDS = st.tuples(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6)).map(lambda p: (p[0], p[0] + p[1]))


@given(BOUNDS, st.integers(1, 20), st.integers(0, 8))
def test_edges_rise_from_bound_to_bound(
    bounds: tuple[float, float], cells: int, halvings: int
) -> None:
    edges = anchored_grid(bounds, cells=cells, halvings=halvings)
    assert (edges[0], edges[-1]) == pytest.approx(bounds)
    assert (np.diff(edges) > 0).all()
    assert edges.size - 1 >= cells


@given(BOUNDS, st.integers(1, 9), st.integers(0, 5), st.floats(0, 1))
def test_every_value_has_the_cell_that_holds_it(
    bounds: tuple[float, float], cells: int, halvings: int, share: float
) -> None:
    edges = anchored_grid(bounds, cells=cells, halvings=halvings)
    value = bounds[0] + share * (bounds[1] - bounds[0])
    cell = int(cell_of(np.array([value]), edges)[0])
    assert 0 <= cell < edges.size - 1
    assert edges[cell] <= value or cell == 0
    assert value <= edges[cell + 1] or cell == edges.size - 2


def test_zero_is_the_anchor_where_the_bounds_hold_it() -> None:
    edges = anchored_grid((-10.0, 30.0), cells=4, halvings=2)
    assert edges.tolist() == [-10, -5, -2.5, 0, 2.5, 5, 10, 20, 30]


def test_else_the_lower_bound() -> None:
    assert anchored_grid((16.0, 48.0), cells=2, halvings=2).tolist() == [16, 20, 24, 32, 48]


def test_bad_numbers_are_named() -> None:
    with pytest.raises(InvalidArgument, match="cells"):
        anchored_grid((0.0, 1.0), cells=0, halvings=1)
    with pytest.raises(InvalidArgument, match="halvings"):
        anchored_grid((0.0, 1.0), cells=1, halvings=-1)


def test_bounds_too_close_for_a_part_stay_as_they_are() -> None:
    close = (1.0, 1.0 + 2.0**-39)
    assert drawn_in(close, -0.1, 0.1) == close
    assert drawn_in((-1.0, 3.0), -1.0, 1.0) == (-1.0, 3.0)
