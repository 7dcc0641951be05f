"""Rows of one entry in each group of columns: the same rows, and products, in fewer steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack

from dpcore.mechanisms.regression import tables
from dpcore.mechanisms.regression.exact_products import chunks_of, on_grid
from dpcore.mechanisms.regression.logistic_objective import BinaryObjective, Penalty
from dpcore.mechanisms.regression.tables import Beside, ColumnGroups, Table, gram

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


def table_of(plain: csr_array) -> Table:
    """The same rows as a table."""
    widths = tuple(width for width, _ in GROUPS)
    starts = np.cumsum([0, *widths[:-1]])
    entries = tuple(plain.data[: len(GROUPS)].tolist())
    places = plain.indices.reshape(-1, len(GROUPS)).T - starts[:, np.newaxis]
    groups = ColumnGroups(tuple(starts.tolist()), widths, entries, plain.shape[1])
    return Table(places.astype(np.int32), groups)


def beside(n: int) -> Beside:
    """Numbers, and beside them a table in which a column of each of two groups is none."""
    table = table_of(rows(n))
    kept = np.delete(np.arange(table.shape[1]), [57, 97])
    return Beside(on_grid(np.asfortranarray(RNG.uniform(-1.0, 1.0, (n, 3)))), table, kept)


def test_it_is_the_same_rows_in_whole_and_in_part() -> None:
    plain = rows(200)
    table = table_of(plain)
    assert table.shape == plain.shape
    assert len(table.groups.runs) < len(GROUPS)
    np.testing.assert_array_equal(table.toarray(), plain.toarray())
    for some in (slice(0, 80), slice(80, 200), slice(None, None, 3)):
        np.testing.assert_array_equal(table[some].toarray(), plain.toarray()[some])


@pytest.mark.parametrize("step", [1, 4])
@pytest.mark.parametrize("of", [lambda n: table_of(rows(n)), beside])
def test_products_are_those_of_the_rows(of: Callable[[int], Table | Beside], step: int) -> None:
    found = of(300)[::step]
    dense = found.toarray()
    assert found.shape == dense.shape
    vectors, scale = RNG.normal(size=(dense.shape[1], 2)), RNG.normal(size=dense.shape[0])
    np.testing.assert_allclose(found @ vectors, dense @ vectors, atol=1e-12)
    np.testing.assert_allclose(found.T @ scale, dense.T @ scale, atol=1e-12)
    np.testing.assert_allclose(gram(found, scale), dense.T * scale @ dense, atol=1e-12)


@pytest.mark.parametrize("joined", [1, 50, 700, 4_000])
def test_pairs_of_columns_are_summed_by_how_runs_meet(joined: int) -> None:
    """As one group after the other, three groups at once, and without error for whole numbers."""
    table = table_of(rows(300))
    groups = replace(table.groups, entries=(1.0,) * len(GROUPS), joined=joined)
    narrow = replace(table, groups=groups)
    scale = RNG.integers(-(2**30), 2**30, 300).astype(np.float64)
    found = narrow.gram_of_runs(scale)
    np.testing.assert_array_equal(found, narrow.gram(scale))
    dense = narrow.toarray()
    np.testing.assert_array_equal(found, dense.T * scale @ dense)


@pytest.mark.parametrize("of", [lambda n: table_of(rows(n)), beside])
def test_gradients_are_those_of_the_rows_to_the_last_bit(
    of: Callable[[int], Table | Beside],
) -> None:
    """Sums of slices are without error in any order."""
    found = of(20_000)
    plain = csr_array(found.toarray())
    signs, weights = RNG.choice([-1.0, 1.0], 20_000), RNG.normal(size=plain.shape[1])
    still = Penalty(regularization=1.0, anchor=0.0 * weights, tilt=0.1 * weights)
    ours, theirs = (BinaryObjective(one, signs, still, (0.25, 0.5)) for one in (found, plain))
    value, gradient = ours.value_and_gradient(weights)
    assert (value, gradient.tolist()) == (
        theirs.value_and_gradient(weights)[0],
        theirs.value_and_gradient(weights)[1].tolist(),
    )
    np.testing.assert_allclose(ours.rough_gradient(weights), gradient, rtol=1e-9, atol=1e-9)
    assert len(chunks_of(found)) == len(chunks_of(plain)) > 1


def test_a_table_is_cut_to_the_grid_by_its_entries() -> None:
    table = Table(np.array([[0, 1, 0]]), tables.ColumnGroups((0,), (2,), (0.3,), 2))
    cut = on_grid(table)
    np.testing.assert_array_equal(cut.toarray(), on_grid(table.toarray()))
    assert cut.groups.entries[0] < 0.3


def test_dense_columns_beside_a_table_are_cut_too() -> None:
    whole = beside(40)
    uncut = Beside(whole.dense + 2.0**-30, whole.table, whole.kept)
    np.testing.assert_array_equal(on_grid(uncut).toarray(), on_grid(uncut.toarray()))
