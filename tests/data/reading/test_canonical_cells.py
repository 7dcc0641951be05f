"""Cells in one spelling: by value, by themselves, and nothing else thrown together."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.canonical_cells import canonical_cells, canonical_text

BERLIN = pa.timestamp("ns", "Europe/Berlin")


def spelled(*cells: object, decimal: str = ".", kind: pa.DataType | None = None) -> list[str]:
    return canonical_cells(pa.array(cells, kind), decimal).to_pylist()


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "1.0", "1.000", "1e0", "10E-1", "+1", " 1 ", "01", "001.0", "true", "TRUE"],
        ["0", "-0", "0.0", "-0.00", "false", "False"],
        ["1234.5", "1,234.5", "1234.50"],
        ["12345678901234567", "+12345678901234567", "012345678901234567"],
        ["", "NA", "n/a", "?", "null", "nan", "  "],
        ["inf", "Infinity", "1e999"],
        ["2020-01-01", "2020-01-01 00:00:00", "2020-01-01T00:00:00.000Z"],
        ["2020-01-01 12:30:00", "2020-01-01T12:30", "2020-01-01 13:30:00.000+0100"],
        ["12:30:00.50", "12:30:00.500000"],
        ["e\u0301", "\u00e9", " \u00e9 "],
        ["a\nb", "a\r\nb"],
    ],
)
def test_one_value_has_one_spelling_alone_and_among_others(cells: list[str]) -> None:
    assert len({spelled(cell)[0] for cell in cells}) == 1
    assert len(set(spelled(*cells, "other")[:-1])) == 1


def test_different_values_have_different_spellings() -> None:
    cells = ["", "0", "1", "2", "0.1", "0.10000000000000002", "1e-300", "inf", "-inf", "-1", "yes"]
    cells += ["Yes", "no", "3ff0000000000000", "=1", "i12345678901234567", "12345678901234567"]
    cells += ["12345678901234569", "9007199254740993", "9007199254740992", "-12345678901234567"]
    cells += ["2020-01-01", "2020-01-02", "2020-01-01 00:00:01", "2020-13-01 00:00:00", "1,5", "x"]
    assert len(set(spelled(*cells))) == len(cells)
    assert [spelled(cell)[0] for cell in cells] == spelled(*cells)


@pytest.mark.parametrize(
    "kind, cell, text",
    [
        (pa.int8(), 7, "007"),
        (pa.uint64(), 2**63, "9223372036854775808"),
        (pa.int64(), 2**53 + 1, "9007199254740993"),
        (pa.float32(), 0.1, "0.1"),
        (pa.float64(), 1e17, "1e+17"),
        (pa.float64(), 1e17, "100000000000000000"),
        (pa.decimal128(9, 2), Decimal("1.50"), "1.5"),
        (pa.bool_(), True, "True"),
        (pa.date32(), dt.date(2020, 1, 1), "2020-01-01"),
        (pa.timestamp("us"), dt.datetime(2020, 1, 1, 12, 0, 0, 500), "2020-01-01 12:00:00.0005"),
        (BERLIN, dt.datetime(2020, 1, 1, 12), "2020-01-01 13:00:00+01:00"),
        (pa.time64("us"), dt.time(1, 2, 3), "01:02:03"),
        (pa.dictionary(pa.int8(), pa.string()), "north", " north"),
    ],
)
def test_a_stored_type_is_spelled_as_its_text(kind: pa.DataType, cell: object, text: str) -> None:
    assert spelled(cell, None, kind=kind) == [*spelled(text), ""]


def test_a_decimal_comma_is_one_where_it_is_declared() -> None:
    assert spelled("1,5", "1.234,5", ",25", "x", decimal=",") == spelled(
        "1.5", "1234.5", "0.25", "x"
    )
    assert spelled("1,5") != spelled("1.5")


@given(st.lists(st.floats(allow_nan=False, width=64) | st.integers(-(10**25), 10**25), min_size=1))
def test_numbers_are_told_apart_by_value_only(numbers: list[float | int]) -> None:
    found = spelled(*[repr(number) for number in numbers])
    for one, first in zip(numbers, found, strict=True):
        for other, second in zip(numbers, found, strict=True):
            assert (first == second) == (one == other), (one, other)


@given(st.lists(st.text(max_size=8) | st.floats().map(str), min_size=1))
def test_no_cell_depends_on_another(cells: list[str]) -> None:
    assert spelled(*cells) == [spelled(cell)[0] for cell in cells]


def test_a_text_that_is_no_number_keeps_its_case() -> None:
    assert canonical_text("North") == "=North" != canonical_text("north")
