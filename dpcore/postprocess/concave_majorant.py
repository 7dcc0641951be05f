"""The smallest concave curve above a given one."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["concave_majorant"]


def concave_majorant(x: FloatArray, y: FloatArray) -> FloatArray:
    """Least concave majorant of a piecewise-linear curve, at its own knots.

    Parameters
    ----------
    x : float array, shape (points,)
        Non-decreasing; a vertical step repeats its abscissa.
    y : float array, shape (points,)
        Non-decreasing.

    Returns
    -------
    float array, shape (points,)
        At least `y`; at a repeated abscissa, the value at its top, but the first and the last
        knot keep their place so that a ROC curve still runs from (0, 0) to (1, 1).

    Examples
    --------
    >>> concave_majorant(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.2, 1.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    corners: list[int] = []
    for point in range(x.size):
        while len(corners) >= 2 and _turns_left(x, y, corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    top = np.interp(x, x[corners], y[corners])
    top[0], top[-1] = y[0], y[-1]
    return np.maximum(top, y)


def _turns_left(x: FloatArray, y: FloatArray, first: int, middle: int, last: int) -> bool:
    """Whether the middle point lies on or below the line from the first to the last."""
    rise = (y[middle] - y[first]) * (x[last] - x[first])
    return bool(rise <= (y[last] - y[first]) * (x[middle] - x[first]))
