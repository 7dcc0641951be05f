"""The results that ship with the project, and whether they are still what its code gives."""

from __future__ import annotations

import pytest

from dpcore.studies.papers import Experiment, Materials, experiments, recorded, run_experiment
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
    assert not any("in place of" in source for source in result.sources)


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
    result, materials = recorded(one), _materials(one)
    assert result is not None
    again = run_experiment(one, quick=True, materials=materials)
    assert [row[:4] for row in again.rows] == [row[:4] for row in result.rows]
    stale = "the code has changed: record it again, see docs/reproductions.md"
    values = [row.value for row in result.rows]
    assert [row.value for row in again.rows] == pytest.approx(values, rel=1e-3, abs=1e-6), stale


def _materials(one: Experiment) -> Materials:
    """The real data; skips where they are not all there."""
    materials = Materials(real_data_folder())
    result = recorded(one)
    now = tuple(materials.describe(name) for name in one.data)
    if result is not None and now != result.sources:
        pytest.skip(f"{one.name} was recorded on other data than {real_data_folder()} holds")
    return materials
