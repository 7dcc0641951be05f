"""A declared table is cut into rows, and no row has a say in how another one is cut."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.declared import WIDE, check_declared, narrowed, read_declared
from dpcore.data.reading.declared_lines import Lines
from dpcore.data.reading.old_encodings import SCRIPTS
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import Source
from dpcore.data.reading.tables import column_names, likely_layout
from dpcore.errors import IntakeError, InvalidArgument

CELL = st.text("abcé1.,;|\t\"'\n\r \x00\ufeff", max_size=6)
DIALECTS = st.builds(
    Dialect,
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "windows-1252", "latin-1"]),
    quoted=st.booleans(),
)
# Rows of a writer that encloses line breaks, under an owner who says so.
ENCLOSING = DIALECTS.map(lambda dialect: replace(dialect, line_breaks=dialect.quoted))
# Bytes that mean something to somebody, and any others.
RAW = st.lists(
    st.sampled_from([b'"', b'""', b",", b";", b"\n", b"\r", b"1.50", b"x", b"\xff", b"\xc3", b"\0"])
    | st.binary(max_size=3),
    max_size=8,
).map(b"".join)


def read(
    content: bytes, dialect: Dialect, limits: Limits = DEFAULT_LIMITS, names: tuple[str, ...] = ()
) -> pd.DataFrame:
    source = Source(content, compressed=False, digest="", title="the file")
    return read_declared(source, limits, dialect, names)[0]


def written(rows: list[list[str]], dialect: Dialect) -> bytes:
    """What a CSV writer makes of rows; without quotes, cells that need none."""
    stream = io.StringIO()
    if dialect.quoted:
        csv.writer(stream, delimiter=dialect.delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    else:
        spoilt = str.maketrans("", "", dialect.delimiter + "\r\n")
        for row in rows:
            cells = [cell.translate(spoilt) for cell in row]
            stream.write(dialect.delimiter.join(["r", *cells]) + "\n")
    codec = {"windows-1252": "cp1252"}.get(dialect.encoding, dialect.encoding)
    return stream.getvalue().encode(codec, errors="replace")


ROWS = st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=5)


@given(ROWS, ENCLOSING)
def test_what_a_writer_writes_is_read_back(rows: list[list[str]], dialect: Dialect) -> None:
    header = written([["a", "b", "c"]], dialect)
    table = read(header + written(rows, dialect), dialect)
    assert len(table) == len(rows)
    if dialect.quoted and dialect.encoding == "utf-8":
        assert table.to_numpy().tolist() == rows


@given(ROWS, ROWS, st.lists(CELL, max_size=5), ENCLOSING)
def test_no_row_changes_another_one(
    above: list[list[str]], below: list[list[str]], row: list[str], dialect: Dialect
) -> None:
    """Whatever its cells are, and however many."""
    head = written([["a", "b", "c"]], dialect) + written(above, dialect)
    tail = written(below, dialect)
    less = read(head + tail, dialect).to_numpy().tolist()
    more = read(head + written([row], dialect) + tail, dialect).to_numpy().tolist()
    without = more[: len(above)] + more[len(more) - len(below) :]
    assert without == less
    assert len(more) - len(less) in (0, 1)


@given(ROWS, ROWS, RAW, DIALECTS)
def test_no_line_of_any_bytes_changes_a_row_or_raises(
    above: list[list[str]], below: list[list[str]], raw: bytes, dialect: Dialect
) -> None:
    """Not even a quotation mark that nobody closes."""
    head = written([["a", "b", "c"]], dialect) + written(above, dialect)
    tail = written(below, dialect)
    lesser = read(head, dialect), read(written([["a", "b", "c"]], dialect) + tail, dialect)
    more = read(head + raw + b"\n" + tail, dialect).to_numpy().tolist()
    first, last = (some.to_numpy().tolist() for some in lesser)
    assert more[: len(first)] == first
    assert more[len(more) - len(last) :] == last


@pytest.mark.parametrize("first", ["\ufeff1", "\ufeff"])
@pytest.mark.parametrize("below", [b"", b"2\n", b'a"b\n', b"2\r3\n", b"2,3\n"])
def test_a_mark_before_the_first_record_is_part_of_its_cell(first: str, below: bytes) -> None:
    """Arrow's parser drops one there, or the row with it, and Python's does not."""
    table = read(f"a\n{first}\n".encode() + below, Dialect())
    assert table["a"].tolist()[0] == first
    assert len(table) == 1 + bool(below)


# Halves of a pair, marks, line ends and numbers that no character has.
UNITS = st.sampled_from([0x0A, 0x0D, 0x22, 0x2C, 0xD800, 0xDC00, 0xFEFF, 0xFFFE, 0x0A0A, 0x0A00])


@pytest.mark.parametrize("encoding, size", WIDE.items())
@given(above=ROWS, below=ROWS, units=st.lists(UNITS | st.integers(0, 2**16 - 1), max_size=8))
def test_no_line_of_any_wide_units_changes_a_row_or_raises(
    encoding: str, size: int, above: list[list[str]], below: list[list[str]], units: list[int]
) -> None:
    line = b"".join(unit.to_bytes(size, "little") for unit in [*units, 0x0A])
    first, last = (
        b"".join(written([row], Dialect()).decode().encode(f"{encoding}-le") for row in rows)
        for rows in ([["a", "b", "c"], *above], below)
    )
    told = Dialect(encoding=encoding)
    less, more = read_wide(first + last, told), read_wide(first + line + last, told)
    kept = len(read_wide(first, told))
    assert more[:kept] == less[:kept]
    assert more[len(more) - (len(less) - kept) :] == less[kept:]


@pytest.mark.parametrize("encoding, size", WIDE.items())
def test_a_first_record_that_begins_like_a_mark_turns_no_other_round(
    encoding: str, size: int
) -> None:
    rows = "1,0.5\n0,0.25\n".encode(f"{encoding}-le")
    mark = {2: codecs.BOM_UTF16_BE, 4: codecs.BOM_UTF32_BE}[size]
    dialect = Dialect(encoding=encoding, header=False)
    source = Source(mark + "\n".encode(f"{encoding}-le") + rows, False, "", "the file")
    assert narrowed(source, dialect)[0].content.endswith(b"\n1,0.5\n0,0.25\n")


def read_wide(content: bytes, told: Dialect) -> list[list[str]]:
    source = Source(content, compressed=False, digest="", title="the file")
    narrow, dialect = narrowed(source, told)
    return read(narrow.content, dialect).to_numpy().tolist()


@pytest.mark.parametrize("encoding", WIDE)
def test_wide_text_is_read_like_any_other(encoding: str) -> None:
    text = "label,score\nyes,0.5\n\u00fc\u20ac,0.25\n"
    wide = [text.encode(encoding), text.encode(f"{encoding}-le")]
    wide.append(codecs.lookup(f"{encoding}-be").encode("\ufeff" + text)[0])
    told = {"label": "label", "score": "score", "positive": "yes"}
    for content in wide:
        found = read_predictions(content, **told, dialect=Dialect(encoding=encoding))
        assert (found.y_true.tolist(), found.y_score.tolist()) == ([1, 0], [0.5, 0.25])
        assert column_names(content, Dialect(encoding=encoding), limits=DEFAULT_LIMITS) == (
            "label",
            "score",
        )
        with pytest.raises(IntakeError, match="^the file ends within a character of utf-"):
            read_predictions(content[:-1], **told, dialect=Dialect(encoding=encoding))
        with pytest.raises(IntakeError, match="looks like text in UTF-16, by its header; declare"):
            read_predictions(content, **told, dialect=Dialect())


@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("written_in", ["utf-8", "utf-16-be", "utf-32-be"])
def test_what_is_no_text_in_such_units_is_not_named_by_its_records(
    encoding: str, written_in: str
) -> None:
    """Its one line would be all of them: whoever guessed the last one would be told so."""
    texts = ["label,score\n1,0.25\n0,0.5\n" + last for last in ("1,0.75\n", "0,0.75\n")]
    files = [text.encode(written_in) for text in texts]
    files = [content + b" " * (-len(content) % 4) for content in files]
    guess, told = files[0].decode(f"{encoding}-le", "replace"), Dialect(encoding=encoding)
    for label in (None, guess.strip()):
        for content in files:
            with pytest.raises(IntakeError, match="first line of the file names no columns in"):
                read_predictions(content, label=label, score="p", positive="1", dialect=told)
    # A letter of Gurmukhi holds the byte of a line feed; a mark says that it is one.
    marked = "\ufeff\u0a38\u0a28,score\n1,0.25\n".encode(f"{encoding}-le")
    assert column_names(marked, told, limits=DEFAULT_LIMITS) == ("\u0a38\u0a28", "score")


@given(st.lists(RAW, max_size=6), DIALECTS, st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_arrow_is_asked_only_where_it_cuts_the_same_cells(
    rows: list[bytes], dialect: Dialect, end: bytes
) -> None:
    lines = Lines(dialect, end.decode(), 2)
    block = b"".join(row + end for row in rows)
    fast, slow = lines.cut(block, (1, 0)), lines._one_by_one(block, (1, 0))
    assert [cells.to_pylist() for cells in fast] == [cells.to_pylist() for cells in slow]


@given(st.lists(st.lists(st.text('ab",; ', max_size=4), min_size=2, max_size=2), max_size=5))
def test_arrow_cuts_what_a_writer_wrote(rows: list[list[str]]) -> None:
    """So that a file with quotation marks is read as fast as one without."""
    block = written(rows, Dialect())
    lines = Lines(Dialect(), "\r\n", 2)
    assert lines._plain(block) is not None
    assert [cells.to_pylist() for cells in lines.cut(block, (0, 1))] == [
        [row[place] for row in rows] for place in (0, 1)
    ]


@given(ROWS, ROWS, RAW, ENCLOSING)
def test_no_line_of_any_bytes_changes_a_row_where_cells_may_hold_line_breaks(
    above: list[list[str]], below: list[list[str]], raw: bytes, dialect: Dialect
) -> None:
    head = written([["a", "b", "c"]], dialect) + written(above, dialect)
    tail = written(below, dialect)
    less = read(head + tail, dialect).to_numpy().tolist()
    try:
        more = read(head + raw + b"\n" + tail, dialect).to_numpy().tolist()
    except IntakeError:
        # Only quotation marks that no writer leaves may stop the reader.
        assert dialect.quoted
        assert b'"' in raw
    else:
        assert more[: len(above)] + more[len(more) - len(below) :] == less


# Cells that writers leave without quotation marks, and that were taken for the end of a row.
TRAPS = st.sampled_from(
    ["", " ", "\t", "\r", "\r\r", "x\ry", "\r1", "1\r", "\n", "a\nb", '"', "1", "é\x85"]
)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@given(table=st.integers(1, 3).flatmap(lambda width: st.lists(
    st.lists(TRAPS, min_size=width, max_size=width), min_size=1, max_size=5)),
    delimiter=st.sampled_from([",", ";", "\t", "|"]), by_pandas=st.booleans(),
)  # fmt: skip
def test_as_many_rows_are_read_as_a_writer_wrote(
    end: str, table: list[list[str]], delimiter: str, by_pandas: bool
) -> None:
    """Whatever is in the cells: one person is one row, a row of missing cells too."""
    # Python's writer leaves a line feed bare here, and then it would seem to end the header.
    assume(end != "\r" or not table[0][0].startswith("\n"))
    names = ["a", "b", "c"][: len(table[0])]
    stream = io.StringIO(newline="")
    if by_pandas:
        frame = pd.DataFrame(table, columns=names)
        frame.to_csv(stream, index=False, sep=delimiter, lineterminator=end)
    else:
        csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows([names, *table])
    found = read(stream.getvalue().encode(), Dialect(delimiter=delimiter, line_breaks=True))
    assert [[cell.strip() for cell in row] for row in found.to_numpy().tolist()] == [
        [cell.strip() for cell in row] for row in table
    ]


def test_a_thousand_carriage_returns_are_one_cell() -> None:
    for end in (b"\n", b"\r\n"):
        table = read(end.join([b"label,note", b"0,fine" + b"\r1" * 1000, b"1,x", b""]), Dialect())
        assert table["label"].tolist() == ["0", "1"]


def test_lines_of_both_kinds_may_be_put_together() -> None:
    """A line feed ends a row under either header."""
    for content in (b'a,b\n1,"2"\r\n3,4\r\n', b'a,b\r\n1,"2"\n\r\n3,4\n'):
        assert read(content, Dialect()).to_numpy().tolist() == [["1", "2"], ["3", "4"]]


def test_without_a_header_rows_end_with_a_line_feed() -> None:
    table = read(b"1,x\ry\n2,z\r\n", Dialect(header=False), names=("a", "b"))
    assert table.to_numpy().tolist() == [["1", "x\ry"], ["2", "z"]]


@pytest.mark.parametrize("header", [b'"a\nb",c\n', b'"a\rb",c\n'])
def test_a_name_ends_in_its_line(header: bytes) -> None:
    with pytest.raises(IntakeError, match="does not enclose a whole cell"):
        read(header + b"1,2\n", Dialect())


def test_rows_of_any_length_are_rows() -> None:
    """One with a cell too few or too many has none: which one that is, nobody knows."""
    for breaks in (False, True):
        table = read(b"a,b\n1\n1,2,3\n\n,\n4,5\n", Dialect(line_breaks=breaks))
        assert table.to_dict("list") == {"a": ["", "", "", "4"], "b": ["", "", "", "5"]}


def test_there_may_be_no_rows() -> None:
    assert read(b"a,b\n", Dialect()).shape == (0, 2)
    with pytest.raises(IntakeError, match="^the file is empty; "):
        read(b"\n \n", Dialect())


def test_marks_and_announcements_are_no_cells() -> None:
    for start in (b"\xef\xbb\xbf", b"sep=;\r\n", b'\n"sep=;"\n'):
        assert read(start + b"a;b\n1;2\n", Dialect(delimiter=";")).columns.tolist() == ["a", "b"]


def test_without_a_header_the_schema_names_the_columns() -> None:
    dialect = Dialect(header=False)
    assert read(b"1,2\n", dialect, names=("x", "y", "z")).columns.tolist() == ["x", "y", "z"]
    said = set()
    for content in (b"1,2\n", b"1\n", b"\n"):
        with pytest.raises(IntakeError, match="no header that says which columns") as refused:
            read(content, dialect)
        said.add(str(refused.value))
        assert column_names(content, dialect, limits=DEFAULT_LIMITS) == ()
    assert len(said) == 1


def test_an_open_quotation_mark_is_explained_without_a_value() -> None:
    with pytest.raises(IntakeError) as caught:
        read(b'a,b\n1,"HIV positive\n2,x\n', Dialect(line_breaks=True))
    assert "does not enclose a whole cell" in str(caught.value)
    assert "HIV" not in str(caught.value)
    assert read(b'a,b\n1,"x\n', Dialect(quoted=False))["b"].tolist() == ['"x']
    assert read(b'a,b\n1,"x\n', Dialect())["b"].tolist() == ["x"]


def test_limits_are_kept() -> None:
    with pytest.raises(IntakeError, match="2 rows"):
        read(b"a\n1\n2\n", Dialect(), Limits(rows=1))
    with pytest.raises(IntakeError, match="2 columns"):
        read(b"a,b\n", Dialect(), Limits(columns=1))


@pytest.mark.parametrize(
    "dialect, name",
    [
        (Dialect(delimiter="x"), "dialect.delimiter"),
        (Dialect(encoding="utf-7"), "dialect.encoding"),
        (Dialect(quoted=False, line_breaks=True), "dialect.line_breaks"),
        (Dialect(decimal="-"), "dialect.decimal"),  # type: ignore[arg-type]
        ("comma", "dialect"),
    ],
)
def test_a_dialect_that_ties_rows_together_is_refused(dialect: Dialect, name: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        check_declared(dialect)


def test_parquet_declares_itself() -> None:
    check_declared(Dialect("parquet", delimiter="", encoding=""))


@pytest.mark.parametrize(
    ("dialect", "refused"),
    [
        (Dialect(commented_header=True), r"commented_header must be False unless comments"),
        (Dialect(format="json", header=False), r"header must be True, for records in JSON"),
    ],
)
def test_what_says_nothing_together_is_refused(dialect: Dialect, refused: str) -> None:
    with pytest.raises(InvalidArgument, match=refused):
        check_declared(dialect)


@pytest.mark.parametrize("encoding", SCRIPTS)
def test_no_line_of_several_bytes_a_letter_changes_another(encoding: str) -> None:
    """Whatever a line ends within, the next is read as it is, and so is the end of the file."""
    every, third = range(0x80, 0x100), (b"0", b"A", b"\x81", b"\xfe")
    # Of four bytes the third is one of those that begin a letter, at an end of them, or another.
    ends = (0x80, 0x81, 0xA0, 0xA1, 0xFE, 0xFF)
    begun = [bytes([one]) for one in every]
    begun += [bytes([one, other]) for one in every for other in range(0x20, 0x100)]
    begun += [bytes([one, 0x30, other]) + last for one in every for other in ends for last in third]

    def text(content: bytes) -> bytes:
        return Lines(Dialect(encoding=encoding)).text(content).encode()

    for end in (b"\n", b"\r"):
        alone = [text(one + end) for one in begun]
        assert all(line.endswith(end) for line in alone)
        assert text(b"".join(one + end for one in begun)) == b"".join(alone)


@pytest.mark.parametrize(
    "encoding, word", {"gb18030": "北京", "cp932": "ソ", "cp949": "서울", "cp950": "許功蓋"}.items()
)
@pytest.mark.parametrize("broken", [b"\x81", b"\xfe\xfe", b"\x810", b"\xa4\xd4", b"\x83|"])
def test_old_text_of_east_asia_is_read_row_by_row(encoding: str, word: str, broken: bytes) -> None:
    """The second byte of a letter may be that of a bar, and what is no letter spoils its row."""
    rows = f"{word}|label\n{word}|yes\n".encode(encoding)
    told = Dialect(encoding=encoding, delimiter="|")
    less, more = (
        read_wide(content, told)
        for content in (rows + b"x|no", rows + broken + b"|no\n" + broken + b"\nx|no")
    )
    assert (less[0], less[-1]) == ([word, "yes"], ["x", "no"])
    assert (more[0], more[-1]) == (less[0], less[-1])
    assert read_wide(rows + broken, told)[-1] == read_wide(rows + broken + b"\n", told)[-1]
    assert column_names(rows, told, limits=DEFAULT_LIMITS) == (word, "label")
    asked = likely_layout(rows.replace(b"|", b";"), {}, limits=DEFAULT_LIMITS)
    assert asked["delimiter"] == ";"


@pytest.mark.parametrize("encoding, word", [("windows-1253", "ηλικία"), ("gb18030", "年龄性别")])
def test_a_header_says_which_old_encoding_it_is_in(encoding: str, word: str) -> None:
    header = f"{word};label\n".encode(encoding)
    assert likely_layout(header, {}, limits=DEFAULT_LIMITS)["encoding"] == encoding
