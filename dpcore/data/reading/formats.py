"""Files that are no table, and what to do with each."""

from __future__ import annotations

import re

from dpcore.errors import IntakeError

PARQUET_MAGIC = b"PAR1"
_EXPORT = "open it where it was made and export the table as CSV"
_UNPACK = "unpack it and upload the table inside"
_SPREADSHEET = "save the sheet as CSV and upload that"

# (first bytes, what the file is, what to do)
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", "choose a CSV or Parquet file"),
    (b"\xff\xd8\xff", "a JPEG picture", "choose a CSV or Parquet file"),
    (b"GIF8", "a GIF picture", "choose a CSV or Parquet file"),
    (b"%PDF", "a PDF document", _EXPORT),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", _SPREADSHEET),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"PK\x05\x06", "an empty zip archive", "choose a CSV or Parquet file"),
    (b"\x1f\x8b", "compressed twice", "unpack it once and upload the result"),
    (b"BZh", "a bzip2 archive", "unpack it, or use gzip"),
    (b"\xfd7zXZ", "an xz archive", "unpack it, or use gzip"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it, or use gzip"),
    (b"7z\xbc\xaf", "a 7z archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"ARROW1", "an Arrow file", "save the table as Parquet"),
    (b"FEA1", "a Feather file", "save the table as Parquet"),
    (b"\x89HDF", "an HDF5 file", "save the table as Parquet or CSV"),
    (b"\x93NUMPY", "a NumPy array", "save the table as Parquet or CSV"),
    (b"SQLite format 3\0", "an SQLite database", "export one table as CSV"),
    (b"\x7fELF", "a program", "choose a CSV or Parquet file"),
    (b"MZ\x90", "a program", "choose a CSV or Parquet file"),
)
_PICKLE = re.compile(rb"\x80[\x02-\x05][\x8a\x95(c}\]]")
_HTML = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype html|html|\?xml)", re.IGNORECASE)
_JSON = re.compile(rb'(\xef\xbb\xbf)?\s*(\{\s*"|\[\s*[\[{])')


def refuse_foreign(content: bytes, title: str) -> None:
    """Raise `IntakeError` for a file that is known not to be a table, saying what it is."""
    for signature, what, remedy in _SIGNATURES:
        if content.startswith(signature):
            if what == "a zip archive" and b"xl/" in content[:4096]:
                what, remedy = "an Excel workbook", _SPREADSHEET
            raise IntakeError(f"{title} is {what}", remedy=remedy)
    if _PICKLE.match(content):
        raise IntakeError(
            f"{title} is a Python pickle, which could run code when it is opened",
            remedy="save the table as Parquet or CSV",
        )
    if _HTML.match(content):
        raise IntakeError(f"{title} is a web page or XML, not a table", remedy=_EXPORT)
    if _JSON.match(content):
        raise IntakeError(f"{title} holds JSON, not a table", remedy="convert it to CSV")
