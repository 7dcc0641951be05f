"""Goodness of fit with a stated false-alarm rate.

A true sampler is rejected with probability ``FALSE_ALARM`` on a fresh seed; every test that uses it
must also show that a scale 30 % off is rejected.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import stats

FALSE_ALARM = 1e-7

Draws = NDArray[np.generic]


def chi_square_p(observed: NDArray[np.int64], probabilities: NDArray[np.float64]) -> float:
    """P-value of the chi-square test; cells expected below 20 are pooled into one."""
    expected = probabilities * observed.sum()
    small = expected < 20
    if small.any():
        observed = np.append(observed[~small], observed[small].sum())
        expected = np.append(expected[~small], expected[small].sum())
    if expected[-1] < 5:  # too rare even when pooled: join the smallest other cell
        observed = np.append(observed[:-2], observed[-2:].sum())
        expected = np.append(expected[:-2], expected[-2:].sum())
    return float(stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue)


def discrete_laplace_p(draws: NDArray[np.int64], scale: float) -> float:
    """P-value of integer draws against the discrete Laplace law of that scale."""
    reach = int(np.ceil(12 * scale)) + 1
    support = np.arange(-reach, reach + 1)
    ratio = np.exp(-1.0 / scale)
    mass = (1 - ratio) / (1 + ratio) * ratio ** np.abs(support)
    observed = np.bincount(np.clip(draws, -reach, reach) + reach, minlength=support.size)
    mass[[0, -1]] += (1 - mass.sum()) / 2
    return chi_square_p(observed, mass)


def continuous_p(draws: NDArray[np.float64], cdf: Callable[[Draws], Draws]) -> float:
    """P-value of real draws against a continuous law (Kolmogorov-Smirnov)."""
    return float(stats.kstest(draws, cdf).pvalue)
