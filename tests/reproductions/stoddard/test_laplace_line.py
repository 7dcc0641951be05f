"""The paper's Laplace line: where its thresholds lie, how noisy it is, and how far off."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dpcore.data.counting import ScoreHistogram
from reproductions.roc_error import median_area
from reproductions.stoddard.laplace_line import laplace_line, laplace_line_area

EPSILON = 0.1
RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 2, 2000)
SCORES = ScoreHistogram.from_arrays(LABELS, np.clip(RNG.normal(0.4 + 0.2 * LABELS, 0.2), 0, 1))


def test_without_noise_its_points_are_true_ones_at_quantiles() -> None:
    fpr, tpr = laplace_line(SCORES, 10**6, thresholds=3, seed=0)
    shares = (fpr * SCORES.n_negative + tpr * SCORES.n_positive) / LABELS.size
    np.testing.assert_allclose(shares, [0, 0.25, 0.5, 0.75, 1], atol=0.01)
    true_fpr, true_tpr, _ = SCORES.roc()
    np.testing.assert_allclose(tpr, np.interp(fpr, true_fpr, true_tpr), atol=0.01)


@pytest.mark.few(1)
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_the_noise_has_the_printed_scale(factor: float, fits: bool) -> None:
    expected = factor * 7 / 6 * 3 / EPSILON
    assert bool(abs(mean_deviation() - expected) < 0.15 * expected) is fits


@cache
def mean_deviation() -> float:
    """In records, of the rate at the one threshold, over many draws."""
    # Both rates are one half: (2,500 + z) / (5,000 + z'), so off by about (z - z' / 2) / 5,000, and
    # |z - z' / 2| has mean 7/6 of the scale, which is 3 / epsilon.
    many = ScoreHistogram.from_arrays(np.tile([0, 1], 5000), np.repeat([0.25, 0.75], 5000))
    found = [laplace_line(many, EPSILON, thresholds=1, seed=seed)[1][1] for seed in range(2000)]
    return float(np.abs(np.array(found) - 0.5).mean() * 5000)


def test_it_is_not_made_monotone_and_errs_more_than_what_is() -> None:
    lines = [laplace_line(SCORES, 0.1, thresholds=10, seed=seed) for seed in range(5)]
    assert all((np.diff(fpr) >= 0).all() for fpr, _ in lines)
    assert any((np.diff(tpr) < 0).any() for _, tpr in lines)
    assert laplace_line_area(SCORES, 0.1, thresholds=10, runs=21) > median_area(
        SCORES, "laplace", 0.1, runs=21
    )


def test_areas_repeat_and_shrink_with_epsilon() -> None:
    loud, quiet, again = (
        laplace_line_area(SCORES, epsilon, thresholds=5, runs=9) for epsilon in (0.1, 10, 10)
    )
    assert quiet == again < loud
