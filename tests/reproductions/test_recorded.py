"""The results that ship with the project, and whether they are still what its code gives."""

from __future__ import annotations

from itertools import islice

import pytest

from reproductions import Experiment, PaperData, experiments, recorded, run_experiment
from tests._real_data import real_data_folder

EXPERIMENTS = experiments()
# Two measure seconds, which no machine gives twice.
TIMED = ("barczewski-figure-7", "zafarani-figure-13")
# Each of these takes about a second.
SHORT = ("stoddard-figure-6", "barczewski-figure-1", "barczewski-figure-4", "lyu-figure-2")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_one_of_its_present_settings(name: str) -> None:
    one = EXPERIMENTS[name]
    result = recorded(one)
    assert result is not None, "record it: reproduce --all --quick, see docs/reproductions.md"
    assert result.experiment == name
    judgement = one.judge(result.rows)
    assert judgement.trends
    # Nobody may pass on the census; all other data are the papers' own.
    assert not any(
        "in place of" in source and "census-1940" not in source for source in result.sources
    )


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_full_settings_come_first_where_they_are_recorded(name: str) -> None:
    one = EXPERIMENTS[name]
    quick, full = (recorded(one, quick=quick) for quick in (True, False))
    assert quick is not None
    assert quick.quick
    if full is not None:
        assert not full.quick
        assert full.experiment == name
        assert full.sources == quick.sources
        assert {row[:3] for row in full.rows} >= {row[:3] for row in quick.rows}
    assert recorded(one) == (full or quick)


def test_figures_of_the_census_are_recorded_on_named_stand_ins() -> None:
    result = recorded(EXPERIMENTS["zafarani-figure-4"])
    assert result is not None
    for state in ("Wyoming", "Nevada", "Oregon", "Washington"):
        assert any(source.startswith(f"{state}: the shipped") for source in result.sources)
        assert f"{state} (synthetic stand-in)" in result.rows.panels


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name",
    [
        name if name in SHORT else pytest.param(name, marks=pytest.mark.slow)
        for name in EXPERIMENTS
        if name not in TIMED
    ],
)
def test_the_code_still_gives_what_is_recorded(name: str) -> None:
    one = EXPERIMENTS[name]
    result, materials = recorded(one, quick=True), _materials(one)
    assert result is not None
    again = run_experiment(one, quick=True, materials=materials)
    assert [row[:4] for row in again.rows] == [row[:4] for row in result.rows]
    stale = "the code has changed: record it again, see docs/reproductions.md"
    values = [row.value for row in result.rows]
    assert [row.value for row in again.rows] == pytest.approx(values, rel=1e-3, abs=1e-6), stale


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_first_rows_of_the_full_settings_are_still_what_is_recorded(name: str) -> None:
    one = EXPERIMENTS[name]
    result = recorded(one, quick=False)
    if result is None or name in TIMED:
        pytest.skip("only the quick settings are recorded, or seconds, which no machine repeats")
    found = list(islice(one.measure(one.full, _materials(one)), 6))
    kept = result.rows.rows[: len(found)]
    assert [row[:4] for row in found] == [row[:4] for row in kept]
    values = [row.value for row in kept]
    assert [row.value for row in found] == pytest.approx(values, rel=1e-3, abs=1e-6)


def _materials(one: Experiment) -> PaperData:
    """The real data; skips where they are not all there."""
    materials = PaperData(real_data_folder())
    result = recorded(one, quick=True)
    now = tuple(materials.describe(name) for name in one.data)
    if result is not None and now != result.sources:
        pytest.skip(f"{one.name} was recorded on other data than {real_data_folder()} holds")
    return materials
