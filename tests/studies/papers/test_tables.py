"""The declared data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore.intake import samples
from dpcore.studies.papers.tables import TABLES

WITH_SCHEMA = [name for name in TABLES if not name.startswith("census-")]


@pytest.mark.parametrize("name", WITH_SCHEMA)
def test_schemas_are_public(name: str) -> None:
    schema = TABLES[name].schema(Path("nowhere.csv"))
    assert not schema.taken_from_data
    assert len(schema.label.classes) >= 2


@pytest.mark.parametrize("name", TABLES)
def test_stand_ins_ship_with_the_project(name: str) -> None:
    assert TABLES[name].stand_in in {"", *samples()}
    assert TABLES[name].title
