"""The expected calibration error of the groups, with an interval."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation.calibration.measurement import Measurement
from dpcore.evaluation.calibration.null import DRAWS, noise_draws
from dpcore.noise.seeded import monte_carlo


def calibration_error(
    measured: Measurement, confidence: float, draws: int = DRAWS
) -> tuple[float, tuple[float, float]]:
    """Estimate the test set's mean of abs(observed rate - expected rate), weighted by group size.

    Parameters
    ----------
    measured : Measurement
    confidence : float
        Probability that the interval holds the test set's own value (privacy only).
    draws : int

    Returns
    -------
    error : float
        In [0, 1]. Noise lengthens a residual, so its variance is taken off the square first.
    interval : pair of float

    Notes
    -----
    The sum of abs(S + noise) over the groups exceeds that of abs(S) by at most the sum of
    abs(noise), and falls short of it by at most the sum of the noise with the signs of S. Quantiles
    of these two, with the noise of the total size taken along, give an interval that needs no guess
    of S.
    """
    size = float(max((measured.sums.positives + measured.sums.negatives).sum(), 1))
    rest = measured.residual
    noisy = float(np.abs(rest).sum())
    likely = np.sqrt(np.maximum(rest**2 - measured.residual_variance, 0.0)).sum()

    noise = noise_draws(measured, monte_carlo(measured.seed), draws)
    on_rest = noise.residual(measured.groups)
    on_size = (noise.positives + noise.negatives).sum(axis=1) * min(noisy / size, 1.0)
    level = (1.0 + confidence) / 2.0
    above = np.quantile(np.abs(on_rest).sum(axis=1) - on_size, level)
    below = np.quantile(on_size - (on_rest * np.sign(rest)).sum(axis=1), level)
    low, error, high = _shares(np.array([noisy - above, likely, noisy + below]), size)
    return float(np.clip(error, low, high)), (float(low), float(high))


def _shares(sums: FloatArray, size: float) -> FloatArray:
    return np.clip(sums / size, 0.0, 1.0)
