"""Cells are read by their declared type, each by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.typed_cells import present_texts, typed_by_schema
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cells import Decimal, numbers

WRITTEN = st.sampled_from(
    ["1.50", "1,5", "1,234.5", "1.234", "0.5", "x", "", "NA", "?", "true", "1e3", "007", "inf"]
) | st.text("0123456789.,+-e x", max_size=7)
SCHEMA = Schema(
    (
        Numeric("n", (0, 9)),
        Categorical("c", ("1.50", "?", "2")),
        Binary("b", ("NA", "yes")),
        Text("t"),
        Ignore("i"),
        Label("y", ("no", "null")),
    )
)


@given(st.lists(WRITTEN, max_size=4), WRITTEN, st.sampled_from([".", ","]))
def test_no_cell_changes_another_one(cells: list[str], added: str, decimal: Decimal) -> None:
    names = [column.name for column in SCHEMA.columns]
    less, more = (
        typed_by_schema(pd.DataFrame(dict.fromkeys(names, part), dtype="str"), SCHEMA, decimal)
        for part in (cells, [*cells, added])
    )
    pd.testing.assert_frame_equal(more.iloc[: len(cells)], less)


def test_numbers_have_the_declared_decimal_mark() -> None:
    cells = pd.Series(["1.234", "1,234", "1.234,5", " 7 ", "TRUE", "1e2", "x", ""])
    nan = np.nan
    expected = {
        ",": [1234, 1.234, 1234.5, 7, 1, 100, nan, nan],
        ".": [1.234, 1234, nan, 7, 1, 100, nan, nan],
    }
    for decimal in (",", "."):
        np.testing.assert_array_equal(numbers(cells, decimal), expected[decimal])


def test_a_word_for_missing_may_be_a_level() -> None:
    texts = pd.DataFrame([[cell] * 5 for cell in ("?", "NA", "null")], columns=list("cbtiy"))
    typed = typed_by_schema(texts, SCHEMA, ".").fillna("-")
    assert typed.to_dict("list") == {
        "c": ["?", "-", "-"],
        "b": ["-", "NA", "-"],
        "t": ["-", "-", "-"],
        "i": ["-", "-", "-"],
        "y": ["-", "-", "null"],
    }


def test_texts_lose_their_spaces() -> None:
    assert present_texts(pd.Series([" a ", " "]), frozenset({""})).fillna("-").tolist() == [
        "a",
        "-",
    ]


def test_types_do_not_depend_on_the_rows() -> None:
    for cells in ([], ["1"], ["x"], [""]):
        texts = pd.DataFrame({"n": cells, "c": cells}, dtype="str")
        typed = typed_by_schema(texts, SCHEMA, ".")
        assert [str(kind) for kind in typed.dtypes] == ["float64", "str"]
