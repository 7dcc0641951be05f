"""Where the population's ROC curve may lie, given the noise and the sampling of the records."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation.ecdf.bands import sampling_reach
from dpcore.evaluation.roc.bands import Band, rate_band
from dpcore.evaluation.roc.critical import unit_noise
from dpcore.evaluation.roc.curve import Bins

__all__ = ["population_band"]

# Shares of the allowed misses: the noise of the rates, the sampling of each class, its size.
_NOISE, _SAMPLING, _SIZE = 0.5, 0.24, 0.01


def population_band(bins: Bins, confidence: float) -> Band:
    """Simultaneous band for the rates of the population that the records were drawn from.

    Parameters
    ----------
    bins : Bins
        Released counts and their noise.
    confidence : float
        Chance, at least nearly, that every rate of both classes lies in the band.

    Returns
    -------
    Band
        The band of `rate_band`, at the share of the misses that it gets, wider by how far the
        shares of each class's records may be from the population's.

    Notes
    -----
    If the records of a class are independent draws, their shares above any threshold, however it
    was chosen, are nowhere farther off than the bound of Dvoretzky, Kiefer and Wolfowitz, for the
    least number of records that the noisy counts leave likely.

    References
    ----------
    P. Massart (1990), The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, Annals of
    Probability 18(3), Corollary 1. doi:10.1214/aop/1176990746
    """
    miss = 1.0 - confidence
    test_set = rate_band(bins, 1.0 - _NOISE * miss)
    return Band(
        _widened(test_set.fpr, _reach(bins.negatives, bins.negative_scale, miss)),
        _widened(test_set.tpr, _reach(bins.positives, bins.positive_scale, miss)),
    )


def _reach(counts: IntArray, scale: float, miss: float) -> float:
    """How far the shares of one class may be from the population's; 1 if nothing is known."""
    total_noise = np.abs(unit_noise(counts.size).sum(axis=1))
    least = float(counts.sum()) - scale * float(np.quantile(total_noise, 1.0 - _SIZE * miss))
    return sampling_reach(least, 1.0 - _SAMPLING * miss)


def _widened(rates: FloatArray, reach: float) -> FloatArray:
    """A band that is wider by so much, but stays in the square and keeps its ends."""
    low, high = np.maximum(rates[0] - reach, 0.0), np.minimum(rates[1] + reach, 1.0)
    high[0], low[-1] = rates[1][0], rates[0][-1]
    return np.stack([low, high])
