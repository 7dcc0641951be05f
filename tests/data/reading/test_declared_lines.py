"""The header says where rows end, and the same header is judged alone and read with its rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import Dialect, Limits, read_dataset
from dpcore.data.reading.declared import read_declared
from dpcore.data.reading.declared_lines import (
    CODECS,
    Lines,
    header_bytes,
    header_span,
    lines_of,
    row_end,
)
from dpcore.data.reading.dialect import SEPARATORS
from dpcore.data.reading.source import Source

LINES = st.lists(
    st.sampled_from(["", " ", "\t", "sep=;", '"sep=,"', "sep=length", "a;b", "\t\t", "é", "\x85"])
    | st.text("ab\r\n;", max_size=4),
    max_size=5,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from([";", "\t"]))
def test_bytes_and_text_have_the_same_header(lines: list[str], end: str, delimiter: str) -> None:
    text = end.join(lines)
    _, stop = header_span(text, delimiter)
    for encoding, codec in (("utf-8", "utf-8"), ("latin-1", "latin-1")):
        dialect = Dialect(delimiter=delimiter, encoding=encoding)
        assert header_bytes(text.encode(codec), dialect) == text[:stop].encode(codec)


@given(LINES, st.binary(max_size=20))
def test_no_row_moves_the_header(lines: list[str], rows: bytes) -> None:
    head = "\n".join([*lines, "a;b", ""]).encode()
    dialect = Dialect(delimiter=";")
    assert header_bytes(head + rows, dialect) == header_bytes(head, dialect)


@pytest.mark.parametrize("start", ["", "\n\r\n", " \n", "sep=;\n", '\n"SEP=;"\r\n\n'])
def test_blank_lines_and_one_announcement_come_before_it(start: str) -> None:
    text = f"{start}sep=name;b\n1;2\n"
    assert header_span(text, ";") == (len(start), len(start) + len("sep=name;b\n"))


def test_nameless_columns_are_a_header_where_tabs_separate_them() -> None:
    assert header_span("\t\n1\t2\n", "\t") == (0, 2)
    assert header_span("\t\n1,2\n", ",") == (2, 6)


def test_a_mark_is_no_part_of_a_blank_line() -> None:
    content = b"\xef\xbb\xbf\na,b\n1,2\n"
    assert header_bytes(content, Dialect()) == content[:8]
    assert header_bytes(content, Dialect(encoding="latin-1")) == content[:4]


def test_nothing_has_no_header() -> None:
    assert header_span("\n \n", ",") == (3, 3)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_an_empty_line_is_no_row(end: str) -> None:
    text = f"a{end}{end}\t{end} {end}b{end}"
    assert row_end(f"a{end}") == end
    assert lines_of(text, end) == ["a", "\t", " ", "b"]


def test_drawn_bars_count_only_where_a_line_has_no_other() -> None:
    lines = Lines(Dialect(delimiter="|"), "\n", 4)
    block = "│ 1 ┆ 0.5 │\n├───┼─────┤\n| 0 | a │ b |\n║ 1 ║ 2 ║\n│ 1 │\n".encode()
    for rows in (block, block.replace("├───┼─────┤\n".encode(), b"")):
        cells = [one.to_pylist() for one in lines.cut(rows, (1, 2))]
        there = [pair for pair in zip(*cells, strict=True) if any(pair)]
        assert there == [(" 1 ", " 0.5 "), (" 0 ", " a │ b "), (" 1 ", " 2 ")]
    comma = Lines(Dialect(), "\n", 2)
    assert [one.to_pylist() for one in comma.cut("│1│,2\n".encode(), (0, 1))] == [["│1│"], ["2"]]


ODD = [b'"', b'a"b', b"\0", b"\xff", b"\x81", b"\xef\xbb\xbf", b"#", b"'", b"\r", b"a|b|c", b""]


@pytest.mark.parametrize("delimiter", SEPARATORS)
@pytest.mark.parametrize("encoding", CODECS)
def test_every_line_is_cut_as_by_itself(encoding: str, delimiter: str) -> None:
    """A bar that KOI8 draws was a mark if another line had an odd quotation mark, and else none."""
    lines = Lines(Dialect(delimiter=delimiter, encoding=encoding), "\n", 2)
    bars = [bar.encode(lines.codec, "ignore") for bar in "│║┃"]
    rows = [b"1" + mark + b"0.5\n" for mark in [delimiter.encode(), *bars]]

    def cut(block: bytes) -> list[tuple[str, ...]]:
        return [*zip(*(one.to_pylist() for one in lines.cut(block, (0, 1))), strict=True)]

    alone = [cells for row in rows for cells in cut(row)]
    assert cut(b"".join(rows)) == alone
    for odd in ODD:
        odd += b"\n"
        assert cut(b"".join(rows) + odd) == alone + cut(odd)


def test_spaces_before_a_mark_that_encloses_a_cell_are_no_part_of_it() -> None:
    """As people write tables by hand; of each line by itself, and alike where all is found out."""
    lines = Lines(Dialect(), "\n", 3)
    rows = [b'49, "no", "a, ""b"""\n', b'50,no,5" x\n', b'51,  "no, "," c"\n']
    cut = [lines.cells_of(row.decode().rstrip("\n")) for row in rows]
    assert cut == [["49", "no", 'a, "b"'], ["50", "no", '5" x'], ["51", "no, ", " c"]]
    assert [cells.to_pylist() for cells in lines.cut(b"".join(rows), (1, 2))] == [
        [row[place] for row in cut] for place in (1, 2)
    ]
    table = b'age, "ill", note\n' + rows[0] + rows[2]
    found = read_dataset(table)
    assert found.frame.to_dict("list") == {
        "age": [49, 51],
        "ill": ["no", "no,"],
        "note": ['a, "b"', "c"],
    }
    declared = read_declared(
        Source(table, False, "", "the file"), Limits(), Dialect(line_breaks=True), ()
    )[0]
    assert declared["ill"].tolist() == ["no", "no, "]
