"""From bounds on the change after k edits to a smooth sensitivity."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from dpcore._typing import FloatArray, IntArray

__all__ = [
    "UNIT",
    "Statistic",
    "furthest_from_mean",
    "on_unit_grid",
    "relevant_edits",
    "smallest_sizes",
    "smoothed",
]

# Values lie in [-1, 1] and are counted in cells of 2^-16: sums and squares are then exact integers.
UNIT = 2**16


class Statistic(Protocol):
    """A number that summarises values in [-1, 1], with a smooth bound on its sensitivity.

    Sensitivity
        For records added or removed (the number of records is private). With bounds B_k such that
        no single edit of a data set within k edits of x moves the statistic by more than B_k(x),
        and B_k(x) <= B_(k+1)(x') for all neighbours x', the number S = max_k e^(-beta k) B_k is at
        least the local sensitivity and at most e^beta times S(x') (Nissim et al. 2007).
        Each statistic argues such bounds. An edit joins a smaller set y to y and one more record; y
        is within k + 1 edits of x and has n - k - 1 records or more.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), Smooth sensitivity and sampling in private data
    analysis, STOC. doi:10.1145/1250790.1250803
    """

    @property
    def low(self) -> float:
        """The least value that it can have; the largest is 1."""

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The statistic and its beta-smooth sensitivity (private) of ascending cells of 2^-16."""


def on_unit_grid(values: FloatArray) -> IntArray:
    """Values cut to [-1, 1] and rounded to cells of 2^-16, each by itself.

    Examples
    --------
    >>> on_unit_grid(np.array([-9.0, 0.25])).tolist()
    [-65536, 16384]
    """
    return np.rint(np.clip(values, -1.0, 1.0) * UNIT).astype(np.int64)


def smoothed(bounds: FloatArray, beta: float) -> float:
    """The largest of e^(-beta k) bounds[k].

    Examples
    --------
    >>> smoothed(np.array([1.0, 8.0]), np.log(2.0))
    4.0
    """
    return float((np.exp(-beta * np.arange(bounds.size)) * bounds).max())


def relevant_edits(size: int, beta: float) -> int:
    """Number of edits beyond which no bound matters, if none exceeds 1 and B_0 >= 1 / (2 n).

    From then on e^(-beta k) is below B_0, so leaving those k out changes nothing.

    Examples
    --------
    >>> relevant_edits(10, 0.01), relevant_edits(10**6, 0.5)
    (10, 31)
    """
    return min(size, math.ceil(math.log(2.0 * (size + 1)) / beta) + 1)


def smallest_sizes(size: int, edits: int) -> IntArray:
    """Least number of records of the smaller set of an edit, after k = 0, ..., edits.

    Examples
    --------
    >>> smallest_sizes(3, 3).tolist()
    [2, 1, 0, 0]
    """
    return np.maximum(size - 1 - np.arange(edits + 1), 0)


def furthest_from_mean(ordered: IntArray, edits: int) -> FloatArray:
    """Largest distance of a value in [-1, 1] from the mean of the smaller set, after k edits.

    Sensitivity
        The mean of the smaller set is at least -1 + P_k / (n + k + 1), P_k the sum of x + 1 over
        all but the k + 1 largest values: removals take away no more, additions add nothing less
        than zero, and there are n + k + 1 records at most. Likewise from above. P_k does not rise
        from x to k + 1 edits of a neighbour, so the result does not fall.

    Parameters
    ----------
    ordered : int array, shape (n,)
    edits : int
        At most n.

    Returns
    -------
    float array, shape (edits + 1,)
        For k = 0, ..., edits; between 1 and 2.
    """
    size, total = ordered.size, int(ordered.sum())
    above = total + size * UNIT - _sums_of_first(ordered[::-1][: edits + 1] + UNIT, edits)
    below = size * UNIT - total - _sums_of_first(UNIT - ordered[: edits + 1], edits)
    most = size + 1 + np.arange(edits + 1)
    return np.asarray(2.0 - np.minimum(above, below) / (most * UNIT), dtype=np.float64)


def _sums_of_first(values: IntArray, edits: int) -> IntArray:
    """Sums of the first 1, 2, ..., edits + 1 values, or of all where there are fewer."""
    sums = np.cumsum(values[: edits + 1])
    total = sums[-1] if sums.size else 0
    return np.concatenate([sums, np.full(edits + 1 - sums.size, total, dtype=np.int64)])
