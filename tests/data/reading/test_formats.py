"""What is no table is called by its name."""

from __future__ import annotations

import io
import json
import pickle
import zipfile

import numpy as np
import pytest

from dpcore.data.reading.formats import refuse_foreign
from dpcore.errors import IntakeError


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
        (zipped("a.csv"), "is a zip archive; unpack it"),
        (zipped("xl/workbook.xml"), "is an Excel workbook; save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel or Word file; save the sheet as CSV"),
        (b"\x1f\x8b\x08", "is compressed twice"),
        (b"BZh91AY", "is a bzip2 archive"),
        (b"\xfd7zXZ\0", "is an xz archive"),
        (b"SQLite format 3\0", "is an SQLite database; export one table"),
        (npy(), "is a NumPy array"),
        (pickle.dumps({"a": [1]}), "is a Python pickle, which could run code"),
        (pickle.dumps([1], protocol=2), "is a Python pickle"),
        (b"<!DOCTYPE html><html>", "is a web page or XML"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>', "is a web page or XML"),
        (json.dumps([{"a": 1}]).encode(), "holds JSON, not a table; convert it to CSV"),
        (b'{\n  "a": 1}', "holds JSON"),
    ],
)
def test_foreign_files_are_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=f"^the file x {sentence}"):
        refuse_foreign(content, "the file x")


@pytest.mark.parametrize(
    "content", [b"a,b\n1,2\n", b"<b>name</b>,x\n", b"{name},x\n", b"[1],2\n", b"PAR1", b"MZ,b\n"]
)
def test_tables_pass(content: bytes) -> None:
    refuse_foreign(content, "the file x")
