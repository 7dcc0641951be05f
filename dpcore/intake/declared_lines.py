"""Where the header of a declared text stands, and what ends its rows: the header alone says."""

from __future__ import annotations

import codecs
import re

from dpcore.intake.dialect import Dialect

__all__ = ["header_bytes", "header_span", "lines_of", "row_end"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ANNOUNCEMENT = re.compile(r'[ \t\v\f]*"?sep=[\x00-\x7f]?"?[ \t\v\f]*', re.IGNORECASE)
# ASCII only: the header stands at the same place whatever the encoding.
_SPACES = " \t\v\f"


def header_span(text: str, delimiter: str) -> tuple[int, int]:
    r"""Find the first line that is neither blank nor an announcement of the delimiter.

    Parameters
    ----------
    text : str
    delimiter : str
        A line that holds it is not blank, even if it is a tab.

    Returns
    -------
    (int, int)
        Where the line begins, and where it ends, line end included.

    Examples
    --------
    >>> text = "\nsep=;\r\nage;ill\r\n30;yes\r\n"
    >>> start, stop = header_span(text, ";")
    >>> text[start:stop]
    'age;ill\r\n'
    """
    spaces, announced = _SPACES.replace(delimiter, ""), False
    for line in _LINE.finditer(text):
        bare = line[0].rstrip("\r\n")
        if not announced and _ANNOUNCEMENT.fullmatch(bare):
            announced = True
        elif bare.strip(spaces):
            return line.span()
    return len(text), len(text)


def header_bytes(content: bytes, dialect: Dialect) -> bytes:
    r"""The content up to the end of its header: all that may be judged before any row is read.

    Examples
    --------
    >>> header_bytes(b"age,ill\n30,yes\n", Dialect())
    b'age,ill\n'
    """
    marked = dialect.encoding.startswith("utf-8") and content.startswith(codecs.BOM_UTF8)
    start = len(codecs.BOM_UTF8) if marked else 0
    # In every declared encoding a byte below 128 stands for itself, and no other one ends a line.
    _, stop = header_span(content[start:].decode("latin-1"), dialect.delimiter)
    return content[: start + stop]


def row_end(header: str) -> str:
    r"""What ends a row: a carriage return if that ends the header, and else a line feed.

    A row that said so by itself could be many: CSV writers that end rows with a line feed leave a
    carriage return in a cell without quotation marks.

    Parameters
    ----------
    header : str
        With its line end.

    Returns
    -------
    str
        "\n", "\r\n" or "\r". After "\r\n" a line feed by itself ends a row too.

    Examples
    --------
    >>> [row_end(header) for header in ("a,b\n", "a,b\r\n", "a,b\r", "a,b")]
    ['\n', '\r\n', '\r', '\n']
    """
    return next((end for end in ("\r\n", "\n", "\r") if header.endswith(end)), "\n")


def lines_of(text: str, end: str) -> list[str]:
    r"""Cut a text into its rows; only a line without any character is none.

    A row of missing cells may consist of spaces, of tabs, or of one carriage return.

    Parameters
    ----------
    text : str
    end : str
        From `row_end`.

    Examples
    --------
    >>> lines_of("a\tb\n\t\n\nx\ry\tz\r\n", "\n")
    ['a\tb', '\t', 'x\ry\tz']
    """
    if end == "\r\n":
        text = text.replace("\r\n", "\n")
    # A line feed alone is left if lines of both kinds were put together.
    return [line.removesuffix("\r") for line in text.split(end[-1]) if line]
