"""From bytes in some encoding to UTF-8."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator

from dpcore.errors import IntakeError

# The four-byte marks come first: that of UTF-32 LE begins with that of UTF-16 LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")
_LOOKED_AT = 2**16
# Decoded piece by piece: as one string, a single wide character would take four times its bytes.
_STEP = 2**20
_FEW_CONTROLS = 5
_UNDEFINED = (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")
_MOST_CONTROLS = 0.02
_MOSTLY_ZERO = 0.9


def to_utf8(content: bytes, title: str, stated: str | None = None) -> tuple[bytes, str]:
    r"""Recode a text file as UTF-8, without a byte-order mark.

    A byte-order mark decides. Without one the text is UTF-8 if it is valid UTF-8; if not, it is
    Windows-1252, or Latin-1 where it holds one of the five bytes that Windows-1252 leaves out.

    Parameters
    ----------
    content : bytes
    title : str
        How the error calls the file.
    stated : str, optional
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
    try:
        for _ in _decoded(content, "utf-8"):
            pass
    except UnicodeDecodeError:
        return _recoded_from_one_byte(content, title)
    return content, "utf-8"


def _wide(content: bytes) -> str:
    """UTF-16 without its mark: every other byte of a plain text is zero then."""
    start = content[:_LOOKED_AT]
    halves = start[0::2], start[1::2]
    zeros = [half.count(0) / max(len(half), 1) for half in halves]
    if len(content) % 2 or min(zeros) > 0.0 or max(zeros) < _MOSTLY_ZERO:
        return ""
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"


def _decoded(content: bytes, encoding: str) -> Iterator[str]:
    """The text of some bytes, piece by piece."""
    decoder = codecs.getincrementaldecoder(encoding)()
    for start in range(0, len(content), _STEP):
        held = len(decoder.getstate()[0])
        piece = content[start : start + _STEP]
        try:
            yield decoder.decode(piece, final=start + _STEP >= len(content))
        except UnicodeDecodeError as error:
            error.start += start - held
            raise


def _recoded(content: bytes, encoding: str, title: str) -> bytes:
    text = io.BytesIO()
    try:
        for piece in _decoded(content, encoding):
            text.write(piece.encode())
    except UnicodeDecodeError as error:
        raise IntakeError(
            f"{title} is said to be {encoding} but byte {error.start + 1} breaks it",
            remedy="save it again as UTF-8",
        ) from error
    return text.getvalue()


def _recoded_from_one_byte(content: bytes, title: str) -> tuple[bytes, str]:
    # Of these bytes Windows-1252 has none.
    if any(byte in content for byte in _UNDEFINED):
        return _recoded(content, "latin-1", title), "latin-1"
    return _recoded(content, "cp1252", title), "windows-1252"


def _checked(text: bytes, title: str) -> bytes:
    nul = text.find(b"\0")
    if nul >= 0:
        ends = (text.count(end, 0, nul) for end in (b"\n", b"\r", b"\r\n"))
        line = next(ends) + next(ends) - next(ends) + 1
        raise IntakeError(
            f"line {line:,} of {title} holds a NUL byte, so it is not plain text",
            remedy="save it as UTF-8 text, or choose a CSV or Parquet file",
        )
    start = text[:_LOOKED_AT]
    if len(_CONTROL.findall(start)) > max(_FEW_CONTROLS, _MOST_CONTROLS * len(start)):
        raise IntakeError(
            f"{title} looks like binary data, not a table", remedy="choose a CSV or Parquet file"
        )
    return text
