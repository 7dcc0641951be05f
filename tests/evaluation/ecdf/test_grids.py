"""Public grids."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.evaluation.ecdf.grids import checked_grid, log_grid, uniform_grid


def test_uniform_steps():
    grid = uniform_grid(-3, 5, 1001)
    np.testing.assert_allclose(np.diff(grid), 8 / 1000)
    assert (grid[0], grid[-1]) == (-3.0, 5.0)


def test_logarithmic_steps():
    grid = log_grid(0.01, 100, 41)
    np.testing.assert_allclose(np.diff(np.log(grid)), np.log(10_000) / 40)
    assert (grid[0], grid[-1]) == (0.01, 100.0)


@pytest.mark.parametrize("build, low, high", [
    (uniform_grid, 1, 1), (uniform_grid, 2, 1), (uniform_grid, 0, np.inf),
    (uniform_grid, 0, np.nan),
    (log_grid, 0, 1), (log_grid, -1, 1), (log_grid, 5, 5),
])  # fmt: skip
def test_ends_must_make_sense(build, low, high):
    with pytest.raises(InvalidArgument):
        build(low, high, 10)


@pytest.mark.parametrize("points", [1, 0, 2**20 + 1, 2.5])
def test_the_number_of_points_is_limited(points):
    with pytest.raises(InvalidArgument, match="points must be"):
        uniform_grid(0, 1, points)


@pytest.mark.parametrize("grid", [[1.0], [[1.0, 2.0]], [1.0, 1.0], [2.0, 1.0], [0.0, np.nan]])
def test_other_grids_are_checked(grid):
    with pytest.raises(InvalidArgument, match="grid.* must be"):
        checked_grid(grid)


@pytest.mark.parametrize("build", [uniform_grid, log_grid])
def test_ends_in_the_wrong_order_are_named(build):
    with pytest.raises(InvalidArgument, match="^high must be above low, which is 4, got 1$"):
        build(4, 1, 9)


@pytest.mark.parametrize("grid, place", [([1, 2, 2], 2), ([2, 1, 3], 1), ([np.inf, 1], 0)])
def test_the_first_point_out_of_order_is_named(grid, place):
    with pytest.raises(InvalidArgument, match=rf"^grid\[{place}\] must be finite and above"):
        checked_grid(grid)
