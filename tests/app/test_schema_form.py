"""A schema by hand: nothing is filled in for its owner."""

from __future__ import annotations

import pytest

from dpcore.errors import SchemaError
from dpcore.schema import Binary, Label, Numeric, Text
from pages.widgets.schema_table import of_rows

NAN = float("nan")


def row(column: str, kind: str, **told: object) -> dict[str, object]:
    blank = {"lower": NAN, "upper": NAN, "gaps": None, "fill": NAN, "values": None}
    return {"column": column, "type": kind, **blank, **told}


def test_rows_become_columns_that_nothing_was_taken_for() -> None:
    schema = of_rows(
        [
            row("age", "numeric", lower=0.0, upper=99.0, fill=40.0),
            row("pulse", "numeric", lower=20.0, upper=250.0, gaps=True),
            row("smoker", "binary", values="no, yes"),
            row("note", "text", values="cough,fever"),
            row("ill", "label", values="well, ill"),
        ]
    )
    assert schema.taken_from_data == frozenset()
    assert schema.columns == (
        Numeric("age", bounds=(0, 99), missing=40.0),
        Numeric("pulse", bounds=(20, 250), missing=True),
        Binary("smoker", levels=("no", "yes")),
        Text("note", vocabulary=("cough", "fever")),
        Label("ill", classes=("well", "ill"), positive="ill"),
    )


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [row("", "numeric", lower=0.0, upper=1.0)],
        [row("age", "numeric")],
        [row("age", "numeric", lower=0.0)],
        [row("age", "numeric", lower=9.0, upper=1.0)],
        [row("job", "categorical")],
        [row("ill", "label", values="yes")],
        [row("age", "ignore"), row("age", "ignore")],
    ],
)
def test_blanks_are_refused(rows: list[dict[str, object]]) -> None:
    with pytest.raises(SchemaError):
        of_rows(rows)
