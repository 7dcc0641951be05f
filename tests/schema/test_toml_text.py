"""Schemas survive TOML, and wrong TOML is explained."""

from __future__ import annotations

import pytest
from hypothesis import given

from dpcore.errors import SchemaError
from dpcore.schema import Categorical, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.toml_text import read_toml, write_toml
from tests.schema._strategies import schemas

BANK = """\
title = "Bank calls (synthetic)"
taken_from_data = [
    "age.bounds",
]

[[column]]
name = "age"
type = "numeric"
bounds = [
    18,
    95,
]
missing = 40

[[column]]
name = "default"
type = "binary"
levels = [
    "no",
    "yes",
]

[[column]]
name = "message"
type = "text"
buckets = 4096
max_words = 20

[[column]]
name = "y"
type = "label"
classes = [
    "no",
    "yes",
]
positive = "yes"

[[column]]
name = "row_id"
type = "ignore"
"""


@given(schemas())
def test_every_schema_survives_the_round_trip(schema: Schema) -> None:
    text = schema.to_toml()
    assert Schema.from_toml(text) == schema
    assert Schema.from_toml(text).to_toml() == text


def test_the_text_is_stable() -> None:
    columns, title, taken = read_toml(BANK)
    assert write_toml(columns, title, taken) == BANK
    assert columns[0] == Numeric("age", (18, 95), missing=40)


def test_a_vocabulary_replaces_the_buckets() -> None:
    text = write_toml((Text("m", vocabulary=("free", "win")),), "", frozenset())
    assert "buckets" not in text
    assert read_toml(text)[0] == (Text("m", vocabulary=("free", "win")),)


def test_levels_may_be_numbers_or_truth_values() -> None:
    text = '[[column]]\nname = "c"\ntype = "categorical"\nlevels = [3, 2.5, true]\n'
    assert read_toml(text)[0] == (Categorical("c", ("3", "2.5", "true")),)


def column(text: str) -> str:
    return f"[[column]]\n{text}\n"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("title = =\n", "^the schema is not valid TOML: .*line 1"),
        ("", "^the schema lists no columns; add a "),
        ("column = 3", "the schema lists no columns"),
        ("column = [3]", "the schema lists no columns"),
        (column('type = "ignore"'), "^column table 1 has no name"),
        (column('name = "a"'), "^column 'a': its type is None; choose one of numeric, binary"),
        (column('name = "a"\ntype = "number"'), "its type is 'number'"),
        (column('name = "a"\ntype = ["numeric"]'), "its type is"),
        (column('name = "a"\ntype = "numeric"'), "^column 'a': a numeric column needs bounds"),
        (column('name = "a"\ntype = "numeric"\nbounds = [1]'), "its bounds are not two"),
        (column('name = "a"\ntype = "label"\nclasses = "ab"'), "its classes must be a list"),
        (
            column('name = "a"\ntype = "ignore"\nbounds = [0, 1]'),
            "the key 'bounds' is unknown here",
        ),
        ("titel = 'x'\n" + column('name = "a"\ntype = "ignore"'), "^the key 'titel' is unknown"),
        ("title = 3\n" + column('name = "a"\ntype = "ignore"'), "the title is not a text"),
        ("taken_from_data = 'a'\n" + column('name = "a"\ntype = "ignore"'), "not a list of texts"),
    ],
)
def test_wrong_toml_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        read_toml(text)


def test_columns_keep_their_order() -> None:
    columns = (Label("y", ("a", "b")), Ignore("i"), Ignore("a"))
    assert read_toml(write_toml(columns, "", frozenset()))[0] == columns
