"""From bytes in some encoding to UTF-8."""

from __future__ import annotations

import codecs
import re

from dpcore.errors import IntakeError
from dpcore.intake.dialect import LINE_END

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
_FEW_CONTROLS = 5
_MOST_CONTROLS = 0.02


def to_utf8(content: bytes, title: str) -> tuple[bytes, str]:
    r"""Recode a text file as UTF-8, without a byte-order mark.

    A byte-order mark decides. Without one the text is UTF-8 if it is valid UTF-8; if not, it is
    Windows-1252, or Latin-1 where it holds one of the five bytes that Windows-1252 leaves out.

    Parameters
    ----------
    content : bytes
    title : str
        How the error calls the file.

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
            text = _decoded(content[len(mark) :], encoding, title)
            family = encoding.removesuffix("-le").removesuffix("-be")
            return _checked(text.encode(), title), f"{family} with byte-order mark"
    _checked(content, title)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _recoded_from_one_byte(content)
    return content, "utf-8"


def _decoded(content: bytes, encoding: str, title: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise IntakeError(
            f"{title} begins with the mark of {encoding} but byte {error.start + 1} breaks it",
            remedy="save it again as UTF-8",
        ) from error


def _recoded_from_one_byte(content: bytes) -> tuple[bytes, str]:
    try:
        return content.decode("cp1252").encode(), "windows-1252"
    except UnicodeDecodeError:
        return content.decode("latin-1").encode(), "latin-1"


def _checked(text: bytes, title: str) -> bytes:
    nul = text.find(b"\0")
    if nul >= 0:
        line = len(LINE_END.findall(text, 0, nul)) + 1
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
