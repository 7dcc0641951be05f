"""The nearest monotone sequence to a noisy one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from dpcore._typing import FloatArray

__all__ = ["isotonic", "monotone_rates"]


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
