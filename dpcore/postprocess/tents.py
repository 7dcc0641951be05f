"""Overlapping tents over a row of cells, in integers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import sparse

from dpcore import _check
from dpcore._typing import IntArray

__all__ = ["tent_sums", "tent_unit", "tent_weights"]


def tent_unit(spacing: int) -> int:
    """Total weight that each cell gives to the tents of a level: twice the spacing.

    Examples
    --------
    >>> tent_unit(8)
    16
    """
    return 2 * spacing


@lru_cache(maxsize=64)
def tent_weights(cells: int, spacing: int) -> sparse.csr_array:
    """Integer weight of every cell in every tent of one level.

    The peaks of the tents stand `spacing` cells apart, as many as fit, in the middle of the row. A
    cell divides its weight, ``tent_unit(spacing)``, between the two peaks around it, the nearer one
    getting more; a cell beyond the outermost peak gives all to that one.

    Parameters
    ----------
    cells : int
        At least 1.
    spacing : int
        At least 1.

    Returns
    -------
    sparse int array, shape (tents, cells)
        Non-negative, with all columns of the same sum.

    Examples
    --------
    >>> tent_weights(5, 2).toarray().tolist()
    [[4, 4, 2, 0, 0], [0, 0, 2, 4, 4]]
    """
    _check.integer_in_range(1, None, cells=cells, spacing=spacing)
    tents = max(round(cells / spacing), 1)
    cell = np.arange(cells)
    # In half cells: twice the middle of a cell, minus twice the place of the first peak.
    beyond = 2 * cell + 1 - (cells - (tents - 1) * spacing)
    beyond = np.clip(beyond, 0, 2 * spacing * (tents - 1))
    left = np.clip(beyond // (2 * spacing), 0, max(tents - 2, 0))
    right_weight = beyond - 2 * spacing * left
    if tents == 1:
        return sparse.csr_array(np.full((1, cells), 2 * spacing))
    weights = sparse.coo_array(
        (
            np.concatenate([2 * spacing - right_weight, right_weight]),
            (np.concatenate([left, left + 1]), np.concatenate([cell, cell])),
        ),
        shape=(tents, cells),
    )
    compressed = sparse.csr_array(weights)
    compressed.eliminate_zeros()
    return compressed


def tent_sums(counts: IntArray, spacing: int) -> IntArray:
    """Weighted sums of counts under the tents of one level, shape (tents,); exact integers.

    Examples
    --------
    >>> tent_sums(np.array([1, 0, 3, 0, 0]), 2).tolist()
    [10, 6]
    """
    return np.asarray(tent_weights(counts.size, spacing) @ counts, dtype=np.int64)
