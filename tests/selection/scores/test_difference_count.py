"""Difference count."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore.selection.scores.difference_count import METHOD, difference_count

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
    assert METHOD.needs_classes
    assert METHOD.whole
