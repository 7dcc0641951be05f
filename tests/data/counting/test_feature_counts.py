"""Counts per class and indicator, against the obvious loop."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from dpcore.data.counting.feature_counts import (
    SHARE_UNITS,
    class_sizes,
    column_names,
    encoded,
    feature_counts,
    feature_sums,
    word_shares,
)
from tests.data.counting._tables import SCHEMA, people


def test_columns_are_the_features_and_the_label() -> None:
    assert column_names(SCHEMA) == ("age", "weight", "smokes", "job", "ill")


def test_batches_are_encoded_one_by_one() -> None:
    frame = people(50)
    batches = [{name: part[name].to_numpy() for name in frame} for part in (frame[:20], frame[20:])]
    rows = list(encoded(batches, SCHEMA))
    kept = frame[frame["ill"] != "?"]
    classes = np.concatenate([codes for _, codes in rows])
    assert [("no", "maybe", "yes")[code] for code in classes] == kept["ill"].tolist()
    assert sum(bounded.n_rows for bounded, _ in rows) == len(kept)


@given(st.integers(0, 10**6), st.integers(1, 3))
def test_a_text_adds_at_most_one_whatever_its_length(seed: int, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = (rng.random((8, 5)) < rng.random((8, 1))).astype(float)
    classes = rng.integers(0, n_classes, 8)
    found = word_shares(csr_array(table), classes, n_classes)
    wanted = np.zeros((n_classes, 5), dtype=np.int64)
    for row, label in zip(table, classes, strict=True):
        words = int(row.sum())
        wanted[label] += row.astype(np.int64) * (SHARE_UNITS // max(words, 1))
    np.testing.assert_array_equal(found, wanted)
    assert found.sum() <= SHARE_UNITS * int((table.sum(axis=1) > 0).sum())


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
