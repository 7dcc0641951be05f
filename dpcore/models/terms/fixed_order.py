"""Sums over features whose low bits depend on nothing but the record itself."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["fixed_order_product", "fixed_order_sum"]


def fixed_order_product(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The matrix product of values and transposed weights, shape (n, scores), without BLAS.

    BLAS picks its kernel by the shapes, so the last bit of one row's result can depend on how many
    other rows there are. A score near the edge of a histogram cell would then change its cell when
    a record is added elsewhere, and all records at once with it. Here each row is multiplied and
    added entry by entry, feature after feature, whatever the other rows are.

    Parameters
    ----------
    values : float array, shape (n, p)
    weights : float array, shape (scores, p)

    Examples
    --------
    >>> fixed_order_product(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[11.0, 2.0]]
    """
    # One feature after the other lies side by side in memory, so that each step is a long vector.
    columns = np.ascontiguousarray(values.T)
    totals = np.zeros((weights.shape[0], values.shape[0]))
    for column, per_score in zip(columns, weights.T, strict=True):
        for total, weight in zip(totals, per_score, strict=True):
            total += column * weight
    return np.ascontiguousarray(totals.T)


def fixed_order_sum(columns: FloatArray) -> FloatArray:
    """Sum of each row, shape (n,), adding column after column; columns of shape (n, p).

    Examples
    --------
    >>> fixed_order_sum(np.array([[1.0, 2.0, 4.0], [0.5, 0.0, 0.5]])).tolist()
    [7.0, 1.0]
    """
    total = np.zeros(columns.shape[0])
    for column in columns.T:
        total += column
    return total
