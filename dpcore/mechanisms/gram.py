"""Second derivatives of a sum over records: rows times rows, weighed by each record's curvature."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dpcore._typing import FloatArray
from dpcore.schema.matrix import Matrix, SparseMatrix

__all__ = ["gram"]

# A product reads its right side many times, a sparse one once per column of the left: out of the
# cache if the rows are cut into pieces of so many, else from memory.
_CACHED_ROWS = 8_192


def gram(rows: Matrix, scale: FloatArray) -> FloatArray:
    """Rows transposed times diag(scale) times rows, dense, shape (p, p).

    Parameters
    ----------
    rows : ndarray or csr_array, shape (n, p)
    scale : float array, shape (n,)

    Examples
    --------
    >>> gram(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([0.5, 1.0])).tolist()
    [[0.5, 1.0], [1.0, 3.0]]
    """
    total = np.zeros((rows.shape[1], rows.shape[1]))
    for start in range(0, rows.shape[0], _CACHED_ROWS):
        stop = min(start + _CACHED_ROWS, rows.shape[0])
        if isinstance(rows, np.ndarray):
            piece = rows[start:stop]
            total += piece.T @ (piece * scale[start:stop, np.newaxis])
        else:
            total += _sparse_gram(rows, scale, start, stop)
    return total


def _sparse_gram(rows: SparseMatrix, scale: FloatArray, start: int, stop: int) -> FloatArray:
    """The product of some of the rows, none of which is copied."""
    first, last = rows.indptr[[start, stop]]
    ends, columns = rows.indptr[start : stop + 1] - first, rows.indices[first:last]
    entries, shape = rows.data[first:last], (stop - start, rows.shape[1])
    weighted = entries * np.repeat(scale[start:stop], np.diff(ends))
    piece = csr_array((entries, columns, ends), shape=shape)
    product = piece.T @ csr_array((weighted, columns, ends), shape=shape)
    return np.asarray(product.toarray(), dtype=np.float64)
