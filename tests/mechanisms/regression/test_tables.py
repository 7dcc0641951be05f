"""Rows of one entry in each group of columns: the same rows, and products, in fewer steps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack

from dpcore.mechanisms.regression import tables
from dpcore.mechanisms.regression.exact_products import chunks_of, on_grid
from dpcore.mechanisms.regression.logistic_objective import BinaryObjective, Penalty
from dpcore.mechanisms.regression.tables import Table, as_table, gram

RNG = np.random.default_rng(0)

# A constant, two cells with entries below 1, and two blocks of levels.
GROUPS = ((1, 1.0), (22, 0.3), (30, 0.3), (5, 1.0), (40, 1.0))


def rows(n: int) -> csr_array:
    """Every column of a group comes, so that the table has the width of the rows."""
    blocks = []
    for width, entry in GROUPS:
        places = RNG.permutation(np.arange(n) % width)
        blocks.append(csr_array((np.full(n, entry), places, np.arange(n + 1)), shape=(n, width)))
    return csr_array(on_grid(csr_array(hstack(blocks, format="csr"))))


def test_it_is_the_same_rows_in_whole_and_in_part() -> None:
    plain = rows(200)
    table = Table.of(plain)
    assert table is not None
    assert table.shape == plain.shape
    assert len(table.groups.runs) < len(GROUPS)
    np.testing.assert_array_equal(table.toarray(), plain.toarray())
    for some in (slice(0, 80), slice(80, 200), slice(None, None, 3)):
        np.testing.assert_array_equal(table[some].toarray(), plain.toarray()[some])


@pytest.mark.parametrize("step", [1, 4])
def test_products_are_those_of_the_rows(step: int) -> None:
    plain = rows(300)[::step]
    table = Table.of(rows_of := plain.copy())
    assert table is not None
    vectors, scale = RNG.normal(size=(plain.shape[1], 2)), RNG.normal(size=plain.shape[0])
    np.testing.assert_allclose(table @ vectors, plain @ vectors, rtol=1e-12)
    np.testing.assert_allclose(table.T @ scale, plain.T @ scale, atol=1e-12)
    dense = rows_of.toarray()
    np.testing.assert_allclose(gram(table, scale), dense.T * scale @ dense, atol=1e-12)


def test_gradients_are_those_of_the_rows_to_the_last_bit() -> None:
    """Sums of slices are without error in any order."""
    plain = rows(20_000)
    table = as_table(plain)
    assert isinstance(table, Table)
    signs, weights = RNG.choice([-1.0, 1.0], 20_000), RNG.normal(size=plain.shape[1])
    still = Penalty(regularization=1.0, anchor=0.0 * weights, tilt=0.1 * weights)
    ours, theirs = (BinaryObjective(one, signs, still, (0.25, 0.5)) for one in (table, plain))
    value, gradient = ours.value_and_gradient(weights)
    assert (value, gradient.tolist()) == (
        theirs.value_and_gradient(weights)[0],
        theirs.value_and_gradient(weights)[1].tolist(),
    )
    np.testing.assert_allclose(ours.rough_gradient(weights), gradient, rtol=1e-9, atol=1e-9)
    assert len(chunks_of(table)) == len(chunks_of(plain)) > 1


@pytest.mark.parametrize("spoil", ["another entry", "one more", "one less", "a group of another"])
def test_rows_that_are_no_table_stay_what_they_are(
    monkeypatch: pytest.MonkeyPatch, spoil: str
) -> None:
    monkeypatch.setattr(tables, "_FROM", 10)
    dense = rows(60).toarray()
    if spoil == "another entry":
        dense[7, np.flatnonzero(dense[7])[1]] = 0.5
    elif spoil == "one more":
        dense[7, np.flatnonzero(dense[7] == 0.0)[0]] = 1.0
    elif spoil == "one less":
        dense[7, 0] = 0.0
    else:
        dense[7] = 0.0
        dense[7, :5] = [1.0, 0.3, 0.3, 1.0, 1.0]
        dense[7] = on_grid(dense[7])
    spoiled = csr_array(dense)
    assert as_table(spoiled) is spoiled


def test_few_rows_dense_ones_and_none_are_left_alone() -> None:
    few = rows(60)
    assert as_table(few) is few
    assert as_table(dense := few.toarray()) is dense
    assert Table.of(csr_array((0, 3))) is None
    assert Table.of(csr_array((3, 3))) is None


def test_a_table_is_cut_to_the_grid_by_its_entries() -> None:
    table = Table(np.array([[0, 1, 0]]), tables.ColumnGroups((0,), (2,), (0.3,), 2))
    cut = on_grid(table)
    np.testing.assert_array_equal(cut.toarray(), on_grid(table.toarray()))
    assert cut.groups.entries[0] < 0.3
