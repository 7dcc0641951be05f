"""What an experiment declares."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from reproductions import PAPERS, experiment, experiments

EXPERIMENTS = experiments()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_it_is_whole(name: str) -> None:
    one = EXPERIMENTS[name]
    assert one.name.split("-")[0] in PAPERS
    assert all((one.figures, one.title, one.published, one.sound, one.formula))
    assert one.claim.endswith(".")
    assert one.settings(True)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_configurations_are_frozen(name: str) -> None:
    quick = EXPERIMENTS[name].quick
    field = next(iter(quick.__dataclass_fields__))
    with pytest.raises(FrozenInstanceError):
        setattr(quick, field, 0)


def test_the_digest_follows_the_settings() -> None:
    one = experiment("stoddard-table-1")
    assert one.digest(True) != one.digest(False)
    other = replace(one, quick=replace(one.quick, runs=12))  # type: ignore[type-var]
    assert other.digest(True) != one.digest(True)
    assert replace(one, name="stoddard-other").digest(True) != one.digest(True)


def test_settings_in_words() -> None:
    assert "epsilons 1, 0.5, 0.25, 0.1" in experiment("stoddard-table-1").settings(True)
