"""A declared table is cut into rows, and no row has a say in how another one is cut."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import IntakeError, InvalidArgument
from dpcore.intake import Dialect
from dpcore.intake.declared import check_declared, read_declared
from dpcore.intake.limits import DEFAULT_LIMITS, Limits
from dpcore.intake.source import Source

CELL = st.text("abcé1.,;|\t\"'\n\r \x00\ufeff", max_size=6)
DIALECTS = st.builds(
    Dialect,
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "windows-1252", "latin-1"]),
    quoted=st.booleans(),
)
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


@given(ROWS, DIALECTS)
def test_what_a_writer_writes_is_read_back(rows: list[list[str]], dialect: Dialect) -> None:
    header = written([["a", "b", "c"]], dialect)
    table = read(header + written(rows, dialect), dialect)
    assert len(table) == len(rows)
    if dialect.quoted and dialect.encoding == "utf-8":
        assert table.to_numpy().tolist() == rows


@given(ROWS, ROWS, st.lists(CELL, max_size=5), DIALECTS)
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
def test_no_line_of_any_bytes_changes_a_row(
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


def test_rows_of_any_length_are_rows() -> None:
    table = read(b"a,b\n1\n1,2,3\n\n,\n", Dialect())
    assert table.to_dict("list") == {"a": ["1", "1", ""], "b": ["", "2", ""]}


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
    assert read(b"1,2\n", dialect).columns.tolist() == ["column_1", "column_2"]


def test_an_open_quotation_mark_is_explained_without_a_value() -> None:
    with pytest.raises(IntakeError) as caught:
        read(b'a,b\n1,"HIV positive\n2,x\n', Dialect())
    assert "does not enclose a whole cell" in str(caught.value)
    assert "HIV" not in str(caught.value)
    assert read(b'a,b\n1,"x\n', Dialect(quoted=False))["b"].tolist() == ['"x']


def test_limits_are_kept() -> None:
    with pytest.raises(IntakeError, match="2 rows"):
        read(b"a\n1\n2\n", Dialect(), Limits(rows=1))
    with pytest.raises(IntakeError, match="2 columns"):
        read(b"a,b\n", Dialect(), Limits(columns=1))


@pytest.mark.parametrize(
    "dialect, name",
    [
        (Dialect(delimiter="x"), "dialect.delimiter"),
        (Dialect(encoding="utf-16"), "dialect.encoding"),
        (Dialect(decimal="-"), "dialect.decimal"),  # type: ignore[arg-type]
        ("comma", "dialect"),
    ],
)
def test_a_dialect_that_ties_rows_together_is_refused(dialect: Dialect, name: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        check_declared(dialect)


def test_parquet_declares_itself() -> None:
    check_declared(Dialect("parquet", delimiter="", encoding=""))
