"""Design matrices."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, issparse

from dpcore.models.logistic.columns import one_hot_cells, side_by_side


def test_joining_keeps_values_and_picks_the_format() -> None:
    dense, thin = np.arange(6.0).reshape(3, 2), csr_array((3, 40))
    joined = side_by_side([dense, thin])
    assert issparse(joined)
    np.testing.assert_array_equal(joined.toarray(), np.hstack([dense, np.zeros((3, 40))]))
    assert isinstance(side_by_side([dense, dense]), np.ndarray)


def test_joining_no_rows() -> None:
    assert side_by_side([np.zeros((0, 2)), csr_array((0, 3))]).shape == (0, 5)


def test_each_row_has_its_cell() -> None:
    cells = np.array([2, 0, 2])
    np.testing.assert_array_equal(one_hot_cells(cells, 4).toarray(), np.eye(4)[cells])
