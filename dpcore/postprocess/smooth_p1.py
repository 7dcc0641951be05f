"""Monotone counts that the least absolute tree noise explains: Eq. 3 for p = 1, exactly."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.postprocess.dyadic import DyadicIntervals, increments
from dpcore.postprocess.dyadic_flow import settle_along_prices
from dpcore.postprocess.dyadic_prices import lowest_prices

__all__ = ["smooth_p1"]


def smooth_p1(noisy: FloatArray, high: float, *, kept: IntArray | None = None) -> FloatArray:
    """Eq. 3 of Barczewski et al. for p = 1: the likeliest Laplace tree noise that allows monotony.

    Minimise the sum of |v| over all dyadic intervals, such that the noisy counts plus, at each
    point, the v of the intervals that hold it, never fall, start at or above 0 and end at or below
    `high`. The optimum is not unique: this is one of the optimal curves.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records up to each of ascending points.
    high : float
        The number of all records, zero or positive.
    kept : int array, optional
        Ascending indices of the points to smooth (the set B of the paper); all if left out.

    Returns
    -------
    float array, shape (points,) or (kept,)
        Non-decreasing, in [0, high].

    Raises
    ------
    InvalidArgument
        If a value is not finite or `high` is negative.

    Notes
    -----
    In increments this is a minimum-cost flow: surplus steps repair negative ones along dyadic
    intervals, at one unit of cost for each interval used. Its dual has whole-number solutions
    (prices), and an interval meets the rest of the graph in its two ends only. So the prices come
    from dynamic programming over levels, and a flow that agrees with them from two passes of
    interval arithmetic: time O(points log points), where a general linear-program solver needs
    seconds.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Eq. 3.

    Examples
    --------
    >>> smooth_p1(np.array([1.0, 3.0, 2.0, 4.0]), 4.0).tolist()
    [0.5, 2.25, 2.25, 4.0]
    """
    intervals = DyadicIntervals.over(noisy.size, kept)
    chosen = noisy if kept is None else noisy[kept]
    wanted = increments(np.asarray(chosen, dtype=np.float64), high)
    steps = settle_along_prices(intervals, wanted, lowest_prices(intervals, wanted))
    # Rounding may carry the sum a hair beyond the bound.
    return np.minimum(np.cumsum(steps[:-1]), high)
