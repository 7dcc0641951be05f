"""Delimiters and quotation marks are found out."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.dialect import (
    DELIMITERS,
    Dialect,
    explain_ragged,
    quotation_error,
    sniff,
    sniff_decimal,
    unclosed_quote,
)


@pytest.mark.parametrize(
    "text, header, row, sentence",
    [
        (
            "a,b\n1,2\n3,4,5\n6,7",
            True,
            2,
            (
                "row 2: this data row (line 3 of the file) has 3 cells where the header has 2; put "
                "cells that contain commas in double quotes, or remove the extra cells"
            ),
        ),
        (
            "1,2\n3\n4,5",
            False,
            2,
            (
                "row 2: this data row (line 2 of the file) has 1 cell where the first row has 2; "
                "complete the row or remove it"
            ),
        ),
        (
            'a,b\n1,"two\nlines"\n\n3,4,5',
            True,
            2,
            (
                "row 2: this data row (line 5 of the file) has 3 cells where the header has 2; put "
                "cells that contain commas in double quotes, or remove the extra cells"
            ),
        ),
        ('a,b,c\n1,2,"3\n4,5,6"\n7,8', True, 2, None),
        ('a,b,c\n1,"2,3\n4,5,6\n7,8,9', True, None, str(unclosed_quote(2))),
    ],
)
def test_sentences(text: str, header: bool, row: int | None, sentence: str | None) -> None:
    error = explain_ragged(text.encode(), sniff(text.encode()), header, first_line=1)
    assert error.row == row
    assert sentence is None or str(error) == sentence


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    text = b"a,b\n1,2,3"
    error = explain_ragged(text, sniff(b"a,b\n1,2"), header=True, first_line=3)
    assert "(line 4 of the file)" in str(error)


def test_a_cell_that_never_ends_is_a_quotation_mark() -> None:
    text = b'a,b\n1,2\n3,"' + b"x" * 200_000
    assert str(explain_ragged(text, sniff(text), True, 1)) == str(unclosed_quote(3))


def test_there_is_a_sentence_even_if_no_row_is_found() -> None:
    text = b"a,b\n1,2"
    assert "open it in a spreadsheet" in str(explain_ragged(text, sniff(text), True, 1))


@pytest.mark.parametrize(
    "cells, delimiter, decimal",
    [
        (["1,5", "2"], ";", ","),
        (["1.5", "2"], ";", "."),
        (["1,234", "5,678"], ";", ","),
        (["1,234", "0.5"], ";", "."),
        (["1,234", "5,678"], "\t", "."),
        (["1,5", "2,25"], ",", ","),
        (["1.234,50"], ";", ","),
        (["1.234,50", "3,5"], ";", ","),
        (["a, b", "x.y"], ";", "."),
        ([], ",", "."),
        (["12.345", "71,5"], ";", ","),
        (["12.345", "71,5"], "\t", "."),
        (["12.345", "0.75", "71,5"], ";", "."),
        (["1.234,567"], "\t", ","),
        (["1,234.567"], ";", "."),
        (["0,123"], "\t", ","),
        (["71,50 €", "$ 1.200"], ";", ","),
    ],
)
def test_decimal_mark(cells: list[str], delimiter: str, decimal: str) -> None:
    assert sniff_decimal([cells], delimiter) == decimal


CELLS = st.text("ab1 ,;|\t\"\n'", max_size=6)


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_every_delimiter_is_found(delimiter: str) -> None:
    rows = [["name", "age", "weight"], ["Ann", "30", "61"], ["Bob", "41", "80"]]
    text = "\n".join(delimiter.join(row) for row in rows)
    sniffed = sniff(text.encode())
    assert (sniffed.delimiter, sniffed.rows) == (delimiter, rows)


@pytest.mark.parametrize(
    "text, delimiter",
    [
        ("1,5;2,5\n3,5;4,5", ";"),
        ('"a;b",1\n"c;d",2', ","),
        ("time;note\n12:30;a, b\n12:40;c, d", ";"),
        ("word\nother", ","),
        ("a,b\n1,2\n3,4,5\n6,7", ","),
    ],
)
def test_hard_cases(text: str, delimiter: str) -> None:
    assert sniff(text.encode()).delimiter == delimiter


def test_a_wide_header_is_not_cut() -> None:
    names = [f"a_rather_long_column_name_{number}" for number in range(10_000)]
    text = ",".join(names) + "\n" + ",".join("1" for _ in names)
    assert sniff(text.encode()).rows[0] == names


def test_the_last_row_of_a_cut_sample_is_left_out() -> None:
    rows = sniff(("x" * 500 + ",y\n").encode() * 1000).rows
    assert {len(row) for row in rows} == {2}
    assert len(rows) < 300


def test_a_cell_that_is_too_long_for_the_csv_module_does_no_harm() -> None:
    assert sniff(b'a,b\n1,"' + b"x" * 200_000 + b'"\n').delimiter == ","


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=5))
def test_files_that_the_csv_module_wrote_have_no_quotation_error(rows: list[list[str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    assert quotation_error(stream.getvalue().encode(), ",") == 0


@pytest.mark.parametrize(
    ("rows", "delimiter", "decimal"),
    [
        ([["20.066"], ["1.280"]], ";", "."),
        ([["20.066"], ["1.280"], ["7"], ["90"], ["845"]], ";", ","),
        ([["20.066"], ["1.280"], ["999"], ["999"]], ";", "."),
        ([["R$ 20.066"], ["R$ 1.280"]], ";", ","),
        ([["12.345%"], ["tensor(1.280)"]], ";", "."),
        ([["1.234.567", "1.280"]], ";", ","),
        ([["1.234.567"], ["x"]], "\t", ","),
        ([["1.234.567"], ["0.5"]], "\t", "."),
        ([["10,639"], ["1,23,456"]], ";", "."),
        ([["10,639"], ["1,234,567"]], ";", "."),
    ],
)
def test_what_tells_thousands_from_decimals(
    rows: list[list[str]], delimiter: str, decimal: str
) -> None:
    assert sniff_decimal(rows, delimiter) == decimal


@pytest.mark.parametrize(
    "text, line",
    [
        ('a,b\n1,"x"y\n', 2),
        ('a,b\n1,"x\ny"\n2,"z" z\n', 4),
        ('a,b\n1,"never\nclosed\n', 2),
        ('a,b\n1,5" screen\n', 0),
    ],
)
def test_quotation_errors_are_located(text: str, line: int) -> None:
    assert quotation_error(text.encode(), ",") == line


def test_a_dialect_in_words() -> None:
    assert str(Dialect("parquet", compressed=True)) == "Parquet, packed"
    dialect = Dialect("delimited", "|", "utf-8", quoted=False, header=False)
    assert str(dialect) == "separated by bars, utf-8, quotation marks as text, no header"
