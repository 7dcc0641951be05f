"""The default method: its levels, and its variance against the closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise, _check
from dpcore.errors import InvalidArgument
from dpcore.evaluation.ecdf.hierarchical import (
    log_grid,
    run,
    tent_spacings,
    tree_branching,
    uniform_grid,
)
from dpcore.postprocess.tents import tent_unit, tent_weights
from dpcore.privacy import Ledger
from dpcore.release import Gate


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
        _check.rising(grid)


@pytest.mark.parametrize("build", [uniform_grid, log_grid])
def test_ends_in_the_wrong_order_are_named(build):
    with pytest.raises(InvalidArgument, match="^high must be above low, which is 4, got 1$"):
        build(4, 1, 9)


@pytest.mark.parametrize("grid, place", [([1, 2, 2], 2), ([2, 1, 3], 1), ([np.inf, 1], 0)])
def test_the_first_point_out_of_order_is_named(grid, place):
    with pytest.raises(InvalidArgument, match=rf"^grid\[{place}\] must be finite and above"):
        _check.rising(grid)


EPSILON = 0.01


def design(points, neighbors, structure):
    """Every measured sum as a row, scaled so that all have noise of the same variance."""
    rows = [np.eye(points)]
    if structure == "tents":
        for spacing in tent_spacings(points, neighbors):
            rows.append(tent_weights(points, spacing).toarray() / tent_unit(spacing))
        return np.concatenate(rows), len(rows)
    branching = tree_branching(points)
    leaves = int(np.prod(branching))
    rows = []
    for depth in range(1, len(branching) + 1):
        nodes = int(np.prod(branching[:depth]))
        rows.append(np.kron(np.eye(nodes), np.ones(leaves // nodes)))
    return np.concatenate(rows), len(rows)


def variance(points, neighbors, structure):
    """Variance of each sum of the first cells by generalised least squares, at epsilon 1."""
    rows, levels = design(points, neighbors, structure)
    covariance = np.linalg.inv(rows.T @ rows)
    if neighbors is Neighbors.REPLACE:
        ones = covariance.sum(axis=1)
        covariance -= np.outer(ones, ones) / ones.sum()
    sums = np.tril(np.ones((points, covariance.shape[0])))
    scale = levels * neighbors.pick(add_remove=1, replace=2)
    found = 2 * scale**2 * ((sums @ covariance) * sums).sum(axis=1)
    if neighbors is Neighbors.REPLACE:
        found[-1] = 0.0  # the total is public
    return found


def errors(points, neighbors, structure, draws):
    noise, nothing = SeededNoise(1), np.zeros(points, dtype=np.int64)
    return EPSILON * np.array([
        run(nothing, loss=Loss("0.01"), gate=Gate(Ledger(neighbors=neighbors), noise),
            structure=structure)
        for _ in range(draws)
    ])  # fmt: skip


@pytest.mark.spanning
@pytest.mark.parametrize("structure", ["tents", "counts"])
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("points", [10, 100, 250])
def test_variance_is_that_of_least_squares(points, neighbors, structure):
    expected = variance(points, neighbors, structure)
    found = (errors(points, neighbors, structure, 800) ** 2).mean(axis=0)
    ratio = found.sum() / expected.sum()
    assert 0.85 < ratio < 1.15
    assert not 0.85 < ratio * 0.7**2 < 1.15
    assert not 0.85 < ratio * 1.3**2 < 1.15


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("points", [8, 40, 200, 500])
def test_tents_are_better_than_a_tree(points, neighbors):
    tents, counts = (variance(points, neighbors, name).mean() for name in ("tents", "counts"))
    assert tents <= counts
    assert bool(tents == counts) is (points == 8)  # no level pays on so short a grid


@pytest.mark.parametrize("neighbors, most", [("add-remove", 100.0), ("replace", 266.0)])
def test_the_mean_variance_at_a_thousand_points(neighbors, most):
    """Figures of the design: 99 and 266 at 1,024 points."""
    assert variance(1024, Neighbors.of(neighbors), "tents").mean() < most


@given(st.integers(2, 2**20), st.sampled_from(Neighbors))
def test_levels_suit_the_grid(points, neighbors):
    spacings = tent_spacings(points, neighbors)
    assert all(1 <= spacing <= points for spacing in spacings)
    assert list(spacings) == sorted(spacings)
    assert np.prod(tree_branching(points)) >= points
    # Padding costs noise, so it stays small.
    assert np.prod(tree_branching(points)) <= max(2 * points, 16)


def test_a_public_total_is_met():
    counts = np.array([3, 0, 4, 1] * 50)
    for structure in ("tents", "counts"):
        gate = Gate(Ledger(neighbors="replace"), SeededNoise(0))
        sums = run(counts, loss=Loss(1), gate=gate, structure=structure)
        assert sums[-1] == 400.0
