"""HaarCounts: the transform, its exact sensitivity and loss, and its variance on long ranges."""

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
from dpcore.mechanisms import HaarCounts
from dpcore.mechanisms.counts.haar import haar, inverse_haar, levels

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
