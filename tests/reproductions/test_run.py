"""Running an experiment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reproductions import PaperData, Result, ResultCache, Row, experiment, run_experiment

ROWS = [Row("p", "m", "ours", float(place), 0.5) for place in range(3)]
ONE = replace(experiment("lyu-figure-2"), measure=lambda settings, materials: iter(ROWS))


def test_rows_sources_and_digest() -> None:
    one = replace(ONE, data=("sms",))
    result = run_experiment(one, quick=True, materials=PaperData(None))
    assert list(result.rows) == ROWS
    assert result.digest == one.digest(True)
    assert result.sources == (PaperData(None).describe("sms"),)


def test_values_have_six_digits() -> None:
    rows = [Row("p", "m", "ours", 1.0, 1 / 3)]
    one = replace(ONE, measure=lambda settings, materials: iter(rows))
    result = run_experiment(one, quick=True, materials=PaperData(None))
    assert result.rows.value("p", "m", 1.0) == 0.333333
    assert Result.from_json(result.to_json()).rows == result.rows


def test_a_finished_one_is_not_measured_again(tmp_path: Path) -> None:
    counts: list[int] = []
    cache = ResultCache(tmp_path)
    for _ in range(2):
        run_experiment(
            ONE,
            quick=True,
            materials=PaperData(None),
            cache=cache,
            progress=lambda count, row: counts.append(count),
        )
    assert counts == [1, 2, 3]


def test_an_interruption_keeps_nothing(tmp_path: Path) -> None:
    def stop(count: int, row: Row) -> None:
        if count == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(
            ONE, quick=True, materials=PaperData(None), cache=ResultCache(tmp_path), progress=stop
        )
    assert not list(tmp_path.iterdir())
