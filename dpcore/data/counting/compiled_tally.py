"""The loop that counts scores, compiled by Numba: it takes a tenth of the time of reading them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray
from dpcore.data.counting.score_cells import LEVELS, ScoreLayout, score_layout

Count: TypeAlias = Callable[[BoolArray, NDArray[Any], NDArray[np.uint32]], None]

# Places of counts: LEVELS each for negative and low, negative and high, positive and low, positive
# and high; and one for numbers that are no scores.
UNUSABLE = 4 * LEVELS
PLACES = UNUSABLE + 1
# Rows per pass, whose intermediate arrays stay in the first cache.
_PASS = 1024
_ONE_AT_A_TIME = Lock()
_READY: dict[np.dtype[Any], Count] = {}


def is_compiled(precision: np.dtype[Any]) -> bool:
    """Whether this process has compiled the loop for scores of a precision."""
    return precision in _READY


def compiled(precision: np.dtype[Any]) -> Count:
    """The loop for scores of a precision.

    The first call of a process imports Numba and compiles, which takes about half a second, or
    reads what another process compiled.

    Parameters
    ----------
    precision : dtype
        float32 or float64.

    Returns
    -------
    callable
        Takes classes (bool), scores and counts (uint32, shape (PLACES,)), to which it adds. Other
        threads run while it counts.

    Examples
    --------
    >>> counts = np.zeros(PLACES, dtype=np.uint32)
    >>> compiled(np.dtype(np.float64))(np.array([True, False]), np.array([0.2, 0.7]), counts)
    >>> np.flatnonzero(counts) // LEVELS
    array([1, 2])
    """
    with _ONE_AT_A_TIME:
        if precision not in _READY:
            _READY[precision] = _counter(precision)
    return _READY[precision]


def _counter(precision: np.dtype[Any]) -> Count:
    layout = score_layout(precision)
    loop = _compile(precision, layout)

    def count(positive: BoolArray, scores: NDArray[Any], counts: NDArray[np.uint32]) -> None:
        near, places = np.empty(_PASS, dtype=precision), np.empty(_PASS, dtype=np.uint32)
        bits = near.view(layout.integers)
        columns = np.ascontiguousarray(positive), np.ascontiguousarray(scores)
        loop(*columns, near, bits, places, layout.shift, layout.first, counts)

    return count


def _compile(precision: np.dtype[Any], layout: ScoreLayout) -> Callable[..., None]:
    from numba import from_dtype, njit, types, void

    def vector(kind: Any, *, readonly: bool = False) -> Any:
        return types.Array(from_dtype(np.dtype(kind)), 1, "C", readonly=readonly)

    integer = from_dtype(layout.integers)
    signature = void(
        vector(np.bool_, readonly=True),
        vector(precision, readonly=True),
        vector(precision),
        vector(layout.integers),
        vector(np.uint32),
        integer,
        integer,
        vector(np.uint32),
    )
    try:
        loop: Callable[..., None] = njit(signature, nogil=True, cache=True)(_loop)
    except RuntimeError:  # no folder to keep it in may be written
        loop = njit(signature, nogil=True)(_loop)
    return loop


def _loop(
    positive: BoolArray,
    scores: NDArray[Any],
    near: NDArray[Any],
    bits: NDArray[Any],
    places: NDArray[np.uint32],
    shift: int,
    first: int,
    counts: NDArray[np.uint32],
) -> None:
    """Count; `bits` are those of `near`. Loops without branches become vector instructions."""
    one, half = scores.dtype.type(1.0), scores.dtype.type(0.5)
    for start in range(0, scores.size, near.size):
        size = min(near.size, scores.size - start)
        score, positives = scores[start : start + size], positive[start : start + size]
        for row in range(size):
            near[row] = min(one - score[row], score[row])
        for row in range(size):
            level = max((bits[row] >> shift) - first, 0)
            place = level + LEVELS * (2 * positives[row] + (score[row] >= half))
            places[row] = place if (score[row] >= 0.0) & (score[row] <= one) else UNUSABLE
        for row in range(size):
            counts[places[row]] += 1
