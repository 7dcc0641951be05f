"""Whole outputs that come more often on one data set, where outputs repeat."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.statistics.statistic import Statistic

__all__ = ["exact_matches"]

# Outputs repeat if a sample holds at most this share of different ones.
_REPEATING = 0.5


def exact_matches(here: FloatArray, there: FloatArray) -> list[Statistic]:
    """How much more often each very output was seen on one data set: a log-ratio, 0 if never.

    Empty where outputs hardly repeat.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.

    Examples
    --------
    >>> seen = exact_matches(np.array([[1.0], [1.0], [1.0]]), np.array([[1.0], [2.0], [2.0]]))
    >>> seen[0].score(np.array([[1.0], [2.0], [3.0]])).round(2).tolist()
    [0.85, -1.61, 0.0]
    """
    known, group = np.unique(np.concatenate([_keys(here), _keys(there)]), return_inverse=True)
    if known.size > max(_REPEATING * group.size, 2):
        return []
    ours = np.bincount(group[: here.shape[0]], minlength=known.size)
    theirs = np.bincount(group[here.shape[0] :], minlength=known.size)
    ratios = np.log((ours + 0.5) / (theirs + 0.5))

    def score(outputs: FloatArray) -> FloatArray:
        keys = _keys(outputs)
        places: IntArray = np.minimum(np.searchsorted(known, keys), known.size - 1)
        return np.where(known[places] == keys, ratios[places], 0.0)

    return [Statistic("how typical the exact output is of the first data set", score)]


def _keys(outputs: FloatArray) -> NDArray[Any]:
    """One comparable value for each row; equal rows have equal ones."""
    rows = np.ascontiguousarray(outputs + 0.0)  # turns -0 into 0
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
