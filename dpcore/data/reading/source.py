"""The bytes of an upload, before anybody knows what they mean."""

import codecs
import hashlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from dpcore.data.reading import packed
from dpcore.data.reading.arrow_files import as_parquet, is_arrow
from dpcore.data.reading.limited_process import beginning
from dpcore.data.reading.old_encodings import SCRIPTS, old_encoding
from dpcore.data.reading.problems import DEFAULT_LIMITS, ELSEWHERE, DamagedFile, Limits, byte_size
from dpcore.errors import IntakeError, InvalidArgument

# The four-byte marks come first: that of UTF-32 LE begins with that of UTF-16 LE.
_MARKED = ("utf-8", "utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_MARKS = tuple(("\ufeff".encode(encoding), encoding) for encoding in _MARKED)

_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")

# Decoded piece by piece: as one string, a single wide character would take four times its bytes.
_ENCODINGS_STEP = 2**20

_LOOKED_AT, _FEW_CONTROLS, _MOST_CONTROLS, _MOSTLY_ZERO = 2**16, 5, 0.02, 0.9


def to_utf8(content: bytes, title: str, stated: str | None = None) -> tuple[bytes, str]:
    r"""Recode a text file as UTF-8, without a byte-order mark.

    A byte-order mark decides. Without one the text is UTF-8 if most of it beyond ASCII is, and a
    byte that breaks it spoils its own letter only. If it is not, it is in the old encoding of the
    script that it shows; else Windows-1252, or Latin-1 where it holds one of the five bytes that
    Windows-1252 leaves out.

    Parameters
    ----------
    title
        How the error calls the file.
    stated
        The encoding, if it is known; a mark decides all the same.

    Returns
    -------
    (bytes, str)
        The text in UTF-8, and the name of the encoding that it had.

    Raises
    ------
    IntakeError
        If the file is not text: NUL bytes, many control characters, or a mark that it breaks.

    Examples
    --------
    >>> to_utf8("é".encode("latin-1"), "the file")
    (b'\xc3\xa9', 'windows-1252')
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            family = encoding.removesuffix("-le").removesuffix("-be")
            text = _recoded(content[len(mark) :], encoding, title)
            return _checked(text, title), f"{family} with byte-order mark"
    if stated is not None and not stated.endswith("mark"):
        return _checked(_recoded(content, stated, title), title), stated
    if wide := _wide(content):
        return _checked(_recoded(content, wide, title), title), wide.removesuffix("-le")
    _checked(content, title)
    broken = sum(text.count("\ufffd") for text in _decoded(content, "utf-8", "replace"))
    if not broken:
        return content, "utf-8"
    name, beyond = old_encoding(content), len(content.translate(None, bytes(range(128))))
    # Two bytes of a Korean word may be a letter of UTF-8 by chance; most are not.
    if broken * (10 if name in SCRIPTS else 2) < beyond:
        name = "utf-8"
    return _recoded(content, name, title, "replace"), name


def _wide(content: bytes) -> str:
    """UTF-16 without its mark: every other byte of a plain text is zero then."""
    start = content[:_LOOKED_AT]
    zeros = [half.count(0) / max(len(half), 1) for half in (start[0::2], start[1::2])]
    if len(content) % 2 or min(zeros) > 0.0 or max(zeros) < _MOSTLY_ZERO:
        return ""
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"


def _decoded(content: bytes, encoding: str, errors: str = "strict") -> Iterator[str]:
    """The text of some bytes, piece by piece."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for start in range(0, len(content), _ENCODINGS_STEP):
        held = len(decoder.getstate()[0])
        piece = content[start : start + _ENCODINGS_STEP]
        try:
            yield decoder.decode(piece, final=start + _ENCODINGS_STEP >= len(content))
        except UnicodeDecodeError as error:
            error.start += start - held
            raise


def _recoded(content: bytes, encoding: str, title: str, errors: str = "strict") -> bytes:
    text = io.BytesIO()
    try:
        for piece in _decoded(content, encoding, errors):
            text.write(piece.encode())
    except UnicodeDecodeError as error:
        what = f"{title} is said to be {encoding} but byte {error.start + 1} breaks it"
        raise IntakeError(what, remedy="save it again as UTF-8") from error
    return text.getvalue()


def _checked(text: bytes, title: str) -> bytes:
    nul = text.find(b"\0")
    if nul >= 0:
        ends = (text.count(end, 0, nul) for end in (b"\n", b"\r", b"\r\n"))
        line = next(ends) + next(ends) - next(ends) + 1
        what = f"line {line:,} of {title} holds a NUL byte, so it is not plain text"
        raise IntakeError(what, remedy="save it as UTF-8 text, or choose a CSV or Parquet file")
    start = text[:_LOOKED_AT]
    if len(_CONTROL.findall(start)) > max(_FEW_CONTROLS, _MOST_CONTROLS * len(start)):
        what = f"{title} looks like binary data, not a table"
        raise IntakeError(what, remedy="choose a CSV or Parquet file")
    return text


def require_columns(columns: int, title: str, limits: Limits) -> None:
    """Raise `IntakeError` if a table has too many columns."""
    remedy = "keep the columns that you need"
    _require(columns, limits.columns, f"{title} has {columns:,} columns", remedy)


def require_rows(rows: int, columns: int, title: str, limits: Limits) -> None:
    """Raise `IntakeError` if a table has too many rows or cells."""
    cells = rows * columns
    _require(rows, limits.rows, f"{title} has {rows:,} rows", "upload fewer rows")
    _require(cells, limits.cells, f"{title} has {cells:,} cells", "upload fewer rows or columns")


def _require(number: int, most: int, what: str, remedy: str) -> None:
    if number > most:
        what = f"{what}, more than the limit of {most:,}"
        raise IntakeError(what, remedy=f"{remedy}{ELSEWHERE}")


_SHEETS = re.compile(rb"xl/(workbook\w*|worksheets/\w+)\.xml")

# A first line that is a list by itself is one of many.
_JSON = re.compile(packed.FOREIGN["begins"].encode())


def is_workbook(content: bytes) -> bool:
    """Whether a file is an Excel workbook, by its first bytes and the names within."""
    # What lies packed within may be a workbook too.
    is_archive = content.startswith(packed.ZIP_MAGIC)
    return is_archive and _SHEETS.search(content, *packed.listing(content)) is not None


def is_parquet(content: bytes, *, is_record: bool = False) -> bool:
    """Whether a file is Parquet, by its mark.

    Parameters
    ----------
    is_record
        Whether it may begin with a record. It must have a footer then, too, and nothing between
        them but the columns.

    Examples
    --------
    >>> is_parquet(b"PAR1,0.5"), is_parquet(b"PAR1,0.5", is_record=True)
    (True, False)
    """
    if not (content.startswith(packed.PARQUET_MAGIC) and is_record):
        return content.startswith(packed.PARQUET_MAGIC)
    try:
        return packed.is_filled(pq.read_metadata(pa.BufferReader(content)), content)
    except (pa.ArrowException, OSError):
        return False


def form_of(content: bytes) -> Literal["parquet", "excel", "json", "delimited"]:
    """What a file seems to be, by its first bytes.

    Examples
    --------
    >>> form_of(b'[{"label": 1}]'), form_of(b"label,score"), form_of(b"PAR1")
    ('json', 'delimited', 'parquet')
    """
    if is_parquet(content):
        return "parquet"
    if is_workbook(content):
        return "excel"
    return "json" if _JSON.match(content) and not _FOREIGN[0][0].match(content) else "delimited"


# (what a file begins with, what it is, what to do); what a server answers may look like JSON.
_NO_TABLES = (packed.FOREIGN["answer"], *packed.FOREIGN["files"])
_FOREIGN = [(re.compile(begins.encode()), what, told) for begins, what, told in _NO_TABLES]


def may_be_text(source: bytes | Path) -> bool:
    """Whether somebody could say how a file is written, for it begins like no other kind of file.

    Examples
    --------
    >>> may_be_text(b"label;score"), may_be_text(b"PAR1"), may_be_text(b"%PDF-1.7")
    (True, False, False)
    """
    start = beginning(source, _LOOKED_AT)
    return form_of(start) == "delimited" and not any(one.match(start) for one, *_ in _FOREIGN)


def refuse_foreign(content: bytes, title: str) -> None:
    """Raise `IntakeError` for a file that is known not to be a table, saying what it is."""
    for begins, what, remedy in _FOREIGN:
        if begins.match(content):
            if is_workbook(content):
                what, remedy = "an Excel workbook", "say so, or save the sheet as CSV"
            raise IntakeError(f"{title} is {what}", remedy=remedy)
    if _JSON.match(content):
        remedy = packed.FOREIGN["json"]
        raise IntakeError(f"{title} holds JSON, not a delimited text", remedy=remedy)


@dataclass(frozen=True)
class Source:
    """An upload.

    Parameters
    ----------
    content
        Decompressed.
    compressed
        Whether the upload was a gzip file or a zip archive.
    digest
        SHA-256 of the upload as it arrived, in hexadecimal.
    title
        How sentences call it.
    """

    content: bytes
    compressed: bool
    digest: str
    title: str


def open_source(
    source: bytes | Path, name: str, limits: Limits, *, is_record: bool = False
) -> Source:
    """Load an upload, within the limits, and unpack a gzip file, or a zip archive of one file.

    An Arrow file or stream, which Feather is, becomes Parquet, unless it may begin with a record.

    Parameters
    ----------
    source : bytes or Path
    name : str
        How sentences call the file.
    limits : Limits
    is_record : bool, default False
        Whether the file may begin with a record. It is packed then only if all of it is, with right
        check sums: a record that pretends is a line like any other.

    Raises
    ------
    IntakeError
        If the file is not there, too large, or an archive of no file or of several; or if it is
        empty, unless the first record is the first of its bytes: it holds none then.
    DamagedFile
        If it is packed or an Arrow file, and damaged.
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
    content, most = arrived, limits.decompressed_bytes
    try:
        if arrived.startswith(packed.GZIP_MAGIC):
            content = packed.gunzip(arrived, most, title, whole=is_record)
        elif arrived.startswith(packed.ZIP_MAGIC) and not is_workbook(arrived):
            content = packed.unzip(arrived, most, title, whole=is_record)
    except DamagedFile:
        if not is_record:
            raise
    if not content and not is_record:
        raise IntakeError(f"{title} is empty", remedy="choose a file that holds a table")
    compressed = content is not arrived
    if content.startswith(packed.ARROW_MAGICS) and not is_record and is_arrow(content):
        content = as_parquet(content, title)
    return Source(content, compressed, digest, title)


def whole_file(source: bytes | Path, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """All bytes of a file, read once: another may take its place while it is looked at."""
    return _read_path(source, source.name, limits) if isinstance(source, Path) else source


def _read_path(path: Path, name: str, limits: Limits) -> bytes:
    try:
        _require_size(path.stat().st_size, f"the file {name}", limits)
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        what = f"the file {name} cannot be read ({reason})"
        raise IntakeError(what, remedy="check its path and permissions") from error


def _require_size(size: int, title: str, limits: Limits) -> None:
    if size > limits.upload_bytes:
        most = byte_size(limits.upload_bytes)
        what = f"{title} has {byte_size(size)}, more than the limit of {most}"
        remedy = f"upload fewer rows or columns, or a compressed Parquet file{ELSEWHERE}"
        raise IntakeError(what, remedy=remedy)
