"""Design matrices made of dense columns and of indicators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, hstack

from dpcore._typing import FloatArray, IntArray
from dpcore.schema.matrix import Matrix, SparseMatrix

__all__ = ["one_hot_cells", "side_by_side"]

# Above this share of non-zero entries a dense product is faster than a sparse one.
_DENSE_SHARE = 0.3


def side_by_side(parts: Sequence[Matrix]) -> Matrix:
    """Join matrices of as many rows; dense if much of the result is not zero.

    Examples
    --------
    >>> side_by_side([np.ones((2, 1)), csr_array(np.eye(2))]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """
    sparse = csr_array(hstack([csr_array(part) for part in parts], format="csr"))
    rows, columns = sparse.shape
    return sparse.toarray() if sparse.nnz > _DENSE_SHARE * rows * columns else sparse


def one_hot_cells(cells: IntArray, width: int) -> SparseMatrix:
    """Indicators of cell numbers, shape (n, width).

    Examples
    --------
    >>> one_hot_cells(np.array([1, 0]), 3).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    ones: FloatArray = np.ones(cells.size)
    return csr_array((ones, cells, np.arange(cells.size + 1)), shape=(cells.size, width))
