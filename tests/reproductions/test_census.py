"""The stand-ins of the states."""

from __future__ import annotations

import pytest

from dpcore.schema import Numeric, encode
from reproductions.census import STATES, StateSample

PAPER = {"Wyoming": 250_000, "Nevada": 110_000, "Oregon": 1_000_000, "Washington": 1_700_000}


@pytest.mark.parametrize("state", STATES)
def test_a_state_has_a_fiftieth_of_the_papers_records_and_its_thirteen_attributes(
    state: str,
) -> None:
    sample = StateSample(state)
    frame, schema = sample.frame(), sample.schema()
    assert len(frame) == PAPER[state] / 50
    schema.validate(frame)
    assert schema.taken_from_data == frozenset()
    assert len(schema.features) == 13
    assert "state" not in frame
    assert [column.name for column in schema.columns] == list(frame.columns)
    design = encode(frame, schema)
    assert design.y is not None
    assert 0.28 < design.y.mean() < 0.32


def test_states_differ() -> None:
    first, second = (StateSample(state).frame().head(100) for state in ("Oregon", "Washington"))
    assert not first.equals(second)


def test_bounds_are_those_of_the_answers() -> None:
    numbers = {
        column.name: column.bounds
        for column in StateSample("Nevada").schema().features
        if isinstance(column, Numeric)
    }
    assert numbers == {
        "age": (0, 99),
        "years_of_schooling": (0, 17),
        "hours": (0, 98),
        "weeks": (0, 52),
    }
