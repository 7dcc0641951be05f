"""The default method: its levels, and its variance against the closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.ecdf.hierarchical import run, tent_spacings, tree_branching
from dpcore.postprocess.tents import tent_unit, tent_weights
from dpcore.privacy import Ledger
from dpcore.release import Gate

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
