"""Bounded rows: every bound holds whatever comes in, row by row, dense or sparse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_array, csc_array, csc_matrix, csr_array, csr_matrix

from dpcore.data.counting.bounded_rows import BoundedRows, first_nonzeros, weighted_rows
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.schema import Block, Feature, FeatureSpace

SPACE = FeatureSpace(
    (
        Feature("age", "numeric", "age", (-1.0, 3.0)),
        *(Feature(f"job={i}", "indicator", "job") for i in range(3)),
        Feature("pay", "numeric", "pay", (0.0, 10.0)),
        *(Feature(f"text:{i}", "indicator", "text") for i in range(4)),
    ),
    (
        Block("age", "numeric", 0, 1, 1),
        Block("job", "one-hot", 1, 4, 1),
        Block("pay", "numeric", 4, 5, 1),
        Block("text", "bag", 5, 9, 2),
    ),
)
ANYTHING = arrays(
    np.float64,
    st.tuples(st.integers(0, 6), st.just(9)),
    elements=st.sampled_from([0.0, 1.0, -7.5, 2.0, 1e300, np.nan, np.inf, -np.inf]),
)


@pytest.mark.parametrize("owned", [False, True])
@given(matrix=ANYTHING)
def test_every_bound_holds(matrix: np.ndarray, owned: bool) -> None:
    """Also of numbers that are cut where they lie, column by column."""
    rows = BoundedRows.of(np.asfortranarray(matrix) if owned else matrix, SPACE, owned=owned)
    low, high = rows.space.numeric_bounds
    assert ((rows.numeric >= low) & (rows.numeric <= high)).all()
    assert (np.abs(rows.scaled) <= 1).all()
    dense = rows.indicators.toarray()
    assert set(np.unique(dense)) <= {0.0, 1.0}
    for block in rows.indicator_blocks:
        assert (dense[:, block.start : block.stop].sum(axis=1) <= block.max_nonzeros).all()


def test_an_entry_that_is_stored_twice_counts_once() -> None:
    """Else one record could move one count by two."""
    twice = csr_array(([1.0, 1.0, 1.0], [1, 1, 5], [0, 3]), shape=(1, 9))
    assert BoundedRows.of(twice, SPACE).indicators.sum(axis=0).tolist() == [1, 0, 0, 1, 0, 0, 0]
    assert first_nonzeros(twice, 9).toarray().max() == 1.0
    assert weighted_rows(twice, 1).toarray().sum() == 1.0


@given(ANYTHING)
def test_each_row_is_treated_by_itself(matrix: np.ndarray) -> None:
    together = BoundedRows.of(matrix, SPACE)
    for index in range(matrix.shape[0]):
        alone = BoundedRows.of(matrix[index : index + 1], SPACE)
        np.testing.assert_array_equal(together.numeric[index], alone.numeric[0])
        np.testing.assert_array_equal(
            together.indicators.toarray()[index], alone.indicators.toarray()[0]
        )


@given(ANYTHING)
def test_sparse_gives_the_same_as_dense(matrix: np.ndarray) -> None:
    dense, sparse = BoundedRows.of(matrix, SPACE), BoundedRows.of(csr_array(matrix), SPACE)
    np.testing.assert_array_equal(dense.numeric, sparse.numeric)
    np.testing.assert_array_equal(dense.indicators.toarray(), sparse.indicators.toarray())


@given(ANYTHING)
def test_rows_within_bounds_are_left_alone(matrix: np.ndarray) -> None:
    once = BoundedRows.of(matrix, SPACE)
    again = np.hstack(
        [
            once.numeric[:, :1],
            once.indicators.toarray()[:, :3],
            once.numeric[:, 1:],
            once.indicators.toarray()[:, 3:],
        ]
    )
    twice = BoundedRows.of(again, SPACE)
    np.testing.assert_array_equal(once.numeric, twice.numeric)
    np.testing.assert_array_equal(once.indicators.toarray(), twice.indicators.toarray())


def test_a_block_keeps_its_first_ones() -> None:
    matrix = np.array([[0, 0, 1, 1, 0, 0, 5, -1, 2]], dtype=float)
    kept = BoundedRows.of(matrix, SPACE).indicators.toarray()
    np.testing.assert_array_equal(kept, [[0, 1, 0, 0, 1, 1, 0]])


@pytest.mark.parametrize("kind", [csc_array, coo_array, csr_matrix, csc_matrix])
def test_every_sparse_format(kind: type) -> None:
    matrix = np.array([[9.0, 0, 1, 1, 4.0, 1, 1, 1, 0], [0.0, 1, 0, 0, 0.0, 0, 0, 0, 1]])
    found, expected = BoundedRows.of(kind(matrix), SPACE), BoundedRows.of(matrix, SPACE)
    np.testing.assert_array_equal(found.numeric, expected.numeric)
    assert isinstance(found.indicators, csr_array)
    np.testing.assert_array_equal(found.indicators.toarray(), expected.indicators.toarray())


def test_duplicate_sparse_entries_are_one_entry() -> None:
    twice = coo_array(([1.0, 1.0, 1.0], ([0, 0, 0], [5, 5, 6])), shape=(1, 9))
    assert BoundedRows.of(twice, SPACE).indicators.toarray().tolist() == [[0, 0, 0, 1, 1, 0, 0]]


def test_the_matrix_is_not_altered() -> None:
    matrix = csr_array(np.array([[9.0, 0, 2.0, 3.0, np.nan, 1.0, 1.0, 1.0, 1.0]]))
    before = matrix.toarray()
    BoundedRows.of(matrix, SPACE)
    np.testing.assert_array_equal(matrix.toarray(), before)


def test_blocks_are_renumbered_to_the_indicators() -> None:
    rows = BoundedRows.of(np.zeros((2, 9)), SPACE)
    assert [(b.name, b.start, b.stop) for b in rows.indicator_blocks] == [
        ("job", 0, 3),
        ("text", 3, 7),
    ]
    assert rows.n_rows == 2
    assert rows.take(np.array([1])).n_rows == 1


SIGNED = st.builds(np.copysign, st.floats(1e-280, 1e280), st.sampled_from([-1.0, 1.0]))


@given(SIGNED, st.floats(2.0**-39, 2.0**20), st.lists(st.floats(), min_size=1, max_size=5))
def test_scaled_numbers_never_leave_their_interval(
    low: float, share: float, values: list[float]
) -> None:
    """Bounds that are that share of their size apart are accepted, and bound to the last bit."""
    high = low + abs(low) * share
    space = FeatureSpace((Feature("a", "numeric", "a", (low, high)),))
    column = np.array([*values, low, high])[:, np.newaxis]
    scaled = BoundedRows.of(column, space).scaled
    assert (np.abs(scaled) <= 1.0).all()
    # Floating-point numbers are as far apart as 2^-12 of the narrowest bounds that are accepted.
    assert scaled[-2:, 0].tolist() == pytest.approx([-1, 1], abs=1e-3)


@given(SIGNED, st.integers(3 * 2**12, 2**14))
def test_bounds_some_thousand_floating_point_numbers_apart_bound(low: float, steps: int) -> None:
    high = low + steps * float(np.spacing(abs(low)))
    space = FeatureSpace((Feature("a", "numeric", "a", (low, high)),))
    rows = BoundedRows.of(np.array([[low], [high], [np.nan]]), space)
    assert (np.abs(rows.scaled) <= 1.0).all()


@given(SIGNED, st.integers(0, 2**11))
def test_neighbouring_floating_point_numbers_are_refused_as_bounds(low: float, steps: int) -> None:
    """Before any record is looked at."""
    high = low + steps * float(np.spacing(abs(low)))
    with pytest.raises(SchemaError, match="not two finite numbers well apart"):
        FeatureSpace((Feature("a", "numeric", "a", (low, high)),))


def test_scaling_is_safe_without_the_space_s_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second line of defence: bounds that a space would refuse still bound."""
    monkeypatch.setattr("dpcore.schema.columns.usable_bounds", lambda bounds: True)
    for low, high in [(1e16, 1e16 + 2), (-1e308, 1e308), (2.0, 2.0), (0.0, 5e-324), (5.0, 1.0)]:
        space = FeatureSpace((Feature("a", "numeric", "a", (low, high)),))
        rows = BoundedRows.of(np.array([[low], [high], [1e308], [np.nan], [7.0]]), space)
        assert (np.abs(rows.scaled) <= 1.0).all(), (low, high)


def test_no_features() -> None:
    rows = BoundedRows.of(np.zeros((3, 0)), FeatureSpace(()))
    assert rows.numeric.shape == rows.indicators.shape == (3, 0)


def test_another_width_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="a matrix of 9 columns"):
        BoundedRows.of(np.zeros((3, 8)), SPACE)


@given(ANYTHING, st.integers(1, 9))
def test_first_nonzeros_bounds_the_row(matrix: np.ndarray, most: int) -> None:
    kept = first_nonzeros(matrix, most).toarray()
    present = (matrix != 0) & ~np.isnan(matrix)
    expected = present & (np.cumsum(present, axis=1) <= most)
    np.testing.assert_array_equal(kept, expected.astype(float))


def test_first_nonzeros_needs_room_for_one() -> None:
    with pytest.raises(InvalidArgument, match="^most must be"):
        first_nonzeros(np.zeros((1, 2)), 0)


@given(ANYTHING, st.integers(1, 9))
def test_weights_add_up_to_the_bound_at_most(matrix: np.ndarray, most: int) -> None:
    rows = weighted_rows(matrix, most).toarray()
    ones = (matrix != 0) & ~np.isnan(matrix)
    np.testing.assert_array_equal(rows > 0, ones)
    assert (rows.sum(axis=1) <= most).all()
    short = ones.sum(axis=1) <= most
    assert set(np.unique(rows[short])) <= {0.0, 1.0}
    long = rows[~short].sum(axis=1)
    np.testing.assert_allclose(long, most, atol=9 * 2**-20)


@given(st.integers(0, 10**6))
def test_sums_of_weights_do_not_depend_on_the_order_of_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = weighted_rows((rng.random((50, 9)) < 0.8).astype(float), 3).toarray()
    mixed = rows[rng.permutation(50)]
    assert np.cumsum(rows, axis=0)[-1].tolist() == np.cumsum(mixed, axis=0)[-1].tolist()


@given(ANYTHING)
def test_weights_of_sparse_rows_are_those_of_dense_rows(matrix: np.ndarray) -> None:
    dense, sparse = (weighted_rows(kind, 2) for kind in (matrix, csr_array(matrix)))
    np.testing.assert_array_equal(dense.toarray(), sparse.toarray())
