"""The declared data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore.data.reading import samples
from reproductions.tables import TABLES, stand_ins

WITH_SCHEMA = [name for name in TABLES if not name.startswith("census-")]


@pytest.mark.parametrize("name", WITH_SCHEMA)
def test_schemas_are_public(name: str) -> None:
    schema = TABLES[name].schema(Path("nowhere.csv"))
    assert not schema.taken_from_data
    assert len(schema.label.classes) >= 2


@pytest.mark.parametrize("name", TABLES)
def test_stand_ins_ship_with_the_project(name: str) -> None:
    assert TABLES[name].stand_in in {"", *stand_ins()}
    assert TABLES[name].title


def test_every_state_has_a_stand_in_of_its_own() -> None:
    states = {name: table for name, table in TABLES.items() if name.startswith("census-")}
    assert len(states) == 4
    for name, table in states.items():
        sample = stand_ins()[table.stand_in]
        assert table.stand_in == name
        assert sample.synthetic
        assert sample.name.endswith(table.title)
    # Users of the app are not offered them: they stand in for nothing there.
    assert set(stand_ins()) - set(states) == set(samples())
