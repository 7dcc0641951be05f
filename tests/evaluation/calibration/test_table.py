"""The table: fields, rows, JSON."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from dpcore.evaluation.calibration.table import CalibrationTable
from tests.evaluation.calibration._records import measured

TABLE = CalibrationTable.of(measured([3, -2, 40], [7, -1, -5], [-0.5, 4.0, 1.0]), 0.9)


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
    assert json.loads(json.dumps(TABLE.as_json(), allow_nan=False))["observed"][1] is None
    assert TABLE.expected[1] == 0.5


def test_json_round_trip() -> None:
    again = CalibrationTable.from_json(json.loads(json.dumps(TABLE.as_json(), allow_nan=False)))
    for field in fields(CalibrationTable):
        before, after = getattr(TABLE, field.name), getattr(again, field.name)
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype
