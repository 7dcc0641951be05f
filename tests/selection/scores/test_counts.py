"""Purity index: it sees absent features too, so every score can move."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore import Neighbors
from dpcore.selection.scores import PublicRows
from dpcore.selection.scores.counts import METHOD, difference_count, purity_index, total_count


def test_it_counts_the_records_that_have_the_feature() -> None:
    rows = csr_array(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    assert total_count(rows, None).tolist() == [2.0, 1.0, 0.0]


def test_no_records() -> None:
    assert total_count(csr_array((0, 2)), None).tolist() == [0.0, 0.0]


def test_it_does_not_read_the_classes() -> None:
    assert METHOD[0].needs_classes is False
    assert METHOD[0].whole


ROWS = csr_array(np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]))


def test_by_hand() -> None:
    assert difference_count(ROWS, np.array([1, 1, 0, 0])).tolist() == [1.0, 1.0, 1.0]
    assert difference_count(ROWS, np.array([1, 1, 1, 0])).tolist() == [3.0, 1.0, 1.0]


def test_it_is_class_1_against_all_others() -> None:
    classes = np.array([1, 2, 0, 3])
    expected = difference_count(ROWS, (classes == 1).astype(int))
    np.testing.assert_array_equal(difference_count(ROWS, classes), expected)


def test_weights_add_up() -> None:
    half = csr_array(np.array([[0.5, 0.5], [1.0, 0.0]]))
    assert difference_count(half, np.array([1, 0])).tolist() == [0.5, 0.5]


def test_it_needs_classes() -> None:
    assert METHOD[1].needs_classes
    assert METHOD[1].whole


def test_purity_index_by_hand() -> None:
    rows = csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
    assert purity_index(rows, np.array([1, 0, 0, 0, 1])).tolist() == [1.0, 1.0]
    assert purity_index(rows, np.array([1, 1, 0, 0, 0])).tolist() == [3.0, 2.0]


def test_the_footnote_of_the_paper_is_false() -> None:
    """Flipping one label moves features by 2 that are 0 in both records: not 2 s, but 2 |F|."""
    rows = csr_array(np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]))
    moved = purity_index(rows, np.array([1, 1])) - purity_index(rows, np.array([0, 1]))
    assert np.abs(moved).tolist() == [0.0, 2.0, 2.0, 2.0]
    s = 1
    assert np.abs(moved).sum() > 2 * s
    facts = PublicRows(neighbors=Neighbors.REPLACE, bound=s, features=4)
    assert METHOD[2].l1_sensitivity(facts) == 8
