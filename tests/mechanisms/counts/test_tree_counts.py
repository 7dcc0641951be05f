"""Counts on the levels of a tree: calibration, shape, inputs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import TreeCounts
from tests.mechanisms._recorder import query, worst_loss


@pytest.mark.parametrize("branching", [(2,), (2, 2, 2), (3, 4), (4, 2, 2)])
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("root", [False, True])
def test_the_worst_loss_is_epsilon(branching, neighbors, root):
    """Over every pair of neighbours on a small domain, and reached."""
    if root and neighbors is Neighbors.REPLACE:
        pytest.skip("the total is public under replace")
    epsilon = Fraction(7, 10)
    mechanism = TreeCounts(epsilon=epsilon, branching=branching, root=root, neighbors=neighbors)
    for cells in (2, int(np.prod(branching))):
        loss = worst_loss(mechanism, cells)
        # Two cells of a padded row may share a node, so that a replaced record moves less.
        assert loss == epsilon or (loss < epsilon and cells == 2)
    assert mechanism.loss == Loss(epsilon)


def test_levels_run_from_the_coarsest_to_the_leaves():
    tree = TreeCounts(epsilon=1, branching=(2, 3), root=True)
    answer, _ = query(tree, np.array([1, 2, 3, 4, 5]))
    assert answer.tolist() == [15, 6, 9, 1, 2, 3, 4, 5, 0]


def test_noise_has_the_declared_scale():
    tree = TreeCounts(epsilon="0.1", branching=(2,) * 10, root=True)
    noise = np.concatenate(tree.draw(np.zeros(1024, dtype=np.int64), SeededNoise(0)))
    ratio = noise.var() / (2 * float(tree.scale) ** 2)
    assert 0.8 < ratio < 1.2
    assert not 0.8 < ratio * 0.7**2 < 1.2
    assert not 0.8 < ratio * 1.3**2 < 1.2


def test_a_public_total_is_not_released():
    with pytest.raises(InvalidArgument, match="root must be False under replace"):
        TreeCounts(epsilon=1, branching=(2,), root=True, neighbors=Neighbors.REPLACE)


@pytest.mark.parametrize("branching", [(1,), (2, 0), ()])
def test_impossible_trees_are_refused(branching):
    with pytest.raises(InvalidArgument, match="branching"):
        TreeCounts(epsilon=1, branching=branching)


@pytest.mark.parametrize(
    "counts", [np.zeros(5, dtype=int), np.zeros(2), np.zeros((2, 2), dtype=int)]
)
def test_unusable_counts_are_refused(counts):
    with pytest.raises(InvalidArgument, match="at most 4 integers"):
        TreeCounts(epsilon=1, branching=(2, 2)).draw(counts, SeededNoise(0))
