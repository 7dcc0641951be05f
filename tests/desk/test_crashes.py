"""Kill -9 at every step of a release, and start again: nothing is free and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store._children import driver

# Step -> what is spent after the kill, what asking again does, and what is spent in the end.
EXPECTED = {
    "charge written": ("epsilon 0", "drawn", "epsilon 0.4"),
    "charged": ("epsilon 0.4", "void", "epsilon 0.8"),
    "drawn": ("epsilon 0.4", "void", "epsilon 0.8"),
    "result written": ("epsilon 0.4", "void", "epsilon 0.8"),
    "stored": ("epsilon 0.4", "replayed", "epsilon 0.4"),
}


@pytest.mark.parametrize("repeats", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_kills_at_every_step(
    tmp_path: Path, record_property: pytest.RecordProperty, repeats: int
) -> None:
    with driver(Path(__file__).with_name("_killed.py"), str(tmp_path / "ledger.sqlite")) as ask:
        for step, (spent, after, total) in EXPECTED.items():
            for seed in range(repeats):
                found = ask((step, seed))
                assert found["killed"], step
                assert (found["spent"], found["after"], found["total"]) == (spent, after, total)
                assert (found["holds"], found["results"], found["same"]) == (True, 1, True)
                if after == "void":
                    assert "its charge stays spent" in found["words"]
        # A step that does not exist kills nobody: the kills above were seen as such.
        assert not ask(("no such step", 0))["killed"]
    record_property(
        "counted",
        f"kills survived: {repeats * len(EXPECTED)}, at {len(EXPECTED)} steps of a release; "
        "0 free releases, 0 stored results lost",
    )
