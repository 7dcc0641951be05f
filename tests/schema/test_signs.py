"""What stands around a number in a numeric column."""

from __future__ import annotations

import math

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.clean_text import without_marks
from dpcore.schema.cells import amounts, text_number
from dpcore.schema.signs import without_signs


@given(
    st.text("$%€zł 1.\xa0\tx(<+-\u2212)", max_size=6)
    | st.text("'[]=\"\u200b1.,(x)", max_size=6)
    | st.from_regex(r"\A(tensor|np\.int64|Decimal)\([\['1.]{0,3}(, \w=x)?\)?\Z")
)
def test_signs_of_a_number_are_left_out_alike_in_one_cell_and_in_a_column(cell: str) -> None:
    (found,) = amounts(pd.Series([cell], dtype="str"))
    (bare,) = without_marks(pa.array([cell.strip()])).to_pylist()
    assert str(found) == str(text_number(bare))
    assert str(found) == str(text_number(without_signs(cell.strip())))


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("-$5", -5.0),
        ("$-5", -5.0),
        ("EUR 1,234.5", 1234.5),
        ("12 USD", 12.0),
        ("($5)", -5.0),
        ("\u22125.5", -5.5),
        ("<5", 5.0),
        ("≥ 90", 90.0),
        ("90+", 90.0),
        ("<5%", 5.0),
        ("(x)", math.nan),
        ("5 < 6", math.nan),
        ("E11.9", math.nan),
        ("'41", 41.0),
        ('="41"', 41.0),
        ("–41", -41.0),
        ("\u202d41\u202c", 41.0),
        ("Rs. 1,23,456", 123456.0),
        ("tensor(0.3, device='cuda:0')", 0.3),
        ("np.float64(0.3)", 0.3),
        ("Decimal('0.3')", 0.3),
        ("[[0.3]]", 0.3),
        ("<tf.Tensor: shape=(), dtype=float32, numpy=0.3>", 0.3),
        ("tensor([0.3, 0.7])", math.nan),
        ("[0.3, 0.7]", math.nan),
        ("ward(3)", math.nan),
        ("'", math.nan),
        ("+", math.nan),
    ],
)
def test_what_stands_around_a_number_of_a_numeric_column(written: str, number: float) -> None:
    assert str(amounts(pd.Series([written], dtype="str"))[0]) == str(number)
