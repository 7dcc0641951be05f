"""Uploads are loaded within their limits, and known by their digest."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
import pickle
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import Dialect, Limits, read_dataset, read_predictions
from dpcore.data.reading.problems import DEFAULT_LIMITS, ELSEWHERE
from dpcore.data.reading.source import (
    may_be_text,
    open_source,
    refuse_foreign,
    require_columns,
    require_rows,
    to_utf8,
)
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema import Categorical, Schema
from tests.data.reading.corpus import workbook

TEXT = "naïve;Ωmega;日本\n"

PRINTABLE = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"), min_size=1
)


@pytest.mark.parametrize(
    "content, encoding",
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8 with byte-order mark"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16 with byte-order mark"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16 with byte-order mark"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32 with byte-order mark"),
    ],
)
def test_marks_decide(content: bytes, encoding: str) -> None:
    assert to_utf8(content, "the file") == (TEXT.encode(), encoding)


def test_one_byte_encodings() -> None:
    assert to_utf8("5 € café".encode("cp1252"), "x") == ("5 € café".encode(), "windows-1252")
    assert to_utf8(b"caf\xe9 \x81", "x") == ("café \x81".encode(), "latin-1")


@given(PRINTABLE)
def test_utf8_and_utf16_are_never_changed(text: str) -> None:
    assert to_utf8(text.encode(), "x")[0] == text.encode()
    assert to_utf8(codecs.BOM_UTF16_LE + text.encode("utf-16-le"), "x")[0] == text.encode()


@given(st.binary())
def test_any_bytes_become_utf8_or_one_sentence(content: bytes) -> None:
    with suppress(IntakeError):
        to_utf8(content, "the file")[0].decode()


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"a,b\r\n1,2\r\n3,\0\r\n", "^line 3 of the file x holds a NUL byte, .*; save it as UTF-8"),
        ("a,b\n".encode("utf-16-le") + b"\n", "^line 1 of the file x holds a NUL byte"),
        (codecs.BOM_UTF16_LE + b"\0\xd8a\0", "is said to be utf-16-le but byte 1 breaks"),
        (codecs.BOM_UTF8 + b"a\xff", "is said to be utf-8 but byte 2 breaks it"),
        (bytes(range(1, 9)) * 10, "^the file x looks like binary data"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence):
        to_utf8(content, "the file x")


def test_a_stray_control_character_is_not_binary() -> None:
    assert to_utf8(b"a,b\n1,2\n\x1a", "x")[1] == "utf-8"


LIMITS = Limits(rows=10, columns=5, cells=40)


def test_at_the_limit() -> None:
    require_columns(5, "x", LIMITS)
    require_rows(10, 4, "x", LIMITS)
    require_rows(8, 5, "x", LIMITS)


def test_past_the_limit() -> None:
    with pytest.raises(IntakeError, match="^x has 6 columns, more than the limit of 5; keep"):
        require_columns(6, "x", LIMITS)
    with pytest.raises(IntakeError, match="^x has 11 rows, more than the limit of 10; upload"):
        require_rows(11, 1, "x", LIMITS)
    with pytest.raises(IntakeError, match="^x has 45 cells, more than the limit of 40; upload"):
        require_rows(9, 5, "x", LIMITS)


def zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "content")
    return stream.getvalue()


def npy() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.zeros(2))
    return stream.getvalue()


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"\x89PNG\r\n\x1a\n...", "is a PNG picture; choose a CSV or Parquet file"),
        (b"\xff\xd8\xff\xe0", "is a JPEG picture"),
        (b"%PDF-1.7", "is a PDF document; open it where it was made and export the table"),
        (zipped("a.csv"), "is a zip archive that was cut short or holds another one; unpack it"),
        (zipped("xl/workbook.xml"), "is an Excel workbook; say so, or save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel or Word file; save the sheet as CSV"),
        (b"\x1f\x8b\x08", "is compressed twice"),
        (b"BZh91AY", "is a bzip2 archive"),
        (b"\xfd7zXZ\0", "is an xz archive"),
        (b"SQLite format 3\0", "is an SQLite database; export one table"),
        (npy(), "is a NumPy array"),
        (b"$FL2@(#) SPSS DATA FILE", "is an SPSS file; open it where it was made and export"),
        (b"<stata_dta><header>", "is a Stata file"),
        (b"\x72\x02\x01\0\x05\0", "is a Stata file"),
        (b"% 1. Title\n%\n\n@RELATION iris\n", "is a Weka file"),
        (b"t.csv".ljust(257, b"\0") + b"ustar\0", "is a tar archive; unpack it and upload"),
        (b"version https://git-lfs.example/spec/v1\n", "is what Git keeps in place of a large"),
        (b"BEGIN TRANSACTION;\nCREATE TABLE t", "is a dump of a database"),
        (b"-- MySQL dump 10.13", "is a dump of a database"),
        (b"404: Not Found", "is what a web server says"),
        (bytes(12) + b"\xc2\xea\x81\x60\xb3\x14", "is a SAS data set"),
        (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", "is a SAS transport file"),
        (b"RDX3\nX\n", "is an R workspace"),
        (b"X\n\0\0\0\3\0\4\1", "is an R object .RDS."),
        (b"Obj\x01\x04\x16avro.schema", "is an Avro file; save the table as Parquet"),
        (pickle.dumps({"a": [1]}), "is a Python pickle, which could run code"),
        (pickle.dumps([1], protocol=2), "is a Python pickle"),
        (
            b"array([0.25, 0.5 ,\n       0.75])\n",
            "is a list of numbers as NumPy or PyTorch prints it",
        ),
        (b"Out[3]: tensor([[0.25], [0.5]])", "is a list of numbers as NumPy or PyTorch prints it"),
        (b"0    0.5\n1    0.25\nName: p, dtype: float64\n", "is a Series as pandas prints it"),
        (b"0 0.5\n ... \n9 1.0\nLength: 10, dtype: float64", "is a Series as pandas prints it"),
        ("id,判定\n1,陽性\n".encode("iso2022_jp"), "is a text in ISO-2022-JP.*; save it as UTF-8"),
        (b"<!DOCTYPE html><html>", "is a web page or XML"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>', "is a web page or XML"),
        (
            json.dumps([{"a": 1}]).encode(),
            "holds JSON, not a delimited text; say that it is JSON",
        ),
        (b'{\n  "a": 1}', "holds JSON"),
    ],
)
def test_foreign_files_are_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=f"^the file x {sentence}"):
        refuse_foreign(content, "the file x")


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1,2\n",
        b"<b>name</b>,x\n",
        b"{name},x\n",
        b"[1],2\n",
        b"PAR1",
        b"MZ,b\n",
        b"Obj,b\n",
        b"X\n",
        b"label = 1,b\n1,2\n",
        b"label=1,score=2\n",
        b"version,b\n",
        b"array([0],b\n1,2\n"[6:],
        b"name,dtype\nage,float64\n",
        b"label,score\n1,\x1b[0m\n",
    ],
)
def test_tables_pass(content: bytes) -> None:
    refuse_foreign(content, "the file x")


def test_the_digest_is_that_of_the_file_as_it_arrived(tmp_path: Path) -> None:
    packed = gzip.compress(b"a\n1\n")
    path = tmp_path / "a.csv.gz"
    path.write_bytes(packed)
    for source in (packed, bytearray(packed), memoryview(packed), path):
        opened = open_source(source, "", DEFAULT_LIMITS)  # type: ignore[arg-type]
        assert opened.content == b"a\n1\n"
        assert opened.compressed
        assert opened.digest == hashlib.sha256(packed).hexdigest()
    assert open_source(path, "", DEFAULT_LIMITS).title == "the file a.csv.gz"
    assert open_source(path, "mine", DEFAULT_LIMITS).title == "the file mine"
    assert open_source(packed, "", DEFAULT_LIMITS).title == "the file"


@pytest.mark.parametrize(
    "content",
    [b"", b" \n\t\r\n", gzip.compress(b""), gzip.compress(b"\n")],
    ids=["empty", "blank", "empty packed", "blank packed"],
)
def test_nothing_is_refused(content: bytes) -> None:
    with pytest.raises(
        IntakeError, match="^the file x is empty; choose a file that holds a table$"
    ):
        read_dataset(content, name="x")


def test_what_is_too_large_says_what_a_visitor_can_do_and_what_only_the_operator() -> None:
    """A visitor of the app was told to raise a limit that nobody can raise there."""
    book = workbook([["a", "b"], [1, 2]])
    refusals = [
        (b"a,b\n1,2\n", Limits(upload_bytes=7)),
        (b"a,b\n1,2\n", Limits(columns=1)),
        (b"a\n1\n2\n", Limits(rows=1)),
        (b"a,b\n1,2\n1,3\n", Limits(cells=3)),
        (gzip.compress(b"0" * 1000), Limits(decompressed_bytes=999)),
        (book, Limits(decompressed_bytes=999)),
    ]
    for content, limits in refusals:
        with pytest.raises(IntakeError) as told:
            read_dataset(content, limits=limits)
        assert told.value.remedy.endswith(ELSEWHERE)
        assert "columns" in told.value.remedy or "rows" in told.value.remedy
        assert "raise the limit" not in str(told.value)
    assert "a machine of your own" in ELSEWHERE
    assert "only its operator can raise a limit" in ELSEWHERE


def test_whether_a_file_may_be_text_is_told_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and more")
    for other in (path, b"PAR1", b"%PDF-1.7", b"PK\x03\x04", b'[{"a": 1}]'):
        assert not may_be_text(other)
    path.write_bytes("größe;gewicht\n1;2\n".encode("utf-16"))
    for text in (path, b"a,b\n1\n", tmp_path / "absent"):
        assert may_be_text(text)


def test_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n1,2\n")
    for source in (path, path.read_bytes()):
        with pytest.raises(
            IntakeError, match="has 8 bytes, more than the limit of 7 bytes; upload"
        ):
            open_source(source, "", Limits(upload_bytes=7))
    with pytest.raises(IntakeError, match="unfolds to more than 999 bytes"):
        open_source(gzip.compress(b"0" * 1000), "", Limits(decompressed_bytes=999))


def test_a_path_that_cannot_be_read_is_explained(tmp_path: Path) -> None:
    with pytest.raises(IntakeError, match=r"^the file no.csv cannot be read \(no such file"):
        open_source(tmp_path / "no.csv", "", DEFAULT_LIMITS)
    with pytest.raises(IntakeError, match=r"cannot be read \(is a directory\); check its path"):
        open_source(tmp_path, "", DEFAULT_LIMITS)


def test_anything_else_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(InvalidArgument, match="^source must be bytes or a Path, got 'str'"):
        open_source("a.csv", "", DEFAULT_LIMITS)  # type: ignore[arg-type]


def test_a_damaged_package_is_refused_where_no_row_decides() -> None:
    packed = gzip.compress(b"a,b\n1,2\n" * 50)[:-20]
    with pytest.raises(IntakeError, match="the file"):
        open_source(packed, "", DEFAULT_LIMITS)
    assert open_source(packed, "", DEFAULT_LIMITS, is_record=True).content == packed


@pytest.mark.parametrize(
    ("begins", "what"),
    [
        ("labels 1 -1\n1 0.9 0.1\n", "libsvm answers"),
        ("1 1:0.5 3:2\n0 2:1\n", "libsvm reads"),
        ("-1 ex1|f age:30\n", "Vowpal Wabbit"),
        ("__label__a 0.9 __label__b 0.1\n", "fastText"),
        ("=== Predictions on test data ===\n", "Weka prints"),
        ("structure(list(y = c(0L)))", "dput"),
        ("     +-------+\n     | y   p |\n", "Stata"),
        ("-[ RECORD 1 ]----\nlabel | 1\n", "every cell has a line"),
        ("50 × 2 DataFrame\n".replace(" × ", "×"), "as it is printed"),
        ("- label: 1\n  score: 0.5\n", "names with their values"),
        ("label=1 score=0.5\n", "names with their values"),
        ("age: 49, ill: yes\nage: 50, ill: no\n", "names with their values"),
        ("label,score\n(1, 0.5)\n(0, 0.25)\n", "rows stand in brackets"),
        ("label;score\r\n[1; 0,5],\r\n", "rows stand in brackets"),
        ("label = 1\r\nscore = 0.5\r\n\r\n", "every cell has a line"),
        ("inst#,actual,predicted,error,distribution\n", "one name for the scores"),
        ("id,annotations.0.completed_by\n", "Label Studio"),
        ("ORC\x11\n", "an ORC file"),
        ("12345678DUCK", "a DuckDB database"),
        ("MATLAB 5.0 MAT-file, Platform\n", "a MATLAB file"),
        ("Traceback (most recent call last):\n", "an error of Python"),
        ("From: a@example.org\nSubject: scores\n", "an e-mail"),
        ('#!/usr/bin/env python\n"""Scores."""\nimport os\n', "a program"),
        ("'data.frame':\t9 obs. of  2 variables:\n", "R's str"),
        ("{\\rtf1\\ansi text}", "a word processor"),
        ("HyPe\x01", "Tableau"),
        ("Here it is:\n\n```json\n[]\n```\n", "JSON within a text"),
        ("y & p \\\\\n1 & 0.5 \\\\\n", "LaTeX"),
        ("||y||p||\n|1|0.5|\n", "Jira"),
        ("y~p\n1~0.5\n", "none of commas"),
        ("2026-01-02 12:00:01 INFO {}\n", "a log"),
        ("   y   p\n0  1 0.5\n.. ..  ..\n59 0 0.25\n", "without its middle"),
        ("1\x010.5\n", "Hive"),
        ("y\x1fp\n1\x1f0.5\n", "Hive"),
        ("┌───┬───┐\n│ y │ p │\n├───┼───┤\n│ 1 │ 0 │\n│ · │ · │\n", "perhaps not all"),
        ("shape: (99, 2)\n┌───┬───┐\n│ y ┆ p │\n╞═══╪═══╡\n│ … ┆ … │\n", "perhaps not all"),
        ("y\tRF (yes)\nno yes\tcontinuous\nclass\tmeta\nno\t0.5\n", "three lines above"),
        ("RF (yes)\ty\r\nc\td\r\n\tclass\r\n0.5\tno\r\n", "three lines above"),
    ],
)
def test_what_programs_print_without_a_table_is_called_by_its_name(begins: str, what: str) -> None:
    with pytest.raises(IntakeError, match=what):
        refuse_foreign(begins.encode(), "the file")
    refuse_foreign(f"label,score\n{begins}".encode(), "the file")


ANSWERS = [
    b"404",
    b"404\n",
    b"404: Not Found",
    b"Not Found\n",
    b"403 Forbidden",
    b"HTTP/1.1 502 Bad Gateway\r\n",
    b"Access denied.",
    b'{"error": "not found", "status": 404}',
    b'{"message":"Not Found","documentation_url":"https://docs.example.org"}',
    b'{"error":{"code":401,"message":"Invalid credentials"},"id":7}\n',
    b'{"errors":[{"code":404,"message":"not found"}]}',
    b'{"timestamp": "2024-01-01",\n "status": 500,\n "error": "Internal Server Error"}',
]


@pytest.mark.parametrize("content", ANSWERS)
def test_what_a_server_says_instead_of_the_file_is_called_so(content: bytes) -> None:
    for read in (read_dataset, read_predictions):
        with pytest.raises(IntakeError, match="^the file is what a web server says instead"):
            read(content)


@pytest.mark.parametrize(
    "page", [b"<!-- saved -->\n<html>", b"<body>\n<p>no</p>", b"<Error><Code>403</Code></Error>"]
)
def test_a_page_without_its_usual_beginning_is_one_too(page: bytes) -> None:
    with pytest.raises(IntakeError, match="is a web page or XML, not a table"):
        read_dataset(page)


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"404\n405\n410\n", ["column_1"]),
        (b'{"message": "win", "label": 1}\n{"message": "hi", "label": 0}', ["message", "label"]),
        (b'{"message": ["a", "b"], "code": [1, 0]}', ["message", "code"]),
        (b'[{"error": 0.5, "status": 1}, {"error": 0.25, "status": 0}]', ["error", "status"]),
        (b'{"error": 0.5, "status": 1}\n{"error": 0.25, "status": 0}', ["error", "status"]),
    ],
)
def test_records_that_speak_of_errors_are_no_answer(content: bytes, columns: list[str]) -> None:
    assert [*read_dataset(content).frame] == columns


def test_what_a_declared_file_is_refused_for_stands_in_its_header() -> None:
    """No record makes a table of Orange, or of SPSS, of one that is declared."""
    told, schema = Dialect(delimiter="\t"), Schema((Categorical("a", ("c", "d")),))
    table = read_dataset(b"a\tb\nc\tc\nclass\t\n", schema=schema, dialect=told).frame
    assert table["a"].tolist() == ["c", "class"]
    with pytest.raises(IntakeError, match="what a web server says"):
        read_dataset(b"Not Found\nc\n", schema=schema, dialect=told)
