"""The schema as a table and back."""

from __future__ import annotations

import pandas as pd
import pytest

from dpcore.data.reading import samples, suggest_schema
from dpcore.errors import DataError, SchemaError
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text
from pages.widgets import schema_table

FRAME = pd.DataFrame(
    {
        "age": [31, 64, 22, 47, 58, 39, 25, 70],
        "smokes": ["no", "yes"] * 4,
        "city": ["Rome", "Oslo", "Lima", "Rome"] * 2,
        "y": ["sick", "well", "well", "well"] * 2,
    }
)
SCHEMA = Schema(
    (
        Numeric("age", bounds=(20, 80)),
        Binary("smokes", levels=("no", "yes")),
        Categorical("city", levels=("Lima", "Oslo", "Rome")),
        Label("y", classes=("sick", "well"), positive="sick"),
    ),
    taken_from_data=frozenset({"age.bounds", "smokes.levels", "y.classes"}),
)


@pytest.mark.parametrize("name", samples())
def test_one_row_per_column(name: str) -> None:
    schema = samples()[name].schema()
    table = schema_table.rows(schema)
    assert table["column"].tolist() == [column.name for column in schema.columns]
    assert table["type"].tolist() == [column.type for column in schema.columns]


def test_marks_are_shown() -> None:
    marks = schema_table.rows(SCHEMA)["taken from the data"].tolist()
    assert marks == ["bounds", "levels", "", "classes"]


def test_no_edit_no_change() -> None:
    assert schema_table.edited(SCHEMA, {}, FRAME) == SCHEMA


def test_an_edited_column_is_declared_by_its_owner() -> None:
    changed = schema_table.edited(SCHEMA, {0: {"upper": 99.0}}, FRAME)
    assert changed.column("age") == Numeric("age", bounds=(20, 99))
    assert changed.taken_from_data == {"smokes.levels", "y.classes"}


def test_levels_are_edited_as_a_list() -> None:
    changed = schema_table.edited(SCHEMA, {2: {"values": ["Rome", "Oslo"]}}, FRAME)
    assert changed.column("city") == Categorical("city", levels=("Rome", "Oslo"))


def test_a_fill_value_may_be_given_and_taken_away() -> None:
    filled = schema_table.edited(SCHEMA, {0: {"fill": 40.0}}, FRAME)
    assert filled.column("age").missing == 40
    assert schema_table.edited(filled, {0: {"fill": None}}, FRAME).column("age").missing is None


@pytest.mark.parametrize(
    "place, kind, column, mark",
    [
        (0, "categorical", Categorical, {"age.levels"}),
        (0, "text", Text, set()),
        (1, "ignore", Ignore, set()),
        (1, "categorical", Categorical, {"smokes.levels"}),
        (2, "text", Text, set()),
    ],
)
def test_a_new_type_takes_what_it_needs_from_the_data_and_says_so(
    place: int, kind: str, column: type, mark: set[str]
) -> None:
    changed = schema_table.edited(SCHEMA, {place: {"type": kind}}, FRAME)
    name = SCHEMA.columns[place].name
    assert isinstance(changed.column(name), column)
    assert {found for found in changed.taken_from_data if found.startswith(name)} == mark


def test_a_categorical_column_of_numbers_becomes_numeric() -> None:
    schema = SCHEMA.with_column(Categorical("age", levels=("22", "31")))
    changed = schema_table.edited(schema, {0: {"type": "numeric"}}, FRAME)
    assert changed.column("age") == Numeric("age", bounds=(22, 70))


@pytest.mark.parametrize(
    "changes, says",
    [
        ({0: {"lower": 90.0}}, "its bounds are not two finite numbers"),
        ({1: {"values": ["no"]}}, "a binary column has two levels"),
        ({2: {"type": "numeric"}}, "it holds no number"),
        ({2: {"values": []}}, "it has no levels"),
        ({2: {"type": "binary"}}, "two levels, not 3"),
    ],
)
def test_what_cannot_be_is_one_sentence_with_the_column(changes: dict, says: str) -> None:
    with pytest.raises(SchemaError) as refusal:
        schema_table.edited(SCHEMA, changes, FRAME)
    assert says in str(refusal.value)
    assert SCHEMA.columns[next(iter(changes))].name in str(refusal.value)


def test_too_many_values_are_no_levels() -> None:
    frame = pd.DataFrame({"id": [f"n{i}" for i in range(100)], "y": ["a", "b"] * 50})
    schema = suggest_schema(frame)
    with pytest.raises(SchemaError, match="more than 60 values"):
        schema_table.edited(schema, {0: {"type": "categorical"}}, frame)


def test_another_label_makes_the_old_one_a_feature() -> None:
    changed = schema_table.with_label(SCHEMA, "smokes", FRAME)
    assert changed.label == Label("smokes", classes=("no", "yes"), positive="yes")
    assert changed.column("y") == Binary("y", levels=("sick", "well"))
    assert {"smokes.classes", "y.levels"} <= changed.taken_from_data


def test_the_type_column_can_make_a_label_too() -> None:
    assert schema_table.edited(SCHEMA, {1: {"type": "label"}}, FRAME).label.name == "smokes"


def test_a_column_of_one_value_is_no_label() -> None:
    frame = FRAME.assign(same="x")
    schema = Schema((*SCHEMA.columns, Ignore("same")))
    with pytest.raises(DataError, match="same"):
        schema_table.with_label(schema, "same", frame)


def test_another_positive_class_keeps_the_marks() -> None:
    changed = schema_table.with_positive(SCHEMA, "well", FRAME)
    assert changed.label.positive == "well"
    assert changed.taken_from_data == SCHEMA.taken_from_data
