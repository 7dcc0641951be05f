"""Critical values: how often noise exceeds them, and how the classes share the misses."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.evaluation.roc.critical import critical_values, unit_noise
from dpcore.evaluation.roc.curve import Bins
from tests.evaluation.roc._coverage import fewest


def made(negatives: list[int], positives: list[int], scale: float = 1.0) -> Bins:
    knots = np.arange(len(negatives) + 1)
    return Bins(np.array(negatives), np.array(positives), scale, scale, knots)


@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False)])
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_noise_exceeds_them_as_rarely_as_it_says(
    confidence: float, factor: float, fits: bool
) -> None:
    classes = [2000, 500, 200, 100, 50, 20] * 2, [100] * 12
    limits = critical_values(made(*classes), confidence)
    rng = np.random.default_rng(1)
    inside = np.ones(2000, dtype=bool)
    for counts, limit in zip(classes, limits, strict=True):
        share, k = np.cumsum(counts)[:-1] / sum(counts), np.arange(1, 12)
        noise = np.cumsum(rng.laplace(size=(2000, 12)), axis=1)
        deviation = np.sqrt(2 * ((1 - share) ** 2 * k + share**2 * (12 - k)))
        ratio = np.abs(noise[:, :-1] - share * noise[:, -1:]) / deviation
        inside &= (ratio <= factor * limit).all(axis=1)
    # The quantile of 4,000 simulations is itself off by about half a percent.
    assert bool(inside.sum() >= fewest(2000, confidence - 0.01)) is fits


def test_the_more_accurate_class_gets_the_smaller_share_of_the_misses() -> None:
    even = critical_values(made([100] * 8, [100] * 8), 0.9)
    assert even[0] == pytest.approx(even[1], rel=0.1)
    negatives, positives = critical_values(made([10_000] * 8, [100] * 8), 0.9)
    assert negatives > 1.2 * positives
    assert positives < even[1]


def test_one_bin_has_no_cut_and_no_noise() -> None:
    assert critical_values(made([5], [7]), 0.9) == (0.0, 0.0)


def test_noise_is_the_same_every_time_and_cannot_be_written_to() -> None:
    noise = unit_noise(5)
    assert noise is unit_noise(5)
    with pytest.raises(ValueError, match="read-only"):
        noise[0] = 0.0
