"""Medians of the records in disjoint intervals, and how far an edit of the data can move them."""

from __future__ import annotations

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray

__all__ = ["medians_with_sensitivity"]


def medians_with_sensitivity(
    below: IntArray, positions: FloatArray, cuts: IntArray, beta: float
) -> tuple[FloatArray, FloatArray]:
    """Median and beta-smooth sensitivity of the records in each of several intervals.

    Parameters
    ----------
    below : int array, shape (edges,)
        Number of records below each edge of a grid; each record sits in the middle of its cell.
    positions : float array, shape (edges,)
        Coordinates of the edges, non-decreasing.
    cuts : int array, shape (intervals + 1,)
        Indices of the edges that bound the intervals, ascending, from the first to the last edge.
    beta : float
        Smoothness; positive.

    Returns
    -------
    medians, sensitivity : float arrays, shape (intervals,)
        Private. The median of no records is the left end of the interval.

    Sensitivity
        For an interval (L, R) with n records let G(v) = #{x <= v} - #{x > v}; the median is the
        least v with G(v) >= 0, L and R standing in where there is none. An added or removed record
        moves G by exactly one at every v, so k of them keep the median within
        [l_k, h_k] = [least v: G(v) >= -k, least v: G(v) >= k]. With W_k = h_k - l_k the returned
        S = max over k >= 1 of e^(-beta (k - 1)) W_k satisfies S >= W_1 >= the change of the
        median, and S <= e^beta S' for neighbours, because W_k <= W'_(k+1). It assumes no fixed n.

    Notes
    -----
    W_k only grows where l_k or h_k moves to another filled cell, so one candidate per filled cell,
    found by mirroring its rank, gives the maximum: O(cells log cells) for any number of records
    and intervals.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC, Section 3.1 (for a fixed n). doi:10.1145/1250790.1250803

    Examples
    --------
    >>> below, positions = np.array([0, 1, 1, 2, 3]), np.arange(5.0)
    >>> medians, _ = medians_with_sensitivity(below, positions, np.array([0, 4]), beta=0.5)
    >>> medians.tolist()
    [2.5]
    """
    first, size = below[cuts[:-1]], np.diff(below[cuts])
    left, right = positions[cuts[:-1]], positions[cuts[1:]]
    filled = np.flatnonzero(np.diff(below))
    value, last = (positions[filled] + positions[filled + 1]) / 2.0, below[filled + 1]
    medians = _ranked(value, last, first + (size + 1) // 2, size > 0, left)
    sensitivity = (right - left) * np.exp(-beta * size)
    if filled.size:
        lowest = _ranked(value, last, first + size // 2, size > 1, left)
        highest = _ranked(value, last, first + size // 2 + 1, size > 0, right)
        furthest = _ranked(value, last, first + size, size > 0, left)
        beyond = (furthest - left) * np.exp(-beta * np.maximum(size - 1, 0))
        sensitivity = np.maximum.reduce([sensitivity, highest - lowest, beyond])
        interval = np.searchsorted(cuts, filled, side="right") - 1
        mirror = (2 * first + size)[interval]
        for cells, width, edits in _candidates(value, below[filled], last, mirror):
            spread = width * np.exp(-beta * (edits - 1))
            np.maximum.at(sensitivity, interval[cells], spread)
    return medians, sensitivity


def _candidates(
    value: FloatArray, start: IntArray, last: IntArray, mirror: IntArray
) -> list[tuple[IntArray, FloatArray, IntArray]]:
    """Filled cells, the width W_k of the range that begins or ends in them, and its least k."""
    low = np.flatnonzero(2 * last < mirror)
    partner = np.searchsorted(last, mirror[low] - last[low])
    high = np.flatnonzero(2 * start >= mirror)
    mate = np.searchsorted(last, mirror[high] - start[high])
    return [
        (low, value[partner] - value[low], mirror[low] - 2 * last[low]),
        (high, value[high] - value[mate], 2 * start[high] - mirror[high] + 1),
    ]


def _ranked(
    value: FloatArray, last: IntArray, rank: IntArray, exists: BoolArray, otherwise: FloatArray
) -> FloatArray:
    """Value of the record of each rank (counted from one over the whole grid)."""
    if value.size == 0:
        return otherwise.copy()
    cell = np.minimum(np.searchsorted(last, rank), value.size - 1)
    return np.asarray(np.where(exists, value[cell], otherwise), dtype=np.float64)
