"""Arrow columns of every type: numbers stay numbers, and no cell spells another one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from dpcore.schema.arrow_cells import _python, arrow_cells, clock_text, duration_text, moment_text


@pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns"])
def test_the_unit_decides_nothing(unit: str) -> None:
    day = np.datetime64("2020-01-31", unit)
    assert moment_text(day) == "2020-01-31 00:00:00"
    assert duration_text(np.timedelta64(2, "D").astype(f"m8[{unit}]")) == "2 days 00:00:00"


def test_what_is_no_moment_has_no_text() -> None:
    assert moment_text(np.datetime64("NaT")) == ""
    assert duration_text(np.timedelta64("NaT")) == ""


def test_moments_far_away_are_spelled() -> None:
    assert moment_text(np.datetime64(2**62, "s")).count(":") == 2
    assert moment_text(np.datetime64("-0044-03-15", "D")).endswith("-03-15 00:00:00")


def test_fractions_lose_no_digit() -> None:
    assert clock_text(86_399_999_999_999) == "23:59:59.999999999"
    assert moment_text(np.datetime64("2020-01-01T00:00:00.000000001")).endswith(".000000001")


FAR = 2**62


@pytest.mark.parametrize(
    "column, cells",
    [
        (pa.array([1, 2], pa.uint16()), [1, 2]),
        (pa.array([True, None]), [True, None]),
        (pa.array([True, False]), [True, False]),
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
        (pa.array([Decimal("0.5"), Decimal("1.0")]), [0.5, 1.0]),
        (pa.array([None, None]), [None, None]),
        (pa.array([b"a", b"\xff"]), ["a", "\ufffd"]),
        (pa.array([[1], None], pa.list_(pa.int8())), [[1], None]),
    ],
)
def test_cells_of_every_kind(column: pa.Array, cells: list[object]) -> None:
    assert arrow_cells(column).tolist() == cells
    assert arrow_cells(pa.chunked_array([column, column])).tolist() == cells * 2
    assert arrow_cells(column[:0]).tolist() == []


@pytest.mark.parametrize(
    "kind, count, text",
    [
        (pa.date32(), 2**31 - 1, "5881580-07-11"),
        (pa.date64(), 86_400_000, "1970-01-02"),
        (pa.timestamp("s"), 1, "1970-01-01 00:00:01"),
        (pa.timestamp("us"), FAR, "148108-07-06 14:00:27.387904"),
        (pa.timestamp("ns", "Europe/Berlin"), 1, "1970-01-01 00:00:00.000000001"),
        (pa.time32("s"), 3_723, "01:02:03"),
        (pa.time64("us"), FAR, "1281023894:00:27.387904"),
        (pa.duration("s"), -1, "-1 days +23:59:59"),
    ],
)
def test_times_of_any_size_are_texts(kind: pa.DataType, count: int, text: str) -> None:
    """With and without an odd neighbour: the same words for the others."""
    plain = arrow_cells(pa.array([0, 0], kind)).tolist()
    odd: Any = arrow_cells(pa.array([0, 0, count, None], kind)).tolist()
    assert odd[:2] == plain
    assert odd[2:] == [text, None]


def test_bytes_that_are_no_text_are_one_odd_cell() -> None:
    column = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 2, 5], "i4")), pa.py_buffer(b"\xff1yes")]
    )
    assert arrow_cells(column).tolist() == ["\ufffd1", "yes"]
    assert arrow_cells(column.dictionary_encode()).tolist() == ["\ufffd1", "yes"]


def test_a_dictionary_of_texts_is_what_it_decodes_to() -> None:
    words = pa.array([b"north", None, b"\xff", b" s "], pa.binary())
    places = pa.array([0, 3, None, 1, 2, 0, 2, 3], pa.int8())
    column = pa.DictionaryArray.from_arrays(places, words)
    found = arrow_cells(column).tolist()
    assert found == arrow_cells(column.dictionary_decode()).tolist()
    assert found[:4] == ["north", " s ", None, None]


def test_a_duration_of_months_is_counted() -> None:
    assert duration_text(np.timedelta64(3, "M")) == "3 M"


def test_a_column_of_an_extension_is_read_by_what_it_stores() -> None:
    class Grade(pa.ExtensionType):
        def __init__(self) -> None:
            super().__init__(pa.int8(), "tests.grade")

        def __arrow_ext_serialize__(self) -> bytes:
            return b""

    column = pa.ExtensionArray.from_storage(Grade(), pa.array([3, None], pa.int8()))
    np.testing.assert_array_equal(arrow_cells(column), [3.0, np.nan])


def test_what_python_cannot_hold_is_one_odd_cell() -> None:
    kind = pa.month_day_nano_interval()
    cells = arrow_cells(pa.array([(1, 2, 3), None], kind))
    assert "months=1, days=2" in cells[0]

    class Odd:
        def as_py(self) -> object:
            raise OverflowError

    assert _python(Odd()) is None
