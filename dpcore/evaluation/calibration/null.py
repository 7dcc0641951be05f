"""P-values from the law of the statistics when the model is calibrated, noise included."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation.calibration.measurement import Measurement, Sums
from dpcore.evaluation.calibration.statistics import Statistics, score_moments, statistics
from dpcore.noise.seeded import Generator, monte_carlo

DRAWS = 999


def null_p_values(measured: Measurement, draws: int = DRAWS) -> tuple[Statistics, Statistics]:
    """Both statistics, and the share of calibrated models whose statistic would be as large.

    Parameters
    ----------
    measured : Measurement
    draws : int

    Returns
    -------
    observed, p_values : Statistics

    Notes
    -----
    The null is simulated from released values alone: as many records per group as were counted,
    with the mean score that was measured, labels that follow the scores, and fresh noise of the
    law that the release had. Each draw goes through the same computation as the release did. The
    p-value (1 + number of draws at least as large) / (1 + draws) is never zero. The seed is a
    function of the released values, so the same release has the same p-value everywhere.
    """
    observed = statistics(measured, measured.sums)
    generator = monte_carlo(measured.seed)
    exact = _calibrated(measured, generator, draws)
    noise = noise_draws(measured, generator, draws)
    drawn = statistics(
        measured,
        Sums(
            exact.positives + noise.positives,
            exact.negatives + noise.negatives,
            exact.offsets + noise.offsets,
        ),
    )
    return observed, Statistics(
        _share_at_least(drawn.trend, observed.trend),
        _share_at_least(drawn.omnibus, observed.omnibus),
    )


def noise_draws(measured: Measurement, generator: Generator, draws: int) -> Sums:
    """Fresh noise of the law that the release had, each of shape (draws, groups)."""
    shape = (draws, measured.groups.size)
    success = -np.expm1(-1.0 / measured.count_scale)
    # The difference of two geometric variables is a discrete Laplace variable.
    counts = generator.geometric(success, (4, *shape))
    scales = measured.offset_scales[:, None, :]
    offsets = generator.laplace(0.0, scales, (len(scales), *shape)).sum(axis=0)
    return Sums(counts[0] - counts[1], counts[2] - counts[3], offsets)


def _calibrated(measured: Measurement, generator: Generator, draws: int) -> Sums:
    """Exact totals of calibrated models with the sizes and scores that were released."""
    scores = score_moments(measured, measured.sums)
    counted = np.rint(scores.size).astype(np.int64)
    # The number of positives is a sum of coins with different odds. A binomial law with fewer
    # trials and larger odds has its mean and its variance.
    expected = counted * scores.mean
    trials = np.maximum(
        np.rint(counted * scores.mean**2 / scores.square), np.ceil(expected)
    ).astype(np.int64)
    odds = np.minimum(expected / np.maximum(trials, 1), 1.0)
    positives = generator.binomial(trials, odds, (draws, measured.groups.size))
    offsets = counted * (scores.mean - measured.groups.middle)
    return Sums(positives, counted - positives, np.broadcast_to(offsets, positives.shape))


def _share_at_least(drawn: FloatArray, seen: FloatArray) -> FloatArray:
    return np.asarray((1.0 + (drawn >= seen).sum()) / (drawn.size + 1.0))
