"""Matrix products without rounding, for solutions that a proof must be able to trust.

Rows have entries of at most 1 in size, on a grid of 2^-24. A vector is cut into slices of so few
bits that every product of rows with a slice, and every sum of such products, is a whole number of
grid cells below 2^53: floating-point arithmetic then makes no error, in whatever order it adds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from dpcore._typing import FloatArray
from dpcore.schema.matrix import Matrix

__all__ = ["chunks_of", "collapse", "on_grid", "row_sums", "row_times"]

_EXACT_BITS = 53
_ROW_BITS = 24
# Records in one chunk, whose sums are exact; sums of chunks are compensated.
_CHUNK_BITS = 16
# Weights are read to this many bits below the largest, and residuals to 2^-72.
_WEIGHT_BITS, _RESIDUAL_BITS = 60, 72


def on_grid(rows: Matrix) -> Matrix:
    """Cut every entry, towards zero, to a multiple of 2^-24: no row grows.

    Examples
    --------
    >>> on_grid(np.array([[1.0, -1.0, 0.5, 2.0**-25]])).tolist()
    [[1.0, -1.0, 0.5, -0.0]]
    """
    cells = 2.0**_ROW_BITS
    if isinstance(rows, np.ndarray):
        return np.trunc(rows * cells) / cells
    cut = rows.copy()
    cut.data = np.trunc(rows.data * cells) / cells
    return cut


def chunks_of(rows: Matrix) -> list[Matrix]:
    """Cut rows into chunks of at most 2^16 records."""
    size = 2**_CHUNK_BITS
    if rows.shape[0] <= size:
        return [rows]
    return [rows[start : start + size] for start in range(0, rows.shape[0], size)]


def row_times(rows: Matrix, vectors: FloatArray) -> FloatArray:
    """Rows times vectors as summands without error; `collapse` adds them.

    Parameters
    ----------
    rows : ndarray or csr_array, shape (n, p)
        On the grid.
    vectors : float array, shape (p, k)

    Returns
    -------
    float array, shape (slices, n, k)
        Differences between the vectors' columns are without error too.
    """
    bits = max(_EXACT_BITS - 1 - _ROW_BITS - _bits_of(vectors.shape[0]), 4)
    largest = float(np.abs(vectors).max(initial=0.0))
    top = max(math.frexp(largest)[1], -500)
    slices = _sliced(vectors, top=top, bits=bits, depth=_WEIGHT_BITS)
    product = np.asarray(cast(Any, rows) @ np.hstack(slices), dtype=np.float64)
    return np.moveaxis(product.reshape(-1, len(slices), vectors.shape[1]), 1, 0)


def row_sums(
    parts: Iterable[tuple[Matrix, FloatArray, FloatArray]], shape: tuple[int, int]
) -> list[FloatArray]:
    """Sums of rows, each times its own residual, as summands; `collapse` adds them.

    Parameters
    ----------
    parts : iterable of (rows, whole, fraction)
        Chunks of records: rows of shape (m, p) on the grid, and the residual in two summands of
        shape (m, k), a whole number and a rest, each of at most 1 in size. Where k > 1, the
        fractions of a row may be given as 0 for one column, marked NaN-free by `balance`.
    shape : (int, int)
        (p, k).
    """
    width = shape[1]
    bits = _EXACT_BITS - 1 - _ROW_BITS - _CHUNK_BITS - _bits_of(width)
    count = -(-_RESIDUAL_BITS // bits)
    totals, lost = np.zeros((count, *shape)), np.zeros((count, *shape))
    for rows, whole, fraction in parts:
        slices = _sliced(fraction, top=0, bits=bits, depth=_RESIDUAL_BITS)
        slices[0] = slices[0] + whole
        product = np.asarray(cast(Any, rows).T @ np.hstack(slices), dtype=np.float64)
        summand = np.moveaxis(product.reshape(-1, count, width), 1, 0)
        totals, error = _two_sum(totals, summand)
        lost += error
    return [*totals, *lost]


def collapse(summands: Sequence[FloatArray] | FloatArray) -> FloatArray:
    """Add arrays of one shape, first to last, rounding about once."""
    total = summands[0]
    lost = np.zeros_like(total)
    for summand in summands[1:]:
        total, error = _two_sum(total, summand)
        lost += error
    return np.asarray(total + lost, dtype=np.float64)


def _two_sum(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rounded sum, and exactly what rounding lost (Knuth)."""
    total = one + other
    back = total - one
    return total, (one - (total - back)) + (other - back)


def _sliced(values: FloatArray, *, top: int, bits: int, depth: int) -> list[FloatArray]:
    """Summands of `bits` bits each, from 2^top down to 2^(top - depth)."""
    slices, rest = [], values
    for number in range(1, -(-depth // bits) + 1):
        unit = 2.0 ** (top - bits * number)
        piece = np.rint(rest / unit) * unit
        slices.append(piece)
        rest = rest - piece
    return slices


def _bits_of(count: int) -> int:
    """Bits that a sum of so many terms can grow by."""
    return math.ceil(math.log2(max(count, 1)))
