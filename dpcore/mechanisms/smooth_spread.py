"""Variance and standard deviation of bounded numbers with their smooth sensitivities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.smooth_bounds import UNIT, furthest_from_mean, relevant_edits, smallest_sizes
from dpcore.mechanisms.variance_subsets import OrderedCells

__all__ = ["Deviation", "Variance"]

# Up to so many edits the least variance is found exactly, beyond by a bound that is cheaper.
_EXACT_EDITS = 512

# Bound on the change, from 1 / (records of the larger set), least variance and largest distance.
Change: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Variance:
    """The variance (over n) of values in [-1, 1]; 0 if there are none.

    Sensitivity
        With t = 1 / (p + 1), a record at distance d from the mean of a set of p records with
        variance V turns it into V + t ((1 - t) d^2 - V): up by at most t (d^2 - V), where d^2 > V,
        and down by at most t V <= t. The first falls in V and rises in t and d, so bounds on the
        three give B_k; no change exceeds 1. See `_smooth_sensitivity` for V.

    Examples
    --------
    >>> variance, _ = Variance().measure(2**16 * np.array([-1, 0, 1]), beta=1.0)
    >>> round(variance, 4)
    0.6667
    """

    low: ClassVar[float] = 0.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The variance and its smooth sensitivity, in O(n)."""
        cells = OrderedCells(ordered)
        return _variance(cells), _smooth_sensitivity(cells, beta, _variance_change)


@dataclass(frozen=True)
class Deviation:
    """The standard deviation (over n) of values in [-1, 1]; 0 if there are none.

    Sensitivity
        As for `Variance`: up by at most sqrt(V + t (d^2 - V)) - sqrt(V), which falls in V and rises
        in t and d, and down by sqrt(V) (1 - sqrt(1 - t)) at most, where V <= 1.

    Examples
    --------
    >>> Deviation().measure(2**16 * np.array([-1, 1]), beta=1.0)[0]
    1.0
    """

    low: ClassVar[float] = 0.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The standard deviation and its smooth sensitivity, in O(n)."""
        cells = OrderedCells(ordered)
        return _variance(cells) ** 0.5, _smooth_sensitivity(cells, beta, _deviation_change)


def _variance(cells: OrderedCells) -> float:
    return cells.least_squares(cells.size) / (cells.size * UNIT**2) if cells.size else 0.0


def _variance_change(share: FloatArray, least: FloatArray, distance: FloatArray) -> FloatArray:
    up = share * np.maximum(distance**2 - least, 0.0)
    return np.minimum(np.maximum(up, share), 1.0)


def _deviation_change(share: FloatArray, least: FloatArray, distance: FloatArray) -> FloatArray:
    rise = share * np.maximum(distance**2 - least, 0.0)
    # Differences of roots, written without cancellation.
    up = rise / (np.sqrt(least + rise) + np.sqrt(least))
    down = share / (1.0 + np.sqrt(1.0 - share))
    return np.asarray(np.minimum(np.maximum(up, down), 1.0), dtype=np.float64)


def _smooth_sensitivity(cells: OrderedCells, beta: float, change: Change) -> float:
    """The largest of e^(-beta k) B_k.

    Sensitivity
        The smaller set of an edit after k edits comes from x by at most k + 1 removals and
        additions. Its squared deviations are at least those of the n - k - 1 values of x that vary
        least, and its size at most n + k + 1: their ratio bounds V from below. It does not rise
        from x to one edit more of a neighbour, because removing that edit's record is one of the
        removals compared. Beyond `_EXACT_EDITS` edits, a public number, the bound of
        `squares_without_pairs` stands in: it is lower still, and shares that property (one edit
        moves every rank by at most one, so pair i + 1 of the neighbour is no wider than pair i).

    Notes
    -----
    The cheap bound, known for all k at once, says which k could hold the maximum; the exact least
    variance is found only there, in the order of promise.
    """
    size = cells.size
    last = relevant_edits(size, beta)
    edits = np.arange(last + 1)
    share = 1.0 / (smallest_sizes(size, last) + 1)
    distance = furthest_from_mean(cells.values, last)
    most = (size + 1 + edits) * float(UNIT**2)
    cheap = cells.squares_without_pairs(last + 1)[1:] / most
    promise = np.exp(-beta * edits) * change(share, cheap, distance)
    best = float(promise[_EXACT_EDITS:].max(initial=0.0))
    for k in np.argsort(-promise[:_EXACT_EDITS], kind="stable").tolist():
        if promise[k] <= best:
            break
        kept = size - k - 1
        least = cells.least_squares(kept) / most[k] if kept > 0 else 0.0
        one = slice(k, k + 1)
        exact = change(share[one], np.array([least]), distance[one])
        best = max(best, float(np.exp(-beta * k) * exact[0]))
    return best
