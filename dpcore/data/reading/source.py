"""The bytes of an upload, before anybody knows what they mean."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from dpcore.data.reading.decompress import GZIP_MAGIC, gunzip
from dpcore.data.reading.limits import Limits, byte_size
from dpcore.errors import IntakeError, InvalidArgument


def require_columns(columns: int, title: str, limits: Limits) -> None:
    """Raise `IntakeError` if a table has too many columns."""
    if columns > limits.columns:
        raise IntakeError(
            f"{title} has {columns:,} columns, more than the limit of {limits.columns:,}",
            remedy="keep the columns that you need, or raise the limit",
        )


def require_rows(rows: int, columns: int, title: str, limits: Limits) -> None:
    """Raise `IntakeError` if a table has too many rows or cells."""
    if rows > limits.rows:
        raise IntakeError(
            f"{title} has {rows:,} rows, more than the limit of {limits.rows:,}",
            remedy="upload fewer rows, or raise the limit",
        )
    if rows * columns > limits.cells:
        raise IntakeError(
            f"{title} has {rows * columns:,} cells, more than the limit of {limits.cells:,}",
            remedy="upload fewer rows or columns, or raise the limit",
        )


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


@dataclass(frozen=True)
class Source:
    """An upload.

    Parameters
    ----------
    content : bytes
        Decompressed.
    compressed : bool
        Whether the upload was a gzip file.
    digest : str
        SHA-256 of the upload as it arrived, in hexadecimal.
    title : str
        How sentences call it.
    """

    content: bytes
    compressed: bool
    digest: str
    title: str


def open_source(source: bytes | Path, name: str, limits: Limits) -> Source:
    """Load an upload, within the limits, and undo gzip compression.

    Raises
    ------
    IntakeError
        If the file is not there, is empty, too large, or a damaged gzip file.
    """
    if isinstance(source, Path):
        name = name or source.name
        arrived = _read_path(source, name, limits)
    elif isinstance(source, bytes | bytearray | memoryview):
        arrived = bytes(source)
    else:
        raise InvalidArgument("source", type(source).__name__, "bytes or a Path")
    title = f"the file {name}" if name else "the file"
    _require_size(len(arrived), title, limits)
    digest = hashlib.sha256(arrived).hexdigest()
    compressed = arrived.startswith(GZIP_MAGIC)
    content = gunzip(arrived, limits.decompressed_bytes, title) if compressed else arrived
    if not content or content.isspace():
        raise IntakeError(f"{title} is empty", remedy="choose a file that holds a table")
    return Source(content, compressed, digest, title)


def _read_path(path: Path, name: str, limits: Limits) -> bytes:
    try:
        _require_size(path.stat().st_size, f"the file {name}", limits)
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise IntakeError(
            f"the file {name} cannot be read ({reason})", remedy="check its path and permissions"
        ) from error


def _require_size(size: int, title: str, limits: Limits) -> None:
    if size > limits.upload_bytes:
        raise IntakeError(
            f"{title} has {byte_size(size)}, more than the limit of "
            f"{byte_size(limits.upload_bytes)}",
            remedy="upload a compressed Parquet file or fewer rows, or raise the limit",
        )
