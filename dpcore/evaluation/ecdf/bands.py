"""Where the true distribution function may lie: from released values only."""

from __future__ import annotations

import math

import numpy as np

from dpcore._typing import FloatArray
from dpcore.postprocess.monotone import monotone_envelope


def band_around(noisy: FloatArray, total: float, reach: float, sampling: float) -> FloatArray:
    """Simultaneous band for shares, from noisy counts that are nowhere off by more than `reach`.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records up to each grid point, not smoothed.
    total : float
        Number of all records, public or noisy; with nothing positive the band is everything.
    reach : float
        See `noise_reach`, in counts.
    sampling : float
        Added to the half-width of the band: 0, or `sampling_reach`.

    Returns
    -------
    float array, shape (2, points)
        Lower and upper share, non-decreasing, in [0, 1]; both are 1 at the last point, because
        values beyond it were moved to it.

    Notes
    -----
    The true function never falls, so the band is the monotone envelope of the noisy one plus and
    minus the half-width: nowhere wider, often narrower.
    """
    lower, upper = np.zeros(noisy.size), np.ones(noisy.size)
    if total > 0.0:
        lower, upper = monotone_envelope(noisy / total, reach / total + sampling)
    lower[-1] = upper[-1] = 1.0
    # They cross only where the noise was larger than the band allows for.
    return np.stack([np.minimum(lower, upper), np.maximum(lower, upper)])


def sampling_reach(records: float, confidence: float) -> float:
    """Half-width of the band of Dvoretzky, Kiefer and Wolfowitz for so many independent records.

    Parameters
    ----------
    records : float
        A number that is not above the true one; without records the answer is 1.
    confidence : float

    References
    ----------
    P. Massart (1990), The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, Annals of
    Probability 18(3), Corollary 1. doi:10.1214/aop/1176990746

    Examples
    --------
    >>> round(sampling_reach(1000, 0.9), 4)
    0.0387
    """
    if records <= 0.0:
        return 1.0
    return min(math.sqrt(math.log(2.0 / (1.0 - confidence)) / (2.0 * records)), 1.0)
