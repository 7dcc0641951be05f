"""Numbers of any form, each read by itself."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore.aggregates.number_cells import numbers_of
from dpcore.errors import InvalidArgument

NUMBERS = [0.1, 2, True, 1e300]
READ = [0.1, 2.0, 1.0, 1e300]


@pytest.mark.parametrize("odd", [None, "high", np.nan, pd.NA, [1, 2], object(), b"1", 1j, "1,5"])
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


@pytest.mark.parametrize(
    "values",
    [0.5, np.zeros((2, 2)), np.array([dt.date(2024, 1, 1)], "datetime64[D]"), np.ones(1, "c16")],
)
def test_the_form_and_the_type_are_refused_without_a_value_or_a_number(values: Any) -> None:
    with pytest.raises(InvalidArgument, match="^v must be a vector of numbers") as told:
        numbers_of(values, "v")
    assert "2024" not in str(told.value)
    assert "(2, 2)" not in str(told.value)
