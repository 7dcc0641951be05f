"""Cells have one canonical text."""

from __future__ import annotations

import math
import time
from decimal import Decimal as Exact
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.schema.cells import (
    Decimal,
    amounts,
    cell_text,
    codes_of_classes,
    distinct_texts,
    is_number,
    level_codes,
    numbers,
    shown,
    text_number,
    texts,
)


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


@pytest.mark.parametrize("word", ["ű", "größe", "İstanbul", "Ångström", "ΐ"])
def test_an_accent_is_the_same_beside_its_letter_as_in_it(word: str) -> None:
    """A file that was typed on one machine and named on another has both."""
    apart, together = normalize("NFD", word), normalize("NFC", word)
    assert apart != together
    for cells in (pd.Series([apart, together]), np.array([apart, together])):
        assert distinct_texts(cells)[1] == [together]
        assert level_codes(cells, ("other", together)).tolist() == [1, 1]
        assert codes_of_classes(cells, ("other", apart.upper())).tolist() == [1, 1]


def test_capital_letters_are_those_of_no_language() -> None:
    """In Turkish i and İ are one letter, in all others i and I."""
    dotless = "\N{LATIN SMALL LETTER DOTLESS I}"
    words = np.array(["i", "I", dotless, "İ"], dtype=object)
    assert codes_of_classes(words, ("x", "i")).tolist() == [1, 1, 1, -1]
    assert codes_of_classes(words, (dotless, "i")).tolist() == [
        1,
        -1,
        0,
        -1,
    ]


def test_long_cells_are_cut_in_messages() -> None:
    assert shown("x" * 1000) == repr("x" * 37 + "...")
    assert shown("a\nb") == r"'a\nb'"
    assert shown("") == shown(None) == "empty"


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


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("longest", ["no", "Größe ÿ", "eight888", "nine chars", "日本", "🦊"])
def test_fixed_width_texts_are_numbered_as_texts_are(longest: str, order: str) -> None:
    """Short ones of plain letters as whole numbers, others as bytes; in pieces apart too."""
    words = [longest, "", "a", " a ", longest[:-1], "ÿ" * len(longest), longest]
    cells = np.array(words * 2, dtype=f"{order}U{len(max(words, key=len))}")
    for stored in (cells, cells[::2], cells[:1]):
        codes, distinct = distinct_texts(stored)
        assert [distinct[code] for code in codes] == [word.strip() for word in stored.tolist()]


@pytest.mark.parametrize("kind", [">i4", ">i8", ">u2", ">f4", ">f8", ">U1"])
def test_the_order_of_bytes_does_not_matter(kind: str) -> None:
    """Files of other machines keep their own, and so do arrays that are mapped to them."""
    cells = np.array([2, 0, 1, 3]).astype(kind)
    for stored in (cells, pd.Series(cells.astype(object if "U" in kind else kind))):
        assert level_codes(stored, ("0", "1", "2")).tolist() == [2, 0, 1, -1]


def test_truth_values_have_codes() -> None:
    assert level_codes(pd.Series([True, False]), ("false", "true")).tolist() == [1, 0]


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.sampled_from(["1", "1.0", "1.50", "0.1", "true", "False", "1e400", "-1e5", "007", "x", ""]),
    st.sampled_from([2**53 + 1, 2**64 - 1, 10**30, 10**5000, -(10**5000), float("nan")]),
    st.text(max_size=3),
)
LEVELS = ("1", "0", "1.5", "0.1", "9007199254740993", "x", "007")


@given(st.lists(CELLS, min_size=1, max_size=6), CELLS)
def test_no_cell_changes_what_another_one_means(cells: list[object], added: object) -> None:
    """However pandas chooses to store the longer column."""
    less, more = pd.Series(cells), pd.Series([*cells, added])
    assert level_codes(more, LEVELS)[:-1].tolist() == level_codes(less, LEVELS).tolist()
    np.testing.assert_array_equal(numbers(more)[:-1], numbers(less))


@given(st.lists(CELLS, min_size=1, max_size=6), CELLS)
def test_no_label_of_an_array_changes_what_another_one_means(
    cells: list[object], added: object
) -> None:
    """NumPy turns a list with one text into texts, and with one float into floats."""
    less, more = (pd.Series(np.asarray(given)) for given in (cells, [*cells, added]))
    assert level_codes(more, LEVELS)[:-1].tolist() == level_codes(less, LEVELS).tolist()


def test_the_same_value_is_the_same_level_however_it_is_written() -> None:
    written = pd.Series([1.5, "1.5", "1.50", " 1.5 ", "15e-1", "1,5", "01.5"], dtype=object)
    assert level_codes(written, ("1.50",)).tolist() == [0] * 5 + [-1] * 2
    assert (
        level_codes(pd.Series([True, "TRUE", 1, "1.0"], dtype=object), ("1",)).tolist() == [0] * 4
    )


def test_whole_numbers_keep_their_level_beside_a_missing_cell() -> None:
    cells = pd.Series([9007199254740993, None])
    assert level_codes(cells, ("9007199254740993", "a")).tolist() == [0, -1]


def test_truth_values_are_numbers_beside_a_text() -> None:
    np.testing.assert_array_equal(numbers(pd.Series([True, False, "x"])), [1.0, 0.0, np.nan])


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
    "cell, point, comma",
    [
        ("1,234", 1234.0, 1.234),
        ("1.234", 1.234, 1234.0),
        ("0.5", 0.5, math.nan),
        ("-1.234.567,5e3", math.nan, -1234567500.0),
        (" 12 ", 12.0, 12.0),
        ("x", math.nan, math.nan),
        ("a.b", math.nan, math.nan),
        ("-inf", -math.inf, -math.inf),
        ("\uff11", 1.0, 1.0),
        ("\uff10\uff0e\uff15", 0.5, 0.5),
        ("\u0664\u066b\u0665", 4.5, 4.5),
        ("\u06f1\u066c\u06f2\u06f3\u06f4", 1234.0, 1234.0),
        ("1,23,456.5", 123456.5, math.nan),
        ("12,34,567", 1234567.0, math.nan),
        ("123,45,678", math.nan, math.nan),
        ("1,23,45", math.nan, math.nan),
        ("10\u2009639", 10639.0, 10639.0),
    ],
)
def test_texts_are_numbers_by_their_decimal_mark(cell: str, point: float, comma: float) -> None:
    for decimal, value in ((".", point), (",", comma)):
        np.testing.assert_equal(text_number(cell, decimal), value)
        np.testing.assert_array_equal(
            numbers(pd.Series([cell, 2.5], dtype=object), decimal), [value, 2.5]
        )
        np.testing.assert_array_equal(numbers(pd.Series([cell]), decimal), [value])


@pytest.mark.parametrize("kind", [object, "category", complex, pd.ArrowDtype(pa.decimal128(3, 1))])
def test_a_number_that_is_one_has_a_decimal_point_in_a_column_of_any_type(kind: Any) -> None:
    """One odd cell turns a column of categories into objects, and one complex one all of it."""
    held = pd.Series([Exact("2.5"), Exact(1)] if "decimal" in str(kind) else [2.5, 1.0])
    np.testing.assert_array_equal(numbers(held.astype(kind), ","), [2.5, 1.0])


def test_a_missing_number_beside_a_complex_one_is_missing() -> None:
    """pandas stores it as one that is missing in both parts, and so changes what others are."""
    held = [pd.Series(pd.array([0.5, None, *odd])) for odd in ([], [1j])]
    assert held[1].dtype == complex
    assert [texts(some)[:2] for some in held] == [["0.5", ""]] * 2
    assert [cell_text(complex(*parts)) for parts in ((math.nan, 1), (2, math.nan))] == ["", ""]


WRITTEN = (
    *("", " ", ".", "1", " 7 ", "-3", "+4", ".5", "1.", "007", "0x1", "1e5", "1e999", "-1e400"),
    *("1e-400", "4.9e-324", "9" * 40, "nan", "-nan", "nan(1)", "inf", "-Infinity", "1,234"),
    *(
        "1.234",
        "1,5",
        "1.234,5",
        "0,1e2",
        "true",
        "False",
        "x",
        "1e",
        "1_0",
        "\uff11",
        "\x1f1",
        None,
    ),
)


@pytest.mark.parametrize("decimal", [".", ","])
@given(cells=st.lists(st.sampled_from(WRITTEN) | st.floats().map(repr), min_size=1, max_size=6))
def test_a_column_of_texts_is_read_as_each_of_its_cells(
    decimal: Decimal, cells: list[str | None]
) -> None:
    alone = [math.nan if cell is None else text_number(cell, decimal) for cell in cells]
    np.testing.assert_array_equal(numbers(pd.Series(cells, dtype="str"), decimal), alone)


@given(cells=st.lists(st.sampled_from(WRITTEN), min_size=1, max_size=6))
@pytest.mark.parametrize("kind", ["str", object])
def test_texts_are_told_apart_by_what_they_mean(kind: object, cells: list[str | None]) -> None:
    codes, words = distinct_texts(pd.Series(cells, dtype=kind))
    assert len(set(words)) == len(words)
    spelled = ["" if code < 0 else words[code] for code in codes]
    assert spelled == [cell_text(cell) for cell in cells]


@pytest.mark.parametrize("kind", ["str", object, "U4"])
def test_texts_take_time_by_their_kinds_and_not_by_their_rows(kind: object) -> None:
    texts = ["no", " yes", "no"] * 300_000
    cells = np.array(texts) if kind == "U4" else pd.Series(texts, dtype=kind)
    began = time.process_time()
    assert level_codes(cells, ("no", "yes"))[:3].tolist() == [0, 1, 0]
    # One by one they took two seconds.
    assert time.process_time() - began < 0.6


def test_a_long_cell_takes_time_by_its_length_and_not_by_its_square() -> None:
    """One record could stop the reading of all others: this one took 107 seconds."""
    cells, began = pd.Series(["1" + " " * 150_000 + "x", "5 %"], dtype="str"), time.process_time()
    assert amounts(cells).tolist()[1] == 5.0
    assert time.process_time() - began < 5.0


@pytest.mark.parametrize(
    ("cells", "spelled"),
    [
        (pd.Series([1, 2], dtype=pd.ArrowDtype(pa.int8())), ["1", "2"]),
        (pd.Series(pd.to_datetime(["2020-01-31"]).tz_localize("UTC")), ["2020-01-31 00:00:00"]),
    ],
)
def test_columns_that_pandas_keeps_for_others_have_the_same_texts(
    cells: pd.Series, spelled: list[str]
) -> None:
    assert texts(cells) == spelled
