"""Public grids: their ends are chosen by a person, never taken from the data."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument

__all__ = ["checked_grid", "log_grid", "uniform_grid"]

MOST_POINTS = 2**20


def uniform_grid(low: float, high: float, points: int) -> FloatArray:
    """Evenly spaced points from `low` to `high`.

    Parameters
    ----------
    low, high : float
        Public bounds of the values, low below high.
    points : int
        From 2 to 2^20.

    Raises
    ------
    InvalidArgument
        If the bounds are not finite and ascending.

    Examples
    --------
    >>> uniform_grid(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    _check.finite(low=low, high=high)
    _require_rising(low, high)
    _check.integer_in_range(2, MOST_POINTS, points=points)
    return checked_grid(np.linspace(low, high, points))


def log_grid(low: float, high: float, points: int) -> FloatArray:
    """Points from `low` to `high` with equal ratios, for a constant relative precision.

    Parameters
    ----------
    low, high : float
        Public bounds of the values, positive, low below high.
    points : int
        From 2 to 2^20.

    Raises
    ------
    InvalidArgument
        If the bounds are not positive and ascending.

    Examples
    --------
    >>> log_grid(1, 8, 4).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    _check.positive(low=low, high=high)
    _require_rising(low, high)
    _check.integer_in_range(2, MOST_POINTS, points=points)
    return checked_grid(np.geomspace(low, high, points))


def checked_grid(grid: ArrayLike) -> FloatArray:
    """The grid as an array, or `InvalidArgument` unless it is finite and strictly increasing."""
    points = np.asarray(grid, dtype=np.float64)
    if points.ndim != 1 or not 2 <= points.size <= MOST_POINTS:
        raise InvalidArgument("grid", points.shape, f"a vector of 2 to {MOST_POINTS} points")
    rises = np.isfinite(points)
    rises[1:] &= points[1:] > points[:-1]
    if not rises.all():
        place = int(np.argmin(rises))
        requirement = "finite and above the point before it"
        raise InvalidArgument(f"grid[{place}]", float(points[place]), requirement)
    return points


def _require_rising(low: float, high: float) -> None:
    if not low < high:
        raise InvalidArgument("high", high, f"above low, which is {low!r}")
