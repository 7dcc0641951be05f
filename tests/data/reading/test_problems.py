"""Problems are counted, and not repeated without end."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import Limits, validate
from dpcore.data.reading.problems import Problem, byte_size, count_of, limited
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text
from tests.schema._strategies import schemas, tables

SCHEMA = Schema(
    (
        Numeric("age", (18, 95), missing=40),
        Binary("default", ("no", "yes")),
        Categorical("job", ("admin", "nurse")),
        Text("message"),
        Label("y", ("no", "yes")),
        Ignore("id"),
    )
)

TABLE = pd.DataFrame(
    {
        "age": [30, 40, 50],
        "default": ["no", "yes", "no"],
        "job": ["admin", "nurse", "admin"],
        "message": ["hello", "free phone", "see you"],
        "y": ["no", "yes", "no"],
        "id": [1, 2, 3],
    }
)


def test_a_table_that_fits_has_no_problems() -> None:
    assert validate(TABLE, SCHEMA) == ()
    assert validate(TABLE.drop(columns="id"), SCHEMA) == ()


@pytest.mark.parametrize(
    "changes, severity, row, column, sentence",
    [
        (
            {"age": [17, 99, 100]},
            "warning",
            1,
            "age",
            (
                "Column 'age' has 1 number below 18 and 2 numbers above 95, the first in data row "
                "1; that will be clipped."
            ),
        ),
        (
            {"age": [30, float("inf"), 31]},
            "warning",
            2,
            "age",
            "Column 'age' has 1 number above 95, the first in data row 2; that will be clipped.",
        ),
        (
            {"age": [30, None, 31]},
            "note",
            2,
            "age",
            "Column 'age' has 1 missing cell, the first in data row 2; 40 stands in for it.",
        ),
        (
            {"age": ["30", "x", "y"]},
            "warning",
            2,
            "age",
            (
                "Column 'age' should be numeric but has 2 cells without a number, the first in "
                "data row 2; they count as missing."
            ),
        ),
        (
            {"age": ["x", "y", None]},
            "error",
            1,
            "age",
            (
                "Column 'age' should be numeric but has 2 cells without a number, the first in "
                "data row 1; make it categorical, text or ignore."
            ),
        ),
        (
            {"default": ["no", "maybe", "later"]},
            "warning",
            2,
            "default",
            (
                "Column 'default' has 2 cells outside the levels, such as 'maybe', the first in "
                "data row 2; such cells count as 'no'."
            ),
        ),
        (
            {"job": ["spy", "nurse", "admin"]},
            "warning",
            1,
            "job",
            (
                "Column 'job' has 1 cell outside the levels, such as 'spy', the first in data row "
                "1; such cells set no indicator."
            ),
        ),
        (
            {"job": ["nurse", "nurse", None]},
            "note",
            3,
            "job",
            (
                "Column 'job' has 1 missing cell, the first in data row 3; such cells set no "
                "indicator."
            ),
        ),
        (
            {"message": [1, 2, 3]},
            "warning",
            None,
            "message",
            "Column 'message' should be text but holds numbers; make it numeric.",
        ),
        (
            {"y": ["no", "yes", "later"]},
            "error",
            3,
            "y",
            (
                "Column 'y' has 1 label outside the classes, such as 'later', the first in data "
                "row 3; declare the class or remove the rows."
            ),
        ),
        (
            {"y": ["no", None, "yes"]},
            "error",
            2,
            "y",
            "Column 'y' has 1 missing label, the first in data row 2; remove the rows.",
        ),
        (
            {"y": ["no", "no", "no"]},
            "warning",
            None,
            "y",
            "Column 'y' never holds the class 'yes'; check its spelling.",
        ),
        (
            {"new": [1, 2, 3]},
            "note",
            None,
            "new",
            "Column 'new' is not in the schema and is ignored.",
        ),
    ],
)
def test_sentences(
    changes: dict[str, list[object]], severity: str, row: int | None, column: str, sentence: str
) -> None:
    problem = validate(TABLE.assign(**changes), SCHEMA)[0]
    assert problem.sentence == sentence
    assert (problem.severity, problem.row, problem.column) == (severity, row, column)


def test_a_missing_column_comes_first() -> None:
    table = TABLE.drop(columns="job").assign(age=[1, None, 2])
    severities = [problem.severity for problem in validate(table, SCHEMA)]
    assert severities == ["error", "warning", "note"]
    assert validate(table, SCHEMA)[0].sentence == (
        "The data lack the column 'job'; make the data and the schema agree on its name."
    )


def test_a_double_column_is_an_error() -> None:
    twice = pd.concat([TABLE, TABLE[["job"]]], axis=1)
    assert validate(twice, SCHEMA)[0].severity == "error"
    assert "hold 2 times the column 'job'" in validate(twice, SCHEMA)[0].sentence


def test_an_empty_table_can_be_validated() -> None:
    assert {problem.severity for problem in validate(TABLE.iloc[:0], SCHEMA)} == {"warning"}


@given(st.data())
def test_errors_are_reported_exactly_when_the_schema_refuses(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    table = data.draw(tables(schema))
    if data.draw(st.booleans()):
        table = table.drop(columns=table.columns[0])
    has_error = any(problem.severity == "error" for problem in validate(table, schema))
    try:
        schema.validate(table)
    except SchemaError:
        assert has_error
    else:
        assert not has_error


@pytest.mark.parametrize("value", [0, -1, 1.5, True])
def test_a_wrong_limit_is_named(value: int) -> None:
    with pytest.raises(InvalidArgument, match="^rows must be a whole number, at least 1"):
        Limits(rows=value)


def test_defaults_hold_a_million_rows() -> None:
    assert Limits().rows >= 1_000_000
    assert Limits().columns == 10_000


def test_sizes_are_written_for_people() -> None:
    assert [byte_size(size) for size in (12, 5000, 2**20, 1536 * 2**20)] == [
        "12 bytes",
        "5,000 bytes",
        "1 MB",
        "1,536 MB",
    ]


def test_numbers_agree_with_their_nouns() -> None:
    assert [count_of(number, "row") for number in (0, 1, 2, 1000)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "1,000 rows",
    ]


def test_many_problems_of_a_kind_are_summed_up() -> None:
    problems = [Problem("note", f"Column {number}.") for number in range(500)]
    kept = limited(problems, "have missing cells")
    assert len(kept) == 21
    assert kept[-1] == Problem("note", "480 more columns have missing cells.")
    assert limited(problems[:20], "x") == problems[:20]
    assert limited([], "x") == []
