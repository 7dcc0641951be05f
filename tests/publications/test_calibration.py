"""Calibration tables on the desk."""

from dataclasses import replace

import numpy as np
import pytest

from tests.publications._outcomes import found_of, published


def test_the_stored_table_is_the_released_one() -> None:
    request, outcome, result = published("calibration", options={"groups": 5})
    loaded = request.kind.load(result)
    assert loaded.to_json() == outcome.evaluated.to_json()
    header, rows = request.kind.table(found_of(request, result))
    assert header[0] == "group"
    assert len(rows) == loaded.table.n.size <= 5
    assert "the released counts" in request.kind.headline(found_of(request, result))
    assert request.kind.measure(outcome).error < 0.02


def test_the_curve_of_the_preview_goes_through_the_groups() -> None:
    request, outcome, result = published("calibration", options={"groups": 5})
    found, table = request.kind.measure(outcome), request.kind.load(result).table
    assert np.interp(table.expected, found.x, found.y) == pytest.approx(table.observed, abs=0.05)


def test_a_simulation_without_the_truth_leaves_its_columns_empty() -> None:
    request, _, result = published("calibration", options={"groups": 5})
    found = replace(found_of(request, result), noise="seed:5")
    header, rows = request.kind.table(found)
    assert found.truth is None
    exact = [place for place, name in enumerate(header) if name.startswith("true_")]
    assert len(exact) == 3
    assert {row[place] for row in rows for place in exact} == {""}
