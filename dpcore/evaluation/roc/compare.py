"""How far two ROC curves are apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument


def roc_area_between(
    fpr_a: ArrayLike, tpr_a: ArrayLike, fpr_b: ArrayLike, tpr_b: ArrayLike
) -> float:
    """Area between two piecewise-linear ROC curves: the integral of |tpr_a - tpr_b| over the fpr.

    Parameters
    ----------
    fpr_a, tpr_a : array-like, shape (points_a,)
        First curve; its fpr runs from 0 to 1 and never falls. Vertical steps are allowed.
    fpr_b, tpr_b : array-like, shape (points_b,)
        Second curve.

    Returns
    -------
    float
        In [0, 1], exact up to rounding: the curves are cut where either bends and where they cross.

    Raises
    ------
    InvalidArgument
        If a curve's fpr does not run from 0 to 1 without falling, or its arrays differ in length.

    Examples
    --------
    The perfect curve and the chance diagonal enclose a triangle:

    >>> roc_area_between([0, 0, 1], [0, 1, 1], [0, 1], [0, 1])
    0.5
    """
    x_a, y_a = _curve("a", fpr_a, tpr_a)
    x_b, y_b = _curve("b", fpr_b, tpr_b)
    knots = np.unique(np.concatenate([x_a, x_b]))
    before_a, after_a = _one_sided(x_a, y_a, knots)
    before_b, after_b = _one_sided(x_b, y_b, knots)
    left = (after_a - after_b)[:-1]
    right = (before_a - before_b)[1:]
    return float(np.diff(knots) @ _mean_absolute(left, right))


def _curve(name: str, fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    if x.ndim != 1 or x.size < 2 or x.shape != y.shape:
        raise InvalidArgument(f"tpr_{name}", y.shape, f"a vector as long as fpr_{name} {x.shape}")
    # Written so that NaN fails too.
    if not (x[0] == 0.0 and x[-1] == 1.0 and (np.diff(x) >= 0.0).all()):
        raise InvalidArgument(f"fpr_{name}", "another order", "from 0 to 1 without falling")
    return x, y


def _one_sided(x: FloatArray, y: FloatArray, knots: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Limits of a curve from the left and from the right at sorted knots, shape (knots,) each."""
    first = np.searchsorted(x, knots, side="left")
    last = np.searchsorted(x, knots, side="right") - 1
    # At a knot of this curve first <= last, and the two differ where the curve jumps; between its
    # knots last + 1 == first, and both limits are the line through the two.
    bends = first <= last
    width = np.where(bends, 1.0, x[first] - x[last])
    between = y[last] + (y[first] - y[last]) * (knots - x[last]) / width
    return np.where(bends, y[first], between), np.where(bends, y[last], between)


def _mean_absolute(left: FloatArray, right: FloatArray) -> FloatArray:
    """Mean of |d| over intervals on which d is linear, given d at both ends."""
    sizes = np.abs(left) + np.abs(right)
    crossing = left * right < 0.0
    crossed = (left**2 + right**2) / np.where(crossing, 2.0 * sizes, 1.0)
    return np.asarray(np.where(crossing, crossed, sizes / 2.0), dtype=np.float64)
