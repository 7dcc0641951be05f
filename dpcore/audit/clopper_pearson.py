"""Confidence limits for chances, and for the privacy loss that two of them prove."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv

from dpcore._typing import FloatArray, IntArray

__all__ = ["loss_bound", "lower_limit", "upper_limit"]


def lower_limit(hits: IntArray, trials: int, risk: float) -> FloatArray:
    """Largest chances that so many hits leave too small with at most that risk.

    Parameters
    ----------
    hits : int array
        Successes among independent trials.
    trials : int
        At least 1.
    risk : float
        Probability of a limit above the true chance; in (0, 1).

    References
    ----------
    C. J. Clopper, E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the
    case of the binomial, Biometrika 26(4). doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> lower_limit(np.array([0, 10]), 10, 0.05).round(3).tolist()
    [0.0, 0.741]
    """
    counts = np.asarray(hits, dtype=np.float64)
    limits = betaincinv(np.maximum(counts, 1.0), trials - counts + 1.0, risk)
    return np.where(counts > 0, limits, 0.0)


def upper_limit(hits: IntArray, trials: int, risk: float) -> FloatArray:
    """Smallest chances that so many hits leave too large with at most that risk.

    Examples
    --------
    >>> upper_limit(np.array([0, 10]), 10, 0.05).round(3).tolist()
    [0.259, 1.0]
    """
    return 1.0 - lower_limit(trials - np.asarray(hits), trials, risk)


def loss_bound(
    here: IntArray, there: IntArray, trials: int, *, risk: float, delta: float = 0.0
) -> FloatArray:
    """Losses that an event proves by its hits on two neighbouring data sets.

    Parameters
    ----------
    here, there : int arrays of one shape
        Hits among `trials` draws from each data set.
    trials : int
    risk : float
        Probability of a bound above the true loss; half for each of the two one-sided limits.
    delta : float, default 0
        Chance that the claim excuses.

    Returns
    -------
    float array
        log((lower limit of P(here) - delta) / upper limit of P(there)), 0 if that is negative.

    Privacy
        If a method is (epsilon, delta)-DP, P(here) <= e^epsilon P(there) + delta for every event,
        so the bound exceeds epsilon with at most that risk.

    Examples
    --------
    >>> loss_bound(np.array([900]), np.array([100]), 1000, risk=1e-3).round(2).tolist()
    [1.86]
    """
    low = lower_limit(here, trials, risk / 2.0) - delta
    high = upper_limit(there, trials, risk / 2.0)
    ratio = np.maximum(low, 0.0) / high
    return np.log(np.maximum(ratio, 1.0))
