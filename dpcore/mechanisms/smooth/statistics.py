"""Mean, trimmed mean and median of bounded numbers with their smooth sensitivities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.smooth.bounds import (
    UNIT,
    furthest_from_mean,
    relevant_edits,
    smallest_sizes,
    smoothed,
)

__all__ = ["Mean", "Median", "TrimmedMean"]


@dataclass(frozen=True)
class Mean:
    """The mean of values in [-1, 1]; 0 if there are none.

    Sensitivity
        Adding w to a set y of p records moves the mean by (w - mean(y)) / (p + 1). After k edits
        p >= n - k - 1 and the distance is at most `furthest_from_mean`; for p = 0 it is 1.

    Examples
    --------
    >>> mean, sensitivity = Mean().measure(np.array([-(2**16), 0, 2**16]), beta=9.0)
    >>> mean, round(sensitivity, 3)
    (0.0, 0.583)
    """

    low: ClassVar[float] = -1.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The mean and its smooth sensitivity, in O(n)."""
        edits = relevant_edits(ordered.size, beta)
        sizes = smallest_sizes(ordered.size, edits)
        bounds = np.minimum(furthest_from_mean(ordered, edits) / (sizes + 1), 1.0)
        mean = int(ordered.sum()) / (max(ordered.size, 1) * UNIT)
        return mean, smoothed(bounds, beta)


@dataclass(frozen=True)
class TrimmedMean:
    """The mean without the `trim` smallest and the `trim` largest values; 0 if none are left.

    Parameters
    ----------
    trim : int
        Public; zero or more.

    Sensitivity
        Adding a record to a set y of which p stay moves the trimmed mean by (w - mean) / (p + 1),
        where w is the record or a value that it pushed inside: both lie between the trim-th
        smallest and the trim-th largest value of y. At most k records of y are not of x, so those
        two lie between the (trim - k)-th smallest and largest of x, or the bounds. For p = 0 the
        change is at most 1.

    References
    ----------
    M. Bun, T. Steinke (2019), Average-case averages: private algorithms for smooth sensitivity and
    mean estimation, NeurIPS. arXiv:1906.02830

    Examples
    --------
    >>> TrimmedMean(1).measure(2**13 * np.array([-8, 1, 2, 3, 8]), beta=9.0)[0]
    0.25
    """

    trim: int

    low: ClassVar[float] = -1.0

    def __post_init__(self) -> None:
        _check.integer_in_range(0, None, trim=self.trim)

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The trimmed mean and its smooth sensitivity, in O(n)."""
        inside = ordered[self.trim : max(ordered.size - self.trim, self.trim)]
        left = np.maximum(smallest_sizes(ordered.size, ordered.size) - 2 * self.trim, 0)
        bounds = np.where(left > 0, np.minimum(self._ranges(ordered) / (left + 1), 1.0), 1.0)
        mean = int(inside.sum()) / (max(inside.size, 1) * UNIT)
        return mean, smoothed(bounds, beta)

    def _ranges(self, ordered: IntArray) -> FloatArray:
        """Largest distance of the (trim - k)-th values from both ends, for k = 0, ..., n."""
        ranges = np.full(ordered.size + 1, 2.0)
        near = np.arange(min(self.trim, ordered.size))
        rank = self.trim - 1 - near
        inside = rank < ordered.size
        gaps = ordered[ordered.size - 1 - rank[inside]] - ordered[rank[inside]]
        ranges[near[inside]] = gaps / UNIT
        return ranges


@dataclass(frozen=True)
class Median:
    """The value of rank ceil(n / 2), counted from one; -1 if there is none.

    Sensitivity
        k records added or removed leave the median between the values of ranks ceil((n - k) / 2)
        and ceil((n + k) / 2), or the bounds where there is none. With W_k the distance of the two,
        B_k = W_(k+1), as in `medians_with_sensitivity` for counts on a grid.

    References
    ----------
    K. Nissim, S. Raskhodnikova, A. Smith (2007), STOC, Section 3.1 (for a fixed n).
    doi:10.1145/1250790.1250803

    Examples
    --------
    >>> Median().measure(2**14 * np.array([-4, 1, 4]), beta=9.0)
    (0.25, 1.25)
    """

    low: ClassVar[float] = -1.0

    def measure(self, ordered: IntArray, beta: float) -> tuple[float, float]:
        """The median and its smooth sensitivity, in O(n)."""
        size = ordered.size
        padded = np.concatenate([[-UNIT], ordered, [UNIT]])
        edits = np.arange(1, size + 3)
        lower = np.maximum((size - edits + 1) // 2, 0)
        upper = np.minimum((size + edits + 1) // 2, size + 1)
        widths = (padded[upper] - padded[lower]) / UNIT
        return float(padded[(size + 1) // 2]) / UNIT, smoothed(widths, beta)
