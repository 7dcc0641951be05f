"""Numbers of any form, each read by itself."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from dpcore.errors import InvalidArgument, SchemaError
from dpcore.schema.cell_arrays import (
    called,
    called_as,
    cells_of,
    column_of,
    number_matrix,
    numbers_of,
)
from dpcore.schema.labels import is_positive

NUMBERS = [0.1, 2, True, 1e300]
READ = [0.1, 2.0, 1.0, 1e300]


@pytest.mark.parametrize("odd", [None, "high", np.nan, pd.NA, [1, 2], object(), b"x", 1j, "1,5"])
@pytest.mark.parametrize("form", [list, tuple, lambda cells: pd.Series(cells, dtype=object)])
def test_one_odd_cell_changes_no_other(odd: object, form: Any) -> None:
    found = numbers_of(form([*NUMBERS, odd]), "v")
    assert found[:-1].tolist() == READ
    assert np.isnan(found[-1])


@pytest.mark.parametrize("dtype", ["Float64", "Int64", "float32", "category"])
def test_columns_of_numbers_are_read(dtype: str) -> None:
    assert numbers_of(pd.Series([1.0, 0.0]).astype(dtype), "v").tolist() == [1.0, 0.0]


def test_texts_are_read_as_numbers() -> None:
    np.testing.assert_array_equal(numbers_of(np.array(["0.5", "x"]), "v"), [0.5, np.nan])


def test_floats_keep_their_precision() -> None:
    scores = np.array([0.5], dtype=np.float32)
    assert numbers_of(scores, "v") is scores
    assert numbers_of([], "v").shape == (0,)


@pytest.mark.parametrize("values", [0.5, np.zeros((2, 2)), "0.5", pd.DataFrame({"v": [0.5]})])
def test_the_form_is_refused_without_a_value_or_a_number(values: Any) -> None:
    with pytest.raises(InvalidArgument, match="^v must be a vector") as told:
        numbers_of(values, "v")
    assert "(2, 2)" not in str(told.value)


@pytest.mark.parametrize("one_column", [np.zeros((3, 1)), pd.DataFrame({"v": [0.5]})])
def test_what_to_do_with_one_column_is_said_too(one_column: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"or \[:, 0\] if it has no other"):
        numbers_of(one_column, "v")


@pytest.mark.parametrize(
    "values, read",
    [
        (np.array([dt.date(2024, 1, 1)], "datetime64[D]"), np.nan),
        (np.array([1.0, 1j])[:1], 1.0),
        (np.array([3], "timedelta64[s]"), np.nan),
        (np.array(["2.5", "x"])[:1], 2.5),
        (np.array([1, np.longdouble("1e4000")])[:1], 1.0),
    ],
)
def test_the_type_that_an_odd_value_gives_an_array_does_not_matter(
    values: Any, read: float
) -> None:
    np.testing.assert_array_equal(numbers_of(values, "v"), [read])


def test_a_matrix_keeps_its_numbers_beside_any_cell() -> None:
    plain = np.array([[0.5, 1.0], [2.0, 3.0]])
    assert number_matrix(plain) is plain
    odd = plain.astype(object)
    odd[1, 1] = Decimal("sNaN")
    for X in (odd, odd.tolist(), pd.DataFrame(odd, columns=["a", "b"])):
        found = np.asarray(number_matrix(X))
        np.testing.assert_array_equal(found, [[0.5, 1.0], [2.0, np.nan]])
    frame = number_matrix(pd.DataFrame(odd, columns=["a", "a"], index=[7, 7]))
    assert frame.columns.tolist() == ["a", "a"]
    assert frame.index.tolist() == [7, 7]
    sparse = csr_array(np.array([[0.5, 1j], [0.0, 3.0]]))
    np.testing.assert_array_equal(number_matrix(sparse).toarray(), [[0.5, np.nan], [0.0, 3.0]])
    # Beyond all doubles, of which no warning tells.
    wide = csr_array(np.array([[np.longdouble("1e4000"), 0.5]]))
    np.testing.assert_array_equal(number_matrix(wide).toarray(), [[np.inf, 0.5]])


def test_what_is_no_matrix_is_left_to_be_refused() -> None:
    for X in ([0.5], [], 0.5, np.array(["x"])):
        assert number_matrix(X) is X


def test_numbers_of_extended_precision_are_doubles_in_every_column() -> None:
    """As they are among objects, which one odd cell makes of them."""
    wide = np.array([np.longdouble("0.1"), 1 + np.longdouble(2) ** -60])
    for cells in (wide, pd.Series(wide), wide.astype(object)):
        found = cells_of(cells, "y").astype(np.float64)
        assert found.tolist() == [0.1, 1.0]
        assert is_positive(cells_of(cells, "y"), 0.1).tolist() == [True, False]


@pytest.mark.parametrize(
    "values",
    [pd.Index([1, "a"], dtype=object), pd.array([1, None], dtype="Int64"), pd.Index(["a", "b"])],
)
def test_an_index_and_an_array_of_pandas_are_vectors(values: Any) -> None:
    cells = cells_of(values, "v")
    assert cells.shape == (2,)
    assert cells[0] == values[0]


def test_cells_that_an_array_masks_are_missing() -> None:
    mask = [False, True, False]
    assert cells_of(np.ma.array([1, 7, 0], mask=mask), "y").tolist() == [1, None, 0]
    assert np.isnan(numbers_of(np.ma.array([0.5, 7.0, 0.1], mask=mask), "x")[1])
    assert cells_of(np.ma.array(["a", "b", "c"], mask=mask), "y").tolist() == ["a", None, "c"]
    table = number_matrix(np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]]))
    assert np.isnan(table).tolist() == [[False, True], [False, False]]


def test_a_column_must_be_there_once() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(SchemaError, match="^column 'a': the data hold it 2 times; make"):
        column_of(frame, "a")
    with pytest.raises(SchemaError, match="^column 'b': the data lack this column; make"):
        column_of(frame, "b")


def test_a_column_is_found_by_its_name_whatever_index_holds_it() -> None:
    """An index of dates reads a text as a date, and would find what nobody named."""
    plain = pd.DataFrame({"a": [1], "b": [2]})
    named = plain.set_axis(pd.CategoricalIndex(["a", "b"]), axis=1)
    assert column_of(plain, "b").tolist() == column_of(named, "b").tolist() == [2]
    dated = plain.set_axis(pd.DatetimeIndex(["2026-01-01", "2026-01-02"]), axis=1)
    with pytest.raises(SchemaError, match="the data lack this column"):
        column_of(dated, "2026-01-02")


def test_a_name_is_found_in_whatever_form_its_accents_are_written() -> None:
    apart, whole = "De\u0301ce\u0300s", "D\u00e9c\u00e8s"
    assert called(whole, [apart, "p"]) == apart
    assert called(whole, [apart, whole]) == whole
    assert called("Deces", [apart]) == "Deces"
    frame = pd.DataFrame({apart: [1], "p": [0.5], 7: [0]})
    assert list(called_as(frame, [whole, "p", "absent"])) == [whole, "p", 7]
    assert called_as(frame, ["p"]) is frame
