"""The results that ship with the project."""

from __future__ import annotations

import pytest

from dpcore.studies.papers import experiments, recorded

EXPERIMENTS = experiments()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_one_of_its_present_settings(name: str) -> None:
    one = EXPERIMENTS[name]
    result = recorded(one)
    assert result is not None, "record it: reproduce --all --quick, see docs/reproductions.md"
    assert result.experiment == name
    judgement = one.judge(result.rows)
    assert judgement.trends
    assert not any("in place of" in source for source in result.sources)
