"""Oddities are found in the column that has them, and only there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.survey import survey

AGES = [31, 64, 22, 47, 58, 39, 25, 70, 31, 31]


def test_nothing_odd() -> None:
    assert survey(pd.DataFrame({"age": AGES, "sex": list("fmfmfmfmfm")})) == []


@pytest.mark.parametrize(
    "name, cells, severity, row, sentence",
    [
        (
            "age",
            [1.5, None, 2.5, None],
            "note",
            2,
            (
                "Column 'age' has 2 missing cells in 4 rows, the first in data row 2; the schema "
                "says what stands in for it."
            ),
        ),
        ("age", [None, None], "warning", None, "Column 'age' is empty; make it ignore."),
        (
            "x",
            [1.5, -np.inf, 2.0],
            "warning",
            2,
            (
                "Column 'x' has 1 infinite number, the first in data row 2; they will be clipped "
                "to the bounds of the schema."
            ),
        ),
        (
            "veil",
            ["p", "p", "p"],
            "warning",
            None,
            "Column 'veil' holds the one value 'p' and tells nothing; make it ignore.",
        ),
        (
            "record_id",
            [7, 8, 9],
            "warning",
            None,
            (
                "Column 'record_id' has another value in every row and looks like a record number; "
                "make it ignore."
            ),
        ),
        (
            "patient_nbr",
            [7, 8, 7],
            "warning",
            3,
            (
                "Column 'patient_nbr' names the same person in several rows, first again in data "
                "row 3; privacy is promised per row, so keep one row for each person and make it "
                "ignore."
            ),
        ),
    ],
)
def test_oddities(
    name: str, cells: list[object], severity: str, row: int | None, sentence: str
) -> None:
    (problem,) = survey(pd.DataFrame({name: cells}))
    assert (problem.severity, problem.row, problem.column) == (severity, row, name)
    assert problem.sentence == sentence


def test_thousands_of_columns_are_summed_up() -> None:
    frame = pd.DataFrame(np.full((3, 1000), np.nan)).rename(columns=str)
    assert len(survey(frame)) == 21


CELLS = st.none() | st.floats() | st.integers(-9, 9) | st.text(max_size=3)


@given(st.lists(CELLS, max_size=8))
def test_any_column_is_surveyed(cells: list[object]) -> None:
    for problem in survey(pd.DataFrame({"id": cells})):
        assert problem.sentence.endswith(".")
        assert "'id'" in problem.sentence
