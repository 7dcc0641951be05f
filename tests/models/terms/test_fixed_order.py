"""Products and sums whose low bits depend on the row alone, whatever BLAS would do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.models.terms.fixed_order import fixed_order_product, fixed_order_sum


def distinct_results(product: object, features: int, scores: int) -> int:
    """How many different results one and the same row gets among 1 to 4097 copies of it."""
    rng = np.random.default_rng(features)
    row, weights = rng.uniform(-1, 1, features), rng.normal(size=(scores, features))
    found = [
        product(np.tile(row, (n, 1)), weights)  # type: ignore[operator]
        for n in (1, 2, 3, 5, 8, 100, 600, 601, 4097)
    ]
    return len(np.unique(np.vstack(found), axis=0))


@pytest.mark.parametrize("scores", [1, 2, 3])
@pytest.mark.parametrize("features", [1, 3, 14, 30, 60])
def test_copies_of_a_row_get_one_result(features: int, scores: int) -> None:
    assert distinct_results(fixed_order_product, features, scores) == 1


@given(st.integers(0, 5), st.integers(0, 12), st.integers(1, 4), st.integers(0, 99))
def test_it_is_the_matrix_product(n: int, features: int, scores: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=(n, features)), rng.normal(size=(scores, features))
    expected = values @ weights.T
    for layout in (np.ascontiguousarray, np.asfortranarray):
        found = fixed_order_product(layout(values), weights)
        assert found.shape == (n, scores)
        np.testing.assert_allclose(found, expected, atol=1e-12)
        np.testing.assert_array_equal(found, fixed_order_product(values, weights))


@given(st.integers(1, 40), st.integers(1, 20), st.integers(0, 99))
def test_sums_do_not_depend_on_the_other_rows_or_the_layout(n: int, p: int, seed: int) -> None:
    columns = np.random.default_rng(seed).normal(size=(n, p))
    total = fixed_order_sum(columns)
    np.testing.assert_allclose(total, columns.sum(axis=1), atol=1e-12)
    np.testing.assert_array_equal(total, fixed_order_sum(np.asfortranarray(columns)))
    alone = [fixed_order_sum(columns[i : i + 1])[0] for i in range(n)]
    np.testing.assert_array_equal(total, alone)
