"""Whole text files become typed tables."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from dpcore.data.reading import read_dataset, read_predictions
from dpcore.data.reading.clean_text import cut_cells
from dpcore.data.reading.delimited import (
    quotes_enclose,
    read_delimited,
    without_edges,
)
from dpcore.data.reading.dialect import Dialect, Stated
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import Source
from dpcore.errors import IntakeError


def test_whether_quotes_enclose() -> None:
    for text, expected in ((b'"a",b\n"c",d\n', True), (b'"a,b\nc,d\n"e",f', False)):
        cells = cut_cells(text, 2)
        assert cells is not None
        assert quotes_enclose(cells) is expected


def read(
    content: bytes, limits: Limits = DEFAULT_LIMITS
) -> tuple[dict[str, list[Any]], Dialect, list[str]]:
    source = Source(content, compressed=False, digest="", title="the file")
    found = read_delimited(source, limits)
    return found.table.to_pydict(), found.dialect, [one.sentence for one in found.problems]


def test_what_may_be_thousands_is_said_where_no_number_shows_the_decimal_mark() -> None:
    for mark in (b";", b"\t"):
        table, _, told = read(b"who;income\na;20.066\nb;1.280\nc;12.500\n".replace(b";", mark))
        assert table["income"][0] == 20.066
        assert "decimal points, but each has three digits behind it, as thousands do" in told[0]
    (_, _, plain), (_, _, shown) = (
        read(text) for text in (b"who,w\na,6.812\nb,7.125\n", b"w;v\n6.812;0.5\n7.125;1\n")
    )
    assert not plain + shown
    stated = Source(b"who;income\na;20.066\nb;1.280\n", False, "", "the file")
    found = read_delimited(stated, DEFAULT_LIMITS, Stated(decimal=","))
    assert (found.table["income"].to_pylist(), found.problems) == ([20066, 1280], ())


@pytest.mark.parametrize(
    ("below", "dropped"),
    [
        (",Open-Ended Response,tea,,,Response", True),
        (",A,tea,milk,cola,B", True),
        (",A,tea,milk,,B", False),
        ("7,Open-Ended Response,tea,milk,cola,Response", False),
        (",41,tea,milk,cola,Response", False),
    ],
)
def test_choices_of_surveymonkey_are_no_record(below: str, dropped: bool) -> None:
    rows = "".join(f"{1000 + at},{20 + at},tea,,,{at % 3}\n" for at in range(9))
    table, _, told = read(f"ID,Age?,Drink?,,,Ill?\n{below}\n{rows}".encode())
    assert len(table["ID"]) == 9 + (not dropped)
    assert any("1 row of choices, as SurveyMonkey writes them" in one for one in told) is dropped


@pytest.mark.parametrize(
    "content, table",
    [
        (b"a,b\n1,2\n3,4\n", {"a": [1, 3], "b": [2, 4]}),
        (b"a,b\r\n1,2\r\n", {"a": [1], "b": [2]}),
        (b"a,b\r1,2\r", {"a": [1], "b": [2]}),
        (b"a,b\n1,2", {"a": [1], "b": [2]}),
        (b"\n\n a , b \n\n 1 , x \n\n", {"a": [1], "b": ["x"]}),
        (b"a,b\n1,2\n  \n\x1a", {"a": [1], "b": [2]}),
        (b"sep=;\r\na;b\r\n1;2\r\n", {"a": [1], "b": [2]}),
        (b'"sep=,"\na,b\n1,2\n', {"a": [1], "b": [2]}),
        (b"a\tb\n1\t\n2\tx\n", {"a": [1, 2], "b": [None, "x"]}),
        (b"a;b\n1,5;2\n3;4,25\n", {"a": [1.5, 3.0], "b": [2.0, 4.25]}),
        (b'a,b\n1,"x\ny, ""z"""\n', {"a": [1], "b": ['x\ny, "z"']}),
        (b'"a\nb",c\n1,2\n', {"a\nb": [1], "c": [2]}),
        (b"a,b\n=1+1,<b>x</b>\n", {"a": ["=1+1"], "b": ["<b>x</b>"]}),
        (b"a,b\n,NA\n?,nan\nnull,x\n", {"a": [None] * 3, "b": [None, None, "x"]}),
        ("name,Ω\nÉmile,1\n".encode(), {"name": ["Émile"], "Ω": [1]}),
        ("nom,âge\nÉmile,1\n".encode("latin-1"), {"nom": ["Émile"], "âge": [1]}),
    ],
)
def test_tables(content: bytes, table: dict[str, list[object]]) -> None:
    assert read(content)[0] == table


def test_a_missing_header_is_announced() -> None:
    table, dialect, sentences = read(b"0,0.3\n1,0.7\n")
    assert table == {"column_1": [0, 1], "column_2": [0.3, 0.7]}
    assert not dialect.header
    assert sentences == [
        (
            "The first line of the file holds data, not column names, so the columns are called "
            "column_1, column_2 and so on; add a line with the names."
        )
    ]


def test_double_names_are_announced() -> None:
    table, _, sentences = read(b"a,b,a\n1,2,3\n")
    assert table == {"a": [1], "b": [2], "a_2": [3]}
    assert sentences == [
        (
            "Column 3 has the name 'a' of an earlier column and is now called 'a_2'; rename one of "
            "them."
        )
    ]


def test_a_single_column_is_announced() -> None:
    assert read(b"age\n1\n2\n")[2] == [
        (
            "The file has one column only, 'age'; if it should have more, separate them by commas, "
            "semicolons, tabs or bars, without quotation marks around whole lines."
        )
    ]


def test_quotation_marks_inside_texts_do_not_swallow_rows() -> None:
    lines = [
        "ham\thello",
        'spam\t"WIN" a prize',
        "ham\tbye",
        'ham\t"so he said',
        'spam\tcall "now"',
    ]
    table, dialect, sentences = read("\n".join(["label\ttext", *lines]).encode())
    assert table["text"] == [line.split("\t")[1] for line in lines]
    assert not dialect.quoted
    assert sentences == [
        (
            "Quotation marks do not always enclose whole cells, for the first time on line 3 of "
            "the file, so all of them are read as text."
        )
    ]


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"\n \n", "^the file is empty; choose a file that holds a table$"),
        (b"sep=;\n\n", "^the file is empty"),
        (b"a,b\n", "^the file has a header but no data rows; add rows below the header$"),
        (b"a,b\n1,2\n3\n", r"^row 2: this data row \(line 3 of the file\) has 1 cell where"),
        (b"sep=,\n\na,b\n1,2,3\n", r"^row 1: this data row \(line 4 of the file\) has 3 cells"),
        (b'"a","b"\n"1","2"\n"3,"4"\n"5","6"\n', "^a quotation mark that opens on line 3"),
        (b'a,b,c\n1,2,3\n4,"5,6\n7,8,9\n', None),
    ],
)
def test_what_cannot_be_read_is_explained(content: bytes, sentence: str | None) -> None:
    if sentence is None:
        assert read(content)[0]["b"] == ["2", '"5', "8"]
    else:
        with pytest.raises(IntakeError, match=sentence):
            read(content)


def test_limits_are_kept() -> None:
    with pytest.raises(
        IntakeError, match="^the file has 3 columns, more than the limit of 2; keep"
    ):
        read(b"a,b,c\n1,2,3\n", Limits(columns=2))
    with pytest.raises(IntakeError, match="^the file has 2 rows, more than the limit of 1"):
        read(b"a\n1\n2\n", Limits(rows=1))
    assert read(b"a\n1\n2\n", Limits(rows=2, columns=1))[0] == {"a": [1, 2]}


def test_cells_that_run_over_several_lines_are_pointed_out() -> None:
    """A declared reader would take each of their lines for a row."""
    table, _, problems = read(b'a,b\n1,"two\nlines"\n2,one\n')
    assert table["b"] == ["two\nlines", "one"]
    assert any("A private release takes every line as a row" in told for told in problems)


def test_rows_end_as_the_header_does() -> None:
    for content in (b"a,b\n1,x\ry\n2,z\n", b"a,b\r\n1,x\ry\r\n2,z\r\n", b"a,b\r1,x\ny\r2,z\r"):
        assert read(content)[0] == {"a": [1, 2], "b": ["x y", "z"]}


def test_headers_within_a_table_are_left_out_and_records_like_them_are_not() -> None:
    read = read_dataset(b"name,age\nAnn,3\nname,age\nage,name\nBob,4\n")
    assert read.frame["name"].tolist() == ["Ann", "age", "Bob"]
    assert any("1 row that repeats the header is left out" in p.sentence for p in read.problems)
    # A first row that stands again may be a record of a file without a header.
    assert list(read_dataset(b"f,x\nm,y\nf,x\n").frame) == ["column_1", "column_2"]


def test_several_rows_of_sums_are_left_out_and_a_few_rows_are_records() -> None:
    rows = {"who": [*"abcdefg", "Total", "Mean"], "n": [*"1234567", "28", "4"]}
    cells, told = without_edges(pa.table(rows), ".")
    assert cells["who"].to_pylist() == [*"abcdefg"]
    assert [one.sentence[:30] for one in told] == [
        "The last row is called “Mean” ",
        "The last row is called “Total”",
    ]
    few = pa.table(rows).slice(5)
    assert without_edges(few, ".") == (few, [])


@pytest.mark.parametrize(
    ("last", "rows"),
    [
        ("n=9,4,", 9),
        ('"N = 1,009",4,', 9),
        ("5,Mean,", 9),
        (",,Total:", 9),
        # A word among words is a record's own, and so is a number among numbers.
        ("5,2,max", 10),
        ("5,25%,", 10),
        ("n1,4,", 10),
    ],
)
def test_a_last_row_of_sums_is_named_below_numbers_too(last: str, rows: int) -> None:
    remarks = "abcdefghi" if last.endswith("max") else "1" * 9
    body = "".join(f"{at},{at % 3}{at}%,{remarks[at - 1]}\n" for at in range(1, 10))
    if "Mean" in last:
        body = body.replace("%", "")
    read = read_dataset(f"id,score,remark\n{body}{last}\n".encode())
    assert len(read.frame) == rows
    assert any("last row is called" in one.sentence for one in read.problems) is (rows == 9)


@pytest.mark.parametrize(
    ("answers", "last", "rows"),
    [
        ("yes no", "0.512,Mean", 60),
        ("Ja Nein", "30.72,Gesamt", 60),
        # Of three answers the word may be the fourth, and one that stands again is one of two.
        ("yes no perhaps", "0.5,Mean", 61),
        ("none total", "0.5,total", 61),
    ],
)
@pytest.mark.parametrize("closely", [False, True])
def test_a_last_row_of_sums_is_named_below_two_classes_too(
    answers: str, last: str, rows: int, *, closely: bool
) -> None:
    words = answers.split()
    body = "".join(f"0.{at + 10},{words[at % len(words)]}\n" for at in range(60))
    text = f"score,label\n{body}{last}\n"
    read = read_dataset((text.replace(",", " , ") if closely else text).encode())
    assert len(read.frame) == rows
    told = [one.sentence for one in read.problems if "last row is called" in one.sentence]
    assert len(told) == 61 - rows


COSTS = "31,210.5\n52,99.75\n47,1200\n60,310.25\n28,87.5\n44,640\n40,75.5\n"


@pytest.mark.parametrize(
    ("mark", "last", "rows"),
    [
        (",", "302,2623.5", 7),
        (",", "43.1,374.79", 7),
        (",", "43.3,374.79", 8),
        (",", "302,374.79", 7),
        (",", ",2623.50", 7),
        (",", '302,"2,623.50"', 7),
        (",", '302,"$2,623.50"', 7),
        (",", "303,2623.5", 8),
        (",", "302,640", 8),
        (",", "43,375", 8),
        (";", "302;2.623,5", 7),
    ],
)
def test_a_last_row_that_adds_up_all_others_is_left_out_without_a_word(
    mark: str, last: str, rows: int
) -> None:
    body = COSTS if mark == "," else COSTS.replace(",", ";").replace(".", ",")
    read = read_dataset(f"age{mark}cost\n{body}{last}\n".encode())
    assert len(read.frame) == rows
    told = [one.sentence for one in read.problems if "last row holds sums or means" in one.sentence]
    assert len(told) == 8 - rows
    assert all("take such rows out of the file before" in one for one in told)


def test_a_record_that_is_a_sum_by_chance_is_one() -> None:
    for table in (
        b"a,b\n" + b"0,0\n" * 6 + b"1,1\n1,1\n",
        b"a,b\n" + b"0,0\n" * 8,
        b"a,b\n1,1\n1,2\n2,3\n3,6\n7,12\n",
        b"who,n\n" + b"x,1\n" * 6 + b"x,6\n",
        b"n\n" + b"1\n" * 6 + b"6\n",
    ):
        assert len(read_dataset(table).frame) == table.count(b"\n") - 1


def test_sums_below_a_sheet_in_many_languages_are_none_of_its_records() -> None:
    for word in ("Gesamtergebnis", "Total général", "Итого", "合计", "ogółem:"):
        table = "no;n\n" + "".join(f"{at};1\n" for at in range(9)) + f"{word};7\n"
        assert len(read_dataset(table.encode()).frame) == 9


def test_names_below_groups_of_columns_are_the_header() -> None:
    """What pandas writes of two levels of names, and people above several columns of one kind."""
    rows = "31,21.5,1\n47,30.25,0\n52,19.0,1\n"
    for above in ("demo,demo,out\n", "patient,,outcome\n"):
        read = read_dataset(f"{above}age,bmi,died\n{rows}".encode())
        assert list(read.frame) == ["age", "bmi", "died"]
        assert read.dialect.above == 1
    # A name that is there twice is one all the same, where no other names are below it.
    assert list(read_dataset(f"age,age,died\n{rows}".encode()).frame) == ["age", "age_2", "died"]


def test_lines_that_are_all_the_same_are_no_headers() -> None:
    """A reader that took them for repeated ones had no row left to look at."""
    for text in (b"- {label: 1, score: 0.5}\n" * 50, b"label,score\n" * 9):
        with pytest.raises(IntakeError) as caught:
            read_predictions(text)
        assert "cannot be read as a table" not in str(caught.value)
