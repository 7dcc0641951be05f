"""Counts on the levels of a tree: calibration, shape, inputs."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import HaarCounts, TentCounts, TreeCounts
from dpcore.mechanisms.counts.tree_counts import haar, inverse_haar, levels
from dpcore.postprocess.tents import tent_sums
from tests.mechanisms._recorder import query, worst_loss

tables = hnp.arrays(
    np.int64,
    st.tuples(st.integers(1, 3), st.integers(1, 40)),
    elements=st.integers(-(10**9), 10**9),
)


def small_tables(cells: int, records: int) -> list[np.ndarray]:
    """Every table of two rows with at most that many records."""
    places = list(itertools.product(range(2), range(cells)))
    tables = []
    for size in range(records + 1):
        for chosen in itertools.combinations_with_replacement(places, size):
            table = np.zeros((2, cells), dtype=np.int64)
            for place in chosen:
                table[place] += 1
            tables.append(table)
    return tables


@given(tables)
def test_the_inverse_recovers_the_counts_exactly(counts: np.ndarray) -> None:
    padded = inverse_haar(haar(counts))
    np.testing.assert_array_equal(padded[:, : counts.shape[1]], counts)
    assert (padded[:, counts.shape[1] :] == 0).all()


@pytest.mark.parametrize("cells, expected", [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10)])
def test_levels(cells: int, expected: int) -> None:
    assert levels(cells) == expected


@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_sensitivity_over_all_small_neighbours(cells: int) -> None:
    """Adding any record to any table of up to four changes 1 + levels integers by one each, and
    replacing one changes at most twice as much, which some replacement attains."""
    for table in small_tables(cells, 4):
        before = haar(table)
        added = []
        for place in itertools.product(range(2), range(cells)):
            neighbor = table.copy()
            neighbor[place] += 1
            added.append(haar(neighbor))
            change = np.abs(added[-1] - before)
            assert change.max() == 1
            assert change.sum() == 1 + levels(cells)
        replaced = [np.abs(a - b).sum() for a in added for b in added]
        assert max(replaced) == 2 * (1 + levels(cells))


@pytest.mark.parametrize("cells", [2, 3, 4, 8])
def test_generalised_sensitivity_of_xiao_et_al(cells: int) -> None:
    """Their coefficients and weights: the weighted change is 1 + log2 m, and dividing a node's
    noise by its weight is the same as adding it to the integer difference."""
    height = levels(cells)
    leaves = [2**height, *(2 ** (height - d) for d in range(height) for _ in range(2**d))]
    for cell in range(cells):
        counts = np.zeros((1, cells), dtype=np.int64)
        counts[0, cell] = 1
        coefficients = haar(counts)[0] / leaves  # the base: an average; nodes: half differences
        assert np.abs(coefficients) @ leaves == pytest.approx(1 + height)


@pytest.mark.parametrize("neighbors, l1", [(Neighbors.ADD_REMOVE, 1), (Neighbors.REPLACE, 2)])
def test_the_exact_loss_is_epsilon(neighbors: Neighbors, l1: int) -> None:
    """Discrete Laplace noise of scale b loses (L1 change) / b, exactly."""
    epsilon = Fraction(1, 3)
    mechanism = HaarCounts(epsilon=epsilon, l1_sensitivity=l1, neighbors=neighbors)
    change = l1 * (1 + levels(5))
    assert change / mechanism.scale(5) == epsilon
    assert mechanism.loss == Loss(epsilon)


def test_a_record_enters_a_range_with_bounded_noise() -> None:
    """Any sum of the first j cells weighs the row's coefficient by at most one and one node of
    each level by at most one half: the variance bound of the docstring."""
    size = 16
    weights = np.array([np.cumsum(inverse_haar(row[None])[0]) for row in np.eye(size, dtype=int)])
    assert np.abs(weights[0]).max() <= 1.0
    assert np.abs(weights[1:]).max() <= 0.5
    assert (weights**2).sum(axis=0).max() <= 1 + levels(size) / 4


def test_noise_keeps_shape_and_follows_the_seed() -> None:
    counts = np.arange(10).reshape(2, 5)
    mechanism = HaarCounts(epsilon=1)
    noisy = mechanism.draw(counts, SeededNoise(3))
    assert noisy.shape == (2, 5)
    assert not np.array_equal(noisy, counts)
    np.testing.assert_array_equal(noisy, mechanism.draw(counts, SeededNoise(3)))


@pytest.mark.parametrize("value", [np.zeros((2, 3)), np.zeros(3, dtype=int), np.zeros((2, 0), int)])
def test_only_tables_of_integers(value: np.ndarray) -> None:
    with pytest.raises(InvalidArgument, match="table of integers"):
        HaarCounts(epsilon=1).draw(value, SeededNoise(0))


@pytest.mark.parametrize("arguments", [{"epsilon": 0}, {"epsilon": 1, "l1_sensitivity": 0}])
def test_public_arguments_are_checked(arguments: dict[str, int]) -> None:
    with pytest.raises(InvalidArgument):
        HaarCounts(**arguments)


@pytest.mark.parametrize("spacings", [(), (1,), (3,), (2, 5), (2, 4, 9)])
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("cells", [2, 7, 24])
def test_tent_counts_the_worst_loss_is_epsilon(spacings, neighbors, cells):
    """Over every pair of neighbours on a small domain, and reached where tents do not overlap."""
    epsilon = Fraction(7, 10)
    mechanism = TentCounts(epsilon=epsilon, spacings=spacings, neighbors=neighbors)
    loss = worst_loss(mechanism, cells)
    assert loss <= epsilon
    far_apart = all(2 * spacing <= cells for spacing in spacings)
    if neighbors is Neighbors.ADD_REMOVE or far_apart:
        assert loss == epsilon
    assert mechanism.loss == Loss(epsilon)


def test_the_query_is_the_cells_and_the_tents():
    counts = np.array([4, 0, 3, 9, 1, 2])
    answer, scales = query(TentCounts(epsilon=2, spacings=(2,)), counts)
    assert answer.tolist() == [*counts, *tent_sums(counts, 2)]
    # Two levels share epsilon 2; a tent's unit is 4.
    assert scales.tolist() == [1] * 6 + [4] * 3


def test_tent_counts_noise_has_the_declared_scale():
    mechanism = TentCounts(epsilon="0.1", spacings=(4,))
    noisy = mechanism.draw(np.zeros(4000, dtype=np.int64), SeededNoise(0))
    for noise, scale in (
        (noisy.cells, mechanism.cell_scale),
        (noisy.tents[0], mechanism.tent_scale(4)),
    ):
        ratio = noise.var() / (2 * float(scale) ** 2)
        assert 0.8 < ratio < 1.2
        assert not 0.8 < ratio * 0.7**2 < 1.2
        assert not 0.8 < ratio * 1.3**2 < 1.2


def test_a_spacing_is_a_positive_whole_number():
    with pytest.raises(InvalidArgument, match="spacings"):
        TentCounts(epsilon=1, spacings=(3, 0))


@pytest.mark.parametrize(
    "counts", [np.zeros(2), np.zeros((2, 2), dtype=int), np.zeros(0, dtype=int)]
)
def test_tent_counts_unusable_counts_are_refused(counts):
    with pytest.raises(InvalidArgument, match="a vector of integers"):
        TentCounts(epsilon=1).draw(counts, SeededNoise(0))


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
