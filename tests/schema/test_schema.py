"""A schema is one consistent description."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

import dpcore.schema
from dpcore.errors import SchemaError
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text
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
    for other in (None, text.encode(), Path("schema.toml")):
        with pytest.raises(SchemaError, match="give Schema.read the path of a file"):
            Schema.from_toml(other)  # type: ignore[arg-type]


def test_the_text_is_stable() -> None:
    schema = Schema.from_toml(BANK)
    assert schema.to_toml() == BANK
    assert schema.columns[0] == Numeric("age", (18, 95), missing=40)


def test_a_vocabulary_replaces_the_buckets() -> None:
    schema = Schema((Text("m", vocabulary=("free", "win")),))
    assert "buckets" not in schema.to_toml()
    assert Schema.from_toml(schema.to_toml()) == schema


def test_levels_may_be_numbers_or_truth_values() -> None:
    text = '[[column]]\nname = "c"\ntype = "categorical"\nlevels = [3, 2.5, true]\n'
    assert Schema.from_toml(text).columns == (Categorical("c", ("3", "2.5", "true")),)


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
        Schema.from_toml(text)


def test_columns_keep_their_order() -> None:
    columns = (Label("y", ("a", "b")), Ignore("i"), Ignore("a"))
    assert Schema.from_toml(Schema(columns).to_toml()).columns == columns


AGE = Numeric("age", (18, 95))

JOB = Categorical("job", ("admin", "other"))

LABEL = Label("y", ("no", "yes"))

SCHEMA = Schema((AGE, JOB, LABEL, Ignore("id")), taken_from_data=frozenset({"age.bounds"}))

TABLE = pd.DataFrame({"age": [30, 40], "job": ["admin", None], "y": ["no", "yes"], "id": [1, 2]})


def test_features_are_what_enters_a_model() -> None:
    assert SCHEMA.features == (AGE, JOB)
    assert SCHEMA.label is LABEL
    assert SCHEMA.has_label


def test_a_schema_without_label_says_so() -> None:
    schema = Schema((AGE,))
    assert not schema.has_label
    with pytest.raises(SchemaError, match="^the schema has no label; make one column the label$"):
        _ = schema.label


def test_columns_are_found_by_name() -> None:
    assert SCHEMA.column("job") is JOB
    with pytest.raises(
        SchemaError, match="^column 'jobs': the schema lacks this column; it has age"
    ):
        SCHEMA.column("jobs")


def test_who_writes_a_column_declares_it() -> None:
    declared = SCHEMA.with_column(Numeric("age", (0, 120)))
    assert declared.taken_from_data == frozenset()
    assert declared.columns[0] == Numeric("age", (0, 120))
    assert SCHEMA.with_column(JOB).taken_from_data == {"age.bounds"}
    with pytest.raises(SchemaError, match="lacks this column"):
        SCHEMA.with_column(Ignore("new"))


@pytest.mark.parametrize(
    "columns, marks, sentence",
    [
        ((), (), "^the schema lists no columns"),
        ((AGE, Ignore("age")), (), "^column 'age': the schema lists it 2 times"),
        ((LABEL, Label("z", ("a", "b"))), (), "^the schema has 2 labels: y, z"),
        ((AGE,), ("age.levels",), "^taken_from_data holds 'age.levels', which names nothing"),
        ((AGE,), ("age",), "names nothing"),
        ((AGE,), ("age.name",), "names nothing"),
        ((AGE,), ("job.levels",), "names nothing"),
    ],
)
def test_a_contradiction_is_explained(
    columns: tuple[dpcore.schema.Column, ...], marks: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(SchemaError, match=sentence):
        Schema(columns, taken_from_data=frozenset(marks))


def test_marks_may_name_columns_with_dots() -> None:
    column = Numeric("a.b", (0, 1))
    schema = Schema((column,), taken_from_data=frozenset({"a.b.bounds"}))
    assert schema.with_column(column).taken_from_data == frozenset()


def test_the_digest_is_the_same_on_every_run_and_machine() -> None:
    # What a ledger stored under a digest must be found again by another process.
    assert SCHEMA.digest() == Schema.from_toml(SCHEMA.to_toml()).digest()
    assert SCHEMA.digest() != SCHEMA.with_column(Numeric("age", (18, 96))).digest()
    code = (
        "from dpcore.schema import *;"
        "print(Schema((Numeric('a', (0, 1)), Binary('b', ('x', 'y'))), 't').digest())"
    )
    run = [sys.executable, "-c", code]
    folder = Path(dpcore.schema.__file__).parents[2]
    other = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert other.strip() == Schema((Numeric("a", (0, 1)), Binary("b", ("x", "y"))), "t").digest()


def test_a_schema_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text(SCHEMA.to_toml(), encoding="utf-8")
    assert Schema.read(path) == SCHEMA
    with pytest.raises(SchemaError, match="^the schema file absent.toml cannot be read"):
        Schema.read(tmp_path / "absent.toml")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SchemaError, match="cannot be read; give the path of a TOML file in UTF-8"):
        Schema.read(str(path))


def test_a_table_that_fits_is_valid() -> None:
    SCHEMA.validate(TABLE)
    SCHEMA.validate(TABLE.drop(columns="id"))
    SCHEMA.validate(TABLE.assign(age=[None, None]))
    SCHEMA.validate(TABLE.assign(age=["30", "x"]))


@pytest.mark.parametrize(
    "table, sentence",
    [
        (TABLE.drop(columns="age"), "^column 'age': the data lack this column"),
        (TABLE.drop(columns="y"), "^column 'y': the data lack this column"),
        (TABLE.assign(age=["x", "y"]), "^column 'age': it holds no number, but for example 'x'"),
        (TABLE.assign(y=["no", "maybe"]), "^row 2, column 'y': the label 'maybe' is no class"),
        (TABLE.assign(y=[None, "yes"]), "^row 1, column 'y': the label is missing; remove the row"),
    ],
)
def test_a_table_that_cannot_be_used_is_explained(table: pd.DataFrame, sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        SCHEMA.validate(table)


def test_schemas_can_be_keys() -> None:
    assert len({SCHEMA, Schema.from_toml(SCHEMA.to_toml()), Schema((Text("m"),))}) == 2


def test_exported_names() -> None:
    for name in dpcore.schema.__all__:
        assert hasattr(dpcore.schema, name)


@pytest.mark.parametrize(
    "columns, classes",
    [
        ([Text(f"t{i}", buckets=2**18) for i in range(3)], 2),
        ([Text("t", buckets=2**18)], 40),
        ([Categorical("c", ("a", "b")), Text("t", buckets=2**18), Text("s", buckets=2**18)], 2),
    ],
)
def test_what_no_memory_would_hold_is_refused_when_it_is_declared(
    columns: list[Any], classes: int
) -> None:
    label = Label("y", tuple(map(str, range(classes))))
    with pytest.raises(SchemaError, match=r"become [0-9,]+ features.*at most [0-9,]+ features"):
        Schema((*columns, label))
    assert Schema((columns[0], Label("y", ("no", "yes")))).width == columns[0].width
