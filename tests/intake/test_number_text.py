"""Numbers are recognised in both notations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.intake.number_text import Decimal, is_number, plain_number, sniff_decimal

FLOATS = st.floats(-1e12, 1e12, allow_nan=False)


@given(FLOATS)
def test_every_number_is_one_in_both_notations(number: float) -> None:
    assert is_number(repr(number), ".")
    assert is_number(repr(number).replace(".", ","), ",")
    assert is_number(f"{number:,.2f}", ".")


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("cell", ["", ".", ",", "-", "1..2", "1 2", "x", "1e", "12,34,5", "--1"])
def test_what_is_no_number(cell: str, decimal: Decimal) -> None:
    assert not is_number(cell, decimal)


@pytest.mark.parametrize(
    "cells, delimiter, decimal",
    [
        (["1,5", "2"], ";", ","),
        (["1.5", "2"], ";", "."),
        (["1,234", "5,678"], ";", ","),
        (["1,234", "0.5"], ";", "."),
        (["1,234", "5,678"], "\t", "."),
        (["1,5", "2,25"], ",", ","),
        (["1.234,50"], ";", "."),
        (["1.234,50", "3,5"], ";", ","),
        (["a, b", "x.y"], ";", "."),
        ([], ",", "."),
    ],
)
def test_decimal_mark(cells: list[str], delimiter: str, decimal: str) -> None:
    assert sniff_decimal([cells], delimiter) == decimal


@pytest.mark.parametrize(
    "cell, point, comma",
    [
        ("1,234", "1234", "1.234"),
        ("1.234", "1.234", "1234"),
        ("0.5", "0.5", ""),
        ("-1.234.567,5e3", "", "-1234567.5e3"),
        (" 12 ", "12", "12"),
        ("x", "x", "x"),
        ("a.b", "", ""),
    ],
)
def test_plain_numbers(cell: str, point: str, comma: str) -> None:
    assert (plain_number(cell, "."), plain_number(cell, ",")) == (point, comma)
