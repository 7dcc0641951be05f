"""Fewer cells for the words of a text where noise would drown most of them."""

from __future__ import annotations

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray

__all__ = ["fold_words", "unfold_words", "word_cells"]

# At most so many cells per record per unit of noise.
_CELLS_PER_RECORD = 6.0


def word_cells(width: int, records_per_noise: float) -> int:
    """Number of cells that words share: their own number, halved until there are few enough.

    Parameters
    ----------
    width : int
        Number of words or buckets, 1 or more.
    records_per_noise : float
        Released number of records per unit of noise.

    Examples
    --------
    >>> [word_cells(4096, records) for records in (5000.0, 500.0, 50.0, -3.0)]
    [4096, 2048, 256, 1]
    """
    _check.integer_in_range(1, None, width=width)
    while width > max(_CELLS_PER_RECORD * records_per_noise, 1.0):
        width = (width + 1) // 2
    return width


def fold_words(shares: FloatArray, cells: int) -> FloatArray:
    """Add up the words whose places are the same modulo the number of cells.

    Sensitivity
        What one record adds to a cell is what it adds to the words there, so the L1 norm of its
        change does not grow.

    Parameters
    ----------
    shares : float array, shape (classes, words)
        On a grid on which sums are exact.
    cells : int

    Returns
    -------
    float array, shape (classes, cells)

    Examples
    --------
    >>> fold_words(np.array([[1.0, 2.0, 4.0]]), 2).tolist()
    [[5.0, 2.0]]
    """
    short = -shares.shape[1] % cells
    padded = np.pad(shares, ((0, 0), (0, short)))
    return np.asarray(padded.reshape(shares.shape[0], -1, cells).sum(axis=1), dtype=np.float64)


def unfold_words(table: FloatArray, width: int) -> FloatArray:
    """The entry of its cell for each word, shape (scores, width).

    Examples
    --------
    >>> unfold_words(np.array([[5.0, 2.0]]), 3).tolist()
    [[5.0, 2.0, 5.0]]
    """
    return table[:, np.arange(width) % table.shape[1]]
