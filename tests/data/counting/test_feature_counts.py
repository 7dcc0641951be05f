"""Counts per class and indicator, against the obvious loop."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from dpcore.data.counting.feature_counts import class_sizes, feature_counts, feature_sums

TABLES = arrays(
    np.float64,
    st.tuples(st.integers(0, 8), st.integers(0, 5)),
    elements=st.sampled_from([0.0, 1.0]),
)


@given(TABLES, st.integers(1, 4), st.integers(0, 10**6))
def test_counts_are_sums_over_the_records_of_a_class(
    table: np.ndarray, n_classes: int, seed: int
) -> None:
    classes = np.random.default_rng(seed).integers(0, n_classes, table.shape[0])
    counts = feature_counts(csr_array(table), classes, n_classes)
    expected = [table[classes == label].sum(axis=0) for label in range(n_classes)]
    np.testing.assert_array_equal(counts, np.array(expected).reshape(counts.shape))
    np.testing.assert_array_equal(
        class_sizes(classes, n_classes), [(classes == label).sum() for label in range(n_classes)]
    )


def test_types_are_whole_numbers() -> None:
    counts = feature_counts(csr_array((0, 3)), np.zeros(0, dtype=np.int64), 2)
    assert counts.dtype == np.int64
    assert counts.shape == (2, 3)


@given(TABLES, st.integers(1, 4), st.integers(0, 10**6))
def test_sums_of_ones_are_counts(table: np.ndarray, n_classes: int, seed: int) -> None:
    classes = np.random.default_rng(seed).integers(0, n_classes, table.shape[0])
    sums = feature_sums(csr_array(table), classes, n_classes)
    np.testing.assert_array_equal(sums, feature_counts(csr_array(table), classes, n_classes))
