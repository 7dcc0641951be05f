"""Which decimal mark a table uses."""

from __future__ import annotations

import pytest

from dpcore.data.reading.number_text import sniff_decimal


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
