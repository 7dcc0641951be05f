"""The expected calibration error: range, honesty, coverage."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from dpcore import SeededNoise
from dpcore.evaluation import ExactScores, private_calibration, true_calibration
from dpcore.evaluation.calibration.calibration_error import calibration_error
from dpcore.evaluation.calibration.measurement import Measurement
from dpcore.evaluation.calibration.table import CalibrationTable
from tests.evaluation.calibration._records import measured
from tests.evaluation.calibration.test_bands import noisy, stated

CONFIDENCE = 0.9
RUNS = 500
ENOUGH = stats.binom.ppf(1e-6, RUNS, CONFIDENCE) / RUNS


def truth(exact: Measurement) -> float:
    return float(np.abs(exact.residual).sum() / exact.size.sum())


@given(
    st.lists(st.tuples(st.integers(-9, 99), st.integers(-9, 99)), min_size=1, max_size=20),
    st.sampled_from([1e-3, 1.0, 50.0]),
)
def test_the_error_lies_in_its_interval_and_both_in_range(
    rows: list[tuple[int, int]], scale: float
) -> None:
    one = measured(*(list(column) for column in zip(*rows, strict=True)), scale=scale)
    error, (low, high) = calibration_error(one, CONFIDENCE, draws=99)
    assert 0.0 <= low <= error <= high <= 1.0


def test_without_noise_it_is_the_plain_error() -> None:
    exact = measured([10, 60], [190, 140], scale=1e-3)
    error, (low, high) = calibration_error(exact, CONFIDENCE)
    assert np.allclose([error, low, high], truth(exact), atol=1e-4)


def test_noise_does_not_pass_for_miscalibration() -> None:
    rng = np.random.default_rng(1)
    exact = measured([125, 375, 625, 875], [875, 625, 375, 125], scale=25.0)
    runs = [noisy(exact, rng) for _ in range(100)]
    plain = np.mean([np.abs(run.residual).sum() / run.size.sum() for run in runs])
    ours = np.mean([calibration_error(run, CONFIDENCE, draws=99)[0] for run in runs])
    assert truth(exact) == 0.0
    assert ours < 0.7 * plain


def test_the_interval_covers_and_half_the_noise_would_not() -> None:
    rng = np.random.default_rng(2)
    covered = np.zeros((2, 2))
    for row, positives in enumerate(([125, 375, 625, 875], [200, 300, 700, 700])):
        exact = measured(positives, [1000 - one for one in positives], scale=20.0)
        for _ in range(RUNS):
            release = noisy(exact, rng)
            for column, factor in enumerate((1.0, 0.5)):
                low, high = calibration_error(stated(release, factor), CONFIDENCE, draws=199)[1]
                covered[row, column] += low <= truth(exact) <= high
    assert (covered[:, 0] / RUNS > ENOUGH).all(), covered / RUNS
    assert covered[:, 1].min() / RUNS < ENOUGH, covered / RUNS


@pytest.mark.parametrize(
    "n, center, epsilon, off",
    [(400, -1.0, 8, 0.12), (20_000, -1.0, 1, 0.1), (2_000, -6.0, 8, 0.2)],
)
@pytest.mark.parametrize("edges", ["quantile", "fixed"])
def test_what_a_calibrated_model_shows_by_chance_is_told(
    n: int, center: float, epsilon: float, off: float, edges: str
) -> None:
    rng = np.random.default_rng(3)
    score = expit(rng.normal(center, 1.2, n))
    noise = SeededNoise(1)
    y = rng.random(n) < score
    released = private_calibration(y, score, epsilon=epsilon, edges=edges, noise=noise)
    cuts = np.append(released.table.lower, released.table.upper[-1])
    shown = [
        true_calibration(ExactScores(rng.random(n) < score, score), edges=cuts).calibration_error
        for _ in range(200)
    ]
    # The mean of 200 runs is known to a few percent; half the records would miss it by two fifths.
    assert released.table.error_by_chance == pytest.approx(np.mean(shown), rel=off)
    document = json.loads(released.to_json())
    assert document["calibration_error_by_chance"] == released.table.error_by_chance


def test_nobody_is_off_by_nothing() -> None:
    nobody = CalibrationTable.of(measured([-3, 0, 0], [2, -1, -5]), CONFIDENCE)
    assert nobody.error_by_chance == 0.0
