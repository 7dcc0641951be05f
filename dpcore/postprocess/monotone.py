"""Shapes that released values must have: monotone or concave, non-negative, shares.

Whatever states a share with an interval (an AUC, a distribution function, a calibration error) asks
here whether it states anything, and says it in the one sentence that is written here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from dpcore._typing import FloatArray


def project_to_simplex(values: FloatArray, total: float) -> FloatArray:
    """Nearest vector in L2 of non-negative numbers with the given sum.

    Parameters
    ----------
    values : float array, shape (cells,)
    total : float
        Positive.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra (2008), Efficient projections onto the
    l1-ball for learning in high dimensions, ICML, Figure 1. doi:10.1145/1390156.1390191

    Examples
    --------
    >>> project_to_simplex(np.array([3.0, -1.0, 2.0]), 4.0).tolist()
    [2.5, 0.0, 1.5]
    """
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - total) / np.arange(1, values.size + 1)
    # The largest entry always survives (total > 0), also where rounding hides that.
    survivors = max(int((descending > excess).sum()), 1)
    return np.asarray(np.maximum(values - excess[survivors - 1], 0.0), dtype=np.float64)


def scale_to_simplex(values: FloatArray, total: float) -> FloatArray:
    """Negative entries set to zero, the others scaled to the given sum.

    All entries become equal if none is positive.

    Examples
    --------
    >>> scale_to_simplex(np.array([3.0, -1.0, 1.0]), 8.0).tolist()
    [6.0, 0.0, 2.0]
    """
    positive = np.maximum(values, 0.0)
    mass = positive.sum()
    if mass <= 0.0:
        return np.full(values.size, total / values.size)
    return np.asarray(positive * (total / mass), dtype=np.float64)


def leaves_everything(low: float, high: float) -> bool:
    """Whether an interval for a share holds all from 0 to 1, as two decimals write them.

    An interval that is not a number holds everything too.

    Examples
    --------
    >>> leaves_everything(0.004, 0.996), leaves_everything(0.1, 1.0), leaves_everything(-3, 7)
    (True, False, True)
    """
    return not (float(f"{low:.2f}") > 0.0 or float(f"{high:.2f}") < 1.0)


def nothing_said(what: str, possible: str, epsilon: str = "") -> str:
    """The sentence in place of a number that could be any number; at this epsilon if none is told.

    Examples
    --------
    >>> nothing_said("this curve", "any AUC", "0.01")
    'At epsilon 0.01 this curve says nothing: the noise leaves any AUC possible.'
    """
    where = f"At epsilon {epsilon}" if epsilon else "At this epsilon"
    return f"{where} {what} says nothing: the noise leaves {possible} possible."


def as_share(values: ArrayLike | Sequence[float]) -> FloatArray:
    """Estimates of shares, each moved to the nearest that is possible: into [0, 1].

    Noise may push an estimate that is not smoothed out of it. A share that is written is possible.

    Examples
    --------
    >>> as_share([-7195.6, 0.4, 1.2]).tolist()
    [0.0, 0.4, 1.0]
    """
    return np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)


def isotonic(
    values: ArrayLike, *, low: float = float("-inf"), high: float = float("inf")
) -> FloatArray:
    """Nearest non-decreasing sequence in L2 with all its values in [low, high].

    Parameters
    ----------
    values : array-like, shape (points,)
    low, high : float
        Public bounds of the true values.

    Returns
    -------
    float array, shape (points,)

    Notes
    -----
    Clipping the unbounded solution gives the bounded one exactly: the pools of the regression do
    not depend on the bounds.

    References
    ----------
    M. Hay, V. Rastogi, G. Miklau, D. Suciu (2010), Boosting the accuracy of differentially private
    histograms through consistency, PVLDB 3(1), Theorem 1. doi:10.14778/1920841.1920970

    Examples
    --------
    >>> isotonic([0.3, 0.1, 0.9, 1.4], high=1.0).tolist()
    [0.2, 0.2, 0.9, 1.0]
    """
    noisy = np.asarray(values, dtype=np.float64)
    if noisy.size == 0:
        return noisy
    fitted = isotonic_regression(noisy).x
    return np.asarray(np.clip(fitted, low, high), dtype=np.float64)


def monotone_rates(counts: ArrayLike, total: float) -> FloatArray:
    """Nearest non-decreasing rates to noisy cumulative counts, between the fixed ends 0 and 1.

    Parameters
    ----------
    counts : array-like, shape (points,)
        Noisy numbers of records up to each of several ascending points.
    total : float
        Noisy number of all records; anything below one counts as one.

    Returns
    -------
    float array, shape (points + 2,)
        From 0 to 1.

    Examples
    --------
    >>> monotone_rates([3, 1, 9], 8).tolist()
    [0.0, 0.25, 0.25, 1.0, 1.0]
    """
    rates = isotonic(np.asarray(counts, dtype=np.float64) / max(total, 1.0), low=0.0, high=1.0)
    return np.concatenate([[0.0], rates, [1.0]])


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


def monotone_envelope(noisy: FloatArray, reach: float) -> tuple[FloatArray, FloatArray]:
    """All monotone curves within [0, 1] that stay within `reach` of a noisy one, as two curves.

    Parameters
    ----------
    noisy : float array, shape (points,)
    reach
        Zero or positive; infinity gives the whole square.

    Returns
    -------
    lower, upper : float arrays, shape (points,)
        Both non-decreasing. A monotone curve that is nowhere farther than `reach` from the noisy
        one lies between them. They cross if there is no such curve.

    Examples
    --------
    >>> lower, upper = monotone_envelope(np.array([0.3, 0.2, 0.8]), 0.1)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([0.2, 0.2, 0.7], [0.3, 0.3, 0.9])
    """
    lower = np.maximum.accumulate(noisy - reach)
    upper = np.minimum.accumulate((noisy + reach)[::-1])[::-1]
    return np.clip(lower, 0.0, 1.0), np.clip(upper, 0.0, 1.0)
