"""What stands around a table is taken off, and said."""

from __future__ import annotations

import pytest

from dpcore.data.reading import read_dataset
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.layout import laid_bare
from dpcore.errors import IntakeError


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_titles_and_empty_rows_are_left_out_and_counted(end: str) -> None:
    text = end.join(["Ward 7", "May", "age;ill;note", "30;yes;a", ";;", "41;no;b", "22;no;c"])
    upload = read_dataset(text.encode())
    assert upload.frame["age"].tolist() == [30, 41, 22]
    told = [one.sentence for one in upload.problems]
    assert upload.dialect.above == 2
    assert told[:2] == [
        "2 lines above the table are left out.", "1 row without any value is left out.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "stated, content, columns",
    [
        (Stated(delimiter=","), b"a;b,c\n1;2,3\n4;5,6\n", {"a;b": ["1;2", "4;5"], "c": [3, 6]}),
        (Stated(decimal=","), b"a b\n1,5 2\n2,5 3\n", {"a": [1.5, 2.5], "b": [2, 3]}),
        (Stated(header=True), b"1,2\n3,4\n5,6\n", {"1": [3, 5], "2": [4, 6]}),
        (Stated(missing=("-9",)), b"a,b\n1,2\n-9,4\n", {"a": [1.0, None], "b": [2, 4]}),
        (Stated(comment="!"), b"a,b\n!no row\n1,2\n", {"a": [1], "b": [2]}),
        (Stated(comment=""), b"#a,b\n1,2\n3,4\n", {"#a": [1, 3], "b": [2, 4]}),
        (Stated(quote="'"), b"a,b\n'x,y',2\nz,3\n", {"a": ["x,y", "z"], "b": [2, 3]}),
        (
            Stated(unnamed="first"),
            b"a,b\nx,1,2\nx,3,4\n",
            {"row": ["x", "x"], "a": [1, 3], "b": [2, 4]},
        ),
        (Stated(unnamed="last"), b"a,b\n1,2,\n3,4,\n", {"a": [1, 3], "b": [2, 4]}),
        (Stated(above=1), b"x,y\na,b\n1,2\n3,4\n", {"a": [1, 3], "b": [2, 4]}),
        (Stated(above=0), b"x,\na,b\nc,d\n", {"x": ["a", "c"], "column_2": ["b", "d"]}),
        (Stated(encoding="latin-1"), "a,b\né,1\n".encode(), {"a": ["Ã©"], "b": [1]}),
    ],
)
def test_what_is_stated_is_not_found_out(
    stated: Stated, content: bytes, columns: dict[str, list[object]]
) -> None:
    found = read_dataset(content, stated=stated).frame
    held = found.astype(object).where(found.notna(), None).to_dict("list")
    assert held == columns


def test_prose_is_no_table_of_white_space() -> None:
    assert laid_bare(b"the quick brown fox\njumps over the dog\n", Stated()).delimiter == ","


@pytest.mark.parametrize(
    "content, rows",
    [
        (b"5,,yes\n6,a,no\nunknown,b,yes\n7,c,no\n8,d,no\n9,e,yes\n", 6),
        (b"tag,score\n#1,0.5\n#2,0.25\n#3,0.75\n", 3),
        (b'note,score\n"one\n# two\nthree",1\nfour,2\n', 2),
    ],
)
def test_rows_of_data_are_neither_titles_nor_comments(content: bytes, rows: int) -> None:
    assert len(read_dataset(content).frame) == rows


def read_cells(content: bytes) -> tuple[dict[str, list[object]], list[str]]:
    """Cells by column, and what is said."""
    upload = read_dataset(content)
    return upload.frame.to_dict("list"), [one.sentence for one in upload.problems]


@pytest.mark.parametrize(
    "last, kept", [("Total,9,9", 9), ("sum:,,", 9), ("Tot,9,9", 10), (",Total,9", 9)]
)
def test_a_sum_below_the_table_is_no_record(last: str, kept: int) -> None:
    rows = "".join(f"a{row},{row},{row / 9}\n" for row in range(9))
    columns, told = read_cells(f"who,n,share\n{rows}{last}\n".encode())
    assert len(columns["n"]) == kept
    assert any("and is left out" in sentence for sentence in told) is (kept == 9)


def test_a_record_among_totals_or_of_few_is_one() -> None:
    assert read_cells(b"part,n\nleft,1\nright,2\ntotal,3\n")[0]["n"] == [1, 2, 3]
    assert len(read_cells(b"part,n\n" + b"left,1\ntotal,2\n" * 6)[0]["n"]) == 12


@pytest.mark.parametrize(
    "first, kept",
    [
        ("-,years,kg", 6),
        (",[years],", 6),
        ("m,years,kg", 7),
        ("m,unknown,missing", 7),
        ("x,years,70.5", 7),
        ("x,40 %,kg", 7),
    ],
)
def test_a_row_of_units_is_no_record(first: str, kept: int) -> None:
    rows = "".join(f"{'mf'[row % 2]},{20 + row},{60.5 + row}\n" for row in range(6))
    columns, told = read_cells(f"sex,age,weight\n{first}\n{rows}".encode())
    assert len(columns["age"]) == kept
    assert any("holds units" in sentence for sentence in told) is (kept == 6)


def test_units_above_a_few_rows_are_a_record() -> None:
    assert len(read_cells(b"who,age\nx,years\ny,20\nz,30\n")[0]["age"]) == 3


@pytest.mark.parametrize(
    "end, rows",
    [
        (b"(3 rows)\n", 3),
        (b"\nSource: the ward\n", 3),
        (b"by hand, in May\n", 4),
        (b"3 rows in set\n", 3),
    ],
)
def test_remarks_below_a_table_are_left_out(end: bytes, rows: int) -> None:
    read = read_dataset(b"a,b\n1,2\n3,4\n5,6\n" + end)
    assert len(read.frame) == rows
    assert any("below the table" in one.sentence for one in read.problems) is (rows == 3)


@pytest.mark.parametrize(
    "end, rows",
    [
        (b',,\n"Source: registry, May",,\nLast updated: 1 May,,\n', 2),
        (b"p7,,\n", 3),
        (b"2024-05-01 10:00,,\n", 3),
        (b",,a b\n", 3),
    ],
)
def test_remarks_with_empty_cells_beside_them_are_none(end: bytes, rows: int) -> None:
    assert len(read_dataset(b"a,b,c\nx 1,2,y\nx 3,4,z\n" + end).frame) == rows


def test_questions_below_the_header_are_no_records() -> None:
    asked = b'"How old?","Ill?"\n"{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"\n'
    read = read_dataset(b"age,ill\n" + asked + b"30,yes\n41,no\n")
    assert read.frame.to_dict("list") == {"age": [30, 41], "ill": ["yes", "no"]}
    assert "2 rows of questions" in read.problems[0].sentence


def test_lines_of_a_quoted_cell_are_neither_drawn_nor_below() -> None:
    notes = b'note,age\n"no\n-----\nyes",3\n"a b",4\n'
    assert read_dataset(notes).frame["note"].tolist() == ["no\n-----\nyes", "a b"]
    assert read_dataset(b'age,note\n3,x\n4,"said no\nand left"\n').frame.shape == (2, 2)


@pytest.mark.parametrize("end", [b"7\n", b"0.5\n", b"x\n"])
def test_a_last_row_that_was_cut_short_is_complained_of(end: bytes) -> None:
    with pytest.raises(IntakeError, match="^row 4: this data row .line 5 of the file. has 1 cell"):
        read_dataset(b"a,b\n1,2\n3,4\n5,6\n" + end)


def test_a_header_that_ends_with_a_mark_of_its_own_loses_it() -> None:
    frame = read_dataset(b"age,sex,\n30,f\n41,m\n").frame
    assert (list(frame), frame["age"].tolist()) == (["age", "sex"], [30, 41])


def test_a_file_of_comments_alone_keeps_them() -> None:
    text = b"# one\n# two\n"
    bare = laid_bare(text, Stated(comment="#"))
    assert (bare.text, bare.comment) == (text, "")


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [("a{0} tensor({1})  0.{1}", " "), ("a{0} tensor({1})  x{1}", ","), ("so many words", ",")],
)
def test_words_in_columns_are_a_table_if_one_of_them_holds_numbers(
    line: str, delimiter: str
) -> None:
    rows = "".join(f"{line.format(at, at % 2)}\n" for at in range(9))
    assert laid_bare(f" id    label  score\n{rows}".encode(), Stated()).delimiter == delimiter


def test_the_size_that_a_notebook_prints_below_a_table_is_no_row() -> None:
    rows = "".join(f"{row}  {row % 2}  0.{row + 10}\n" for row in range(9))
    columns, told = read_cells(f"   y  p\n{rows}\n[9 rows x 2 columns]\n".encode())
    assert columns["y"] == [row % 2 for row in range(9)]
    assert any("[9" in sentence for sentence in told)
