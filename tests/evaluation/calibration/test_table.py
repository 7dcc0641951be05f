"""The table: fields, rows, JSON."""

from __future__ import annotations

import json
import warnings
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import SeededNoise
from dpcore.evaluation import CalibrationRelease, private_calibration
from dpcore.evaluation.calibration.measurement import Measurement, Sums
from dpcore.evaluation.calibration.table import CalibrationTable, expected_band, observed_band
from tests.evaluation.calibration._records import measured, scored

CONFIDENCE = 0.9

RUNS = 400

counts = st.lists(
    st.tuples(st.integers(-50, 500), st.integers(-50, 500), st.floats(-99, 99)),
    min_size=1,
    max_size=20,
)


@given(counts, st.sampled_from([1e-3, 1.0, 50.0]), st.floats(0.5, 0.999))
def test_bands_hold_the_rate_and_stay_in_the_group(
    rows: list[tuple[int, int, float]], scale: float, confidence: float
) -> None:
    one = measured(*(list(column) for column in zip(*rows, strict=True)), scale=scale)  # type: ignore[arg-type]
    positives = np.maximum(one.sums.positives, 0)
    size = positives + np.maximum(one.sums.negatives, 0)
    rate = positives / np.maximum(size, 1)
    for sampling in (False, True):
        low, high = observed_band(one, confidence, sampling=sampling)
        assert ((low <= rate + 1e-12) & (rate <= high + 1e-12) | (size == 0)).all()
        assert (low >= 0).all()
        assert (high <= 1).all()
    low, high = expected_band(one, confidence)
    assert (low <= high).all()
    assert (low >= one.groups.edges[:-1] - 1e-12).all()
    assert (high <= one.groups.edges[1:] + 1e-12).all()


def test_a_group_without_records_can_be_anything() -> None:
    one = measured([-2, 50], [-1, 50], scale=1.0)
    assert observed_band(one, CONFIDENCE, sampling=False)[:, 0].tolist() == [0.0, 1.0]
    assert expected_band(one, CONFIDENCE)[:, 0].tolist() == [0.0, 0.5]


def test_sampling_and_confidence_widen_a_band() -> None:
    one = measured([30, 70, 50], [60, 20, 50], scale=2.0)
    privacy, both = (observed_band(one, 0.9, sampling=sampling) for sampling in (False, True))
    surer = observed_band(one, 0.99, sampling=False)
    for wider in (both, surer):
        assert (wider[0] < privacy[0]).all()
        assert (wider[1] > privacy[1]).all()


def test_little_noise_gives_a_thin_privacy_band() -> None:
    one = measured([3_000, 7_000], [6_000, 2_000], scale=1e-3)
    low, high = observed_band(one, CONFIDENCE, sampling=False)
    assert (high - low < 2e-4).all()


def noisy(exact: Measurement, rng: np.random.Generator) -> Measurement:
    """A release of exact totals; its stated scales are true."""
    success = -np.expm1(-1.0 / exact.count_scale)
    steps = rng.geometric(success, (4, exact.groups.size))
    sums = Sums(
        exact.sums.positives + steps[0] - steps[1],
        exact.sums.negatives + steps[2] - steps[3],
        exact.sums.offsets + rng.laplace(0.0, exact.offset_scales).sum(axis=0),
    )
    return replace(exact, sums=sums)


def stated(release: Measurement, factor: float) -> Measurement:
    return replace(
        release,
        count_scale=release.count_scale * factor,
        offset_scales=release.offset_scales * factor,
    )


# With a true coverage of 90 % fewer than one fixed seed in a million falls below.
ENOUGH = stats.binom.ppf(1e-6, RUNS, CONFIDENCE) / RUNS


@pytest.mark.parametrize(
    "scale", [4.0, *(pytest.param(scale, marks=pytest.mark.slow) for scale in (0.4, 30.0))]
)
def test_privacy_bands_cover_the_test_set(scale: float) -> None:
    rng = np.random.default_rng(20)
    exact = measured([10, 60, 150, 90], [190, 140, 50, 10], [1.0, -9.0, 5.0, 0.0], scale=scale)
    rate = exact.sums.positives / exact.size
    mean = exact.groups.middle + exact.sums.offsets / exact.size
    covered = np.zeros((2, 2))
    for _ in range(RUNS):
        release = noisy(exact, rng)
        for row, factor in enumerate((1.0, 0.7)):
            shown = stated(release, factor)
            low, high = observed_band(shown, CONFIDENCE, sampling=False)
            covered[row, 0] += ((low <= rate) & (rate <= high)).all()
            low, high = expected_band(shown, CONFIDENCE)
            covered[row, 1] += ((low <= mean) & (mean <= high)).all()
    assert (covered[0] / RUNS > ENOUGH).all(), covered / RUNS
    if scale == 4.0:
        assert (covered[1] / RUNS < ENOUGH).all(), covered / RUNS


def test_population_bands_cover_the_population() -> None:
    rng = np.random.default_rng(21)
    rate, size = np.array([0.02, 0.1, 0.4, 0.9]), np.array([400, 300, 200, 100])
    covered = np.zeros(2)
    for _ in range(RUNS):
        positives = rng.binomial(size, rate)
        exact = measured(positives.tolist(), (size - positives).tolist(), scale=2.0)
        for row, sampling in enumerate((True, False)):
            low, high = observed_band(noisy(exact, rng), CONFIDENCE, sampling=sampling)
            covered[row] += ((low <= rate) & (rate <= high)).all()
    # The privacy band is for the test set: it has no room for the sample.
    assert covered[0] / RUNS > ENOUGH > covered[1] / RUNS, covered / RUNS


TABLE = CalibrationTable.of(measured([3, -2, 40], [7, -1, -5], [-0.5, 4.0, 1.0]), 0.9)

RELEASE = replace(private_calibration(scored(500, 1), epsilon=1, noise=SeededNoise(1)), table=TABLE)


def test_almost_no_noise_gives_a_band_without_a_warning() -> None:
    """Its variance, squared, is less than any double."""
    with warnings.catch_warnings(action="error"):
        found = private_calibration(
            [0, 1] * 50, [0.2, 0.8] * 50, epsilon=1e99, noise=SeededNoise(1)
        )
    assert np.isfinite(found.table.expected_band).all()


def test_rates_are_rates_and_sizes_are_not_negative() -> None:
    assert TABLE.n.tolist() == [10, 0, 35]
    np.testing.assert_allclose(TABLE.observed, [0.3, np.nan, 1.0])
    np.testing.assert_allclose(TABLE.expected, [1 / 6 - 0.05, 0.5, 5 / 6 + 1 / 35])
    assert TABLE.lower.tolist() == [0.0, 1 / 3, 2 / 3]
    assert TABLE.upper.tolist() == [1 / 3, 2 / 3, 1.0]


def test_an_expected_rate_stays_in_its_group() -> None:
    table = CalibrationTable.of(measured([5, 5], [5, 5], [-900.0, 900.0]), 0.9)
    assert table.expected.tolist() == [0.0, 1.0]


def test_rows_are_flat_and_plain() -> None:
    rows = TABLE.rows()
    assert [row["group"] for row in rows] == [1, 2, 3]
    assert set(rows[0]) == {
        "group",
        "lower",
        "upper",
        "n",
        "observed",
        "expected",
        "observed_band_lower",
        "observed_band_upper",
        "expected_band_lower",
        "expected_band_upper",
        "population_band_lower",
        "population_band_upper",
    }
    values = [value for row in rows for value in row.values() if value is not None]
    assert {type(value) for value in values} == {int, float}


def test_a_group_without_records_has_no_rate() -> None:
    """It is missing in a data frame, null in JSON, and stays so."""
    assert [row["observed"] for row in TABLE.rows()] == [0.3, None, 1.0]
    assert pd.DataFrame(TABLE.rows())["observed"].mean() == pytest.approx(0.65)
    assert json.loads(RELEASE.to_json())["table"]["observed"][1] is None
    assert TABLE.expected[1] == 0.5


def test_json_round_trip() -> None:
    again = CalibrationRelease.from_json(RELEASE.to_json()).table
    for field in fields(CalibrationTable):
        before, after = getattr(TABLE, field.name), getattr(again, field.name)
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype
