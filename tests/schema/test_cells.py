"""Cells have one canonical text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import SchemaError
from dpcore.schema.cells import cell_text, column_of, level_codes, numbers, shown


@pytest.mark.parametrize(
    "value, text",
    [
        (1, "1"),
        (1.0, "1"),
        (np.int64(-3), "-3"),
        (np.float64(2.5), "2.5"),
        (1e300, "1e+300"),
        (float("inf"), "inf"),
        (True, "true"),
        (np.bool_(False), "false"),
        ("  Yes ", "Yes"),
        ("007", "007"),
    ],
)
def test_cell_text(value: object, text: str) -> None:
    assert cell_text(value) == text


def test_long_cells_are_cut_in_messages() -> None:
    assert shown("x" * 1000) == repr("x" * 37 + "...")
    assert shown("a\nb") == r"'a\nb'"


@given(st.lists(st.sampled_from(["0", "1", "2", "other", None]), max_size=30))
def test_codes_do_not_depend_on_how_a_column_is_stored(cells: list[str | None]) -> None:
    levels = ("0", "1", "2")
    expected = [levels.index(cell) if cell in levels else -1 for cell in cells]
    texts = pd.Series(cells, dtype="str")
    stored = [texts, texts.astype(object), texts.astype("category")]
    if "other" not in cells:
        stored += [texts.astype("float64"), texts.astype("float64").astype("Int64")]
    for series in stored:
        assert level_codes(series, levels).tolist() == expected, series.dtype


def test_truth_values_have_codes() -> None:
    assert level_codes(pd.Series([True, False]), ("false", "true")).tolist() == [1, 0]


@pytest.mark.parametrize("cells", [[1, True], [True, 1]])
def test_a_cell_is_not_named_by_an_equal_one_before_it(cells: list[object]) -> None:
    codes = level_codes(pd.Series(cells, dtype=object), ("1", "true"))
    assert codes.tolist() == [("1", "true").index(cell_text(cell)) for cell in cells]


def test_numbers_are_read_from_any_column() -> None:
    expected = [1.0, np.nan, 2.5]
    for series in (
        pd.Series(["1", None, "2.5"]),
        pd.Series([1, "one", 2.5], dtype=object),
        pd.Series([1.0, None, 2.5]),
        pd.Series([1.0, None, 2.5], dtype="Float64"),
        pd.Series(["1", "", "2.5"], dtype="category"),
    ):
        np.testing.assert_array_equal(numbers(series), expected)
    assert numbers(pd.Series([True, False])).tolist() == [1.0, 0.0]


def test_a_column_must_be_there_once() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(SchemaError, match="^column 'a': the data hold it 2 times; make"):
        column_of(frame, "a")
    with pytest.raises(SchemaError, match="^column 'b': the data lack this column; make"):
        column_of(frame, "b")
