"""How a table was written down, and why its rows do not form one."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Literal, TextIO

from dpcore.data.reading.problems import count_of
from dpcore.errors import IntakeError
from dpcore.schema.cells import Decimal, is_number
from dpcore.schema.signs import MONEY, without_signs

_POINTED, _GROUP = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}"), 3


def sniff_decimal(rows: list[list[str]], delimiter: str) -> Decimal:
    r"""Say which decimal mark a table uses.

    A mark counts where the digits around it cannot be groups of three ("1,5" and "0,123"); between
    several groups ("1.234.567") the other one does. A comma where they can be ("1,234") counts in
    files of semicolons that hold no decimal point; there a point where they can ("1.234") is none
    if a comma counts, nor in amounts of money, nor beside whole numbers below a thousand.

    Examples
    --------
    >>> sniff_decimal([["1,5\u00a0%", "x"]], ";"), sniff_decimal([["1,234", "0.5"]], ";")
    (',', '.')
    >>> sniff_decimal([["1.234", "71,5"]], ";"), sniff_decimal([["0,123", "1"]], "\t")
    (',', ',')
    >>> sniff_decimal([["20.066"], ["845"], ["7"], ["1.280"], ["90"]], ";")
    ','
    """
    # Signs of percent and money belong to no mark.
    cells = [cell.strip() for row in rows for cell in row if "," in cell or "." in cell]
    cells = [one if (one[0] + one[-1]).isdigit() else without_signs(one) for one in cells]
    told = [(cell, is_number(cell, "."), is_number(cell, ",")) for cell in cells]
    sure_points = sum(one and not other for _, one, other in told)
    sure_commas = sum(other and not one for _, one, other in told)
    points = [cell for cell, one, _ in told if one and "." in cell]
    if delimiter != ";" or sure_points != sure_commas:
        return "," if sure_commas > max(sure_points, len(points) * (delimiter != ";")) else "."
    commas = any(other and "," in cell for cell, _, other in told)
    thousands = not sure_points and any(map(_holds_thousands, zip_longest(*rows, fillvalue="")))
    return "," if (commas and not points) or (points and thousands) else "."


def _holds_thousands(column: tuple[str, ...]) -> bool:
    """Whether points stand between thousands: of money, or beside several smaller whole numbers."""
    cells = [cell.strip() for cell in column]
    grouped = [cell for cell in cells if _POINTED.fullmatch(without_signs(cell))]
    small = {cell for cell in cells if cell.isdigit() and len(cell) <= _GROUP}
    return bool(grouped) and (len(small) >= _GROUP or any(map(MONEY.search, grouped)))


if TYPE_CHECKING:
    import _csv

# Ties go to the earlier one: a comma may be a decimal comma, and a bar is rare in prose.
DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas"}

# What terminals draw between cells and around tables, where programs for files write plain marks.
_BARS, _FRAME = re.compile("[│┃║┆┇┊┋╎╏]"), re.compile("[─-╿]")
_RULED = re.compile(r"(?m)^ *[─-╿][ ─-╿-]{2,}\r?$")

# Spaces and tabs, however many, or two at least beside words of a cell with one between them.
WHITE_SPACE, ALIGNED, GAP = " ", "  ", " *\t[ \t]*|  +"
SPACED = (WHITE_SPACE, ALIGNED)

SEPARATORS = {**DELIMITERS, WHITE_SPACE: "white space", ALIGNED: "two or more spaces"}

FORMATS = ("delimited", "parquet", "excel", "json")

# Which cell of every row the header has no name for: R writes the names of rows first, and a mark
# at the end of each row makes an empty last one.
UNNAMED = {"": "none", "first": "the first, a name of the row", "last": "the last"}

# Most lines above a table; a header is sought at the beginning of a file.
MOST_ABOVE = 100

LINE_END = re.compile(rb"\r\n|\n|\r")

_SAMPLE_BYTES, _FRAME_BYTES = 2**17, 2**12
_SAMPLE_LINES, _SAMPLE_ROWS = 5, 1000


@dataclass(frozen=True)
class Dialect:
    """How a table was written down.

    A reader may guess it, from the data and for teaching; or the owner of the data declares it.

    Parameters
    ----------
    format : {"delimited", "parquet", "excel", "json"}, default="delimited"
    delimiter : str, default=","
        Has no meaning for Parquet, as have `encoding` and `decimal`.
    encoding : str, default="utf-8"
        Such as "utf-8" or "windows-1252".
    decimal : str
        "." or ",".
    quoted : bool
        Whether double quotes enclose cells; if not, they are plain characters.
    header : bool
        Whether the first line names the columns.
    line_breaks : bool
        Whether quoted cells may run over several lines; only who declares a dialect says so. If
        not, every line is a row, and a quoted cell ends with its line at the latest. Of JSON,
        whether it is one text of all records, an array or an object of columns.
    compressed : bool
        Whether the file was a gzip file or a zip archive; a declaration need not say so.
    quote : str
        The mark that encloses cells.
    comment : str
        What begins lines that are no rows; empty if nothing does.
    missing : tuple of str
        What counts as a missing cell besides the usual words.
    sheet : str
        The sheet of a workbook; the first one if it is empty and declared.
    unnamed : str
        Where rows have one cell more than the header: "first" if that is a name of the row, "last"
        if each row ends with a mark.
    above : int
        Lines, or rows of a sheet, that stand above the table: dropped before anything is read.
    commented_header : bool
        Whether the first line stands behind the mark of comments and names the columns all the
        same, as NumPy writes it.

    Examples
    --------
    >>> str(Dialect(delimiter=";", decimal=","))
    'separated by semicolons, utf-8, decimal comma'
    """

    format: Literal["delimited", "parquet", "excel", "json"] = "delimited"
    delimiter: str = ","
    encoding: str = "utf-8"
    decimal: Decimal = "."
    quoted: bool = True
    header: bool = True
    compressed: bool = False
    line_breaks: bool = False
    quote: str = '"'
    comment: str = ""
    missing: tuple[str, ...] = ()
    sheet: str = ""
    unnamed: str = ""
    above: int = 0
    commented_header: bool = False

    def __str__(self) -> str:
        compressed = ", packed" if self.compressed else ""
        if self.format == "parquet":
            return f"Parquet{compressed}"
        above = f", below {count_of(self.above, 'line')}" if self.above else ""
        if self.format != "delimited":
            json = "JSON, one text" if self.line_breaks else "JSON lines"
            kind = f"Excel, sheet {self.sheet!r}" if self.format == "excel" else json
            return f"{kind}{above}{'' if self.header else ', no header'}{compressed}"
        decimal = ", decimal comma" if self.decimal == "," else ""
        quotes = ", single quotes" if self.quote == "'" else ""
        quotes = quotes if self.quoted else ", quotation marks as text"
        comments = f", comments after {self.comment}" if self.comment else ""
        comments += ", the header too" if self.commented_header else ""
        header = "" if self.header else ", no header"
        separated = f"separated by {SEPARATORS[self.delimiter]}"
        breaks = ", line breaks in quoted cells" if self.line_breaks else ""
        unnamed = f", {self.unnamed} cell of each row without a name" if self.unnamed else ""
        marks = f"{decimal}{quotes}{breaks}{comments}"
        return f"{separated}, {self.encoding}{marks}{above}{header}{unnamed}{compressed}"


@dataclass(frozen=True)
class Stated:
    """How somebody who sees a file says that it is written; what is None is found out.

    Parameters
    ----------
    delimiter, encoding, decimal, header, quote, comment, sheet, unnamed, above, commented_header
        As of `Dialect`.
    missing
        What counts as a missing cell besides the usual words.

    Examples
    --------
    >>> Stated(header=False).delimiter is None
    True
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: Decimal | None = None
    header: bool | None = None
    quote: str | None = None
    comment: str | None = None
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    unnamed: str | None = None
    above: int | None = None
    commented_header: bool | None = None


NOTHING = Stated()


@dataclass(frozen=True)
class Sniffed:
    """What the beginning of a text file gives away."""

    delimiter: str
    decimal: Decimal
    rows: list[list[str]]
    # The mark that encloses cells; empty if none does.
    quote: str = '"'
    # Whether tabs stand for the white space of the file.
    spaced: bool = False


def sniff(utf8: bytes, *, delimiter: str | None = None, quote: str = '"') -> Sniffed:
    r"""Guess delimiter and decimal mark from the beginning of a text.

    Parameters
    ----------
    utf8
        Not empty, and beginning with its first row.
    delimiter
        If it is known.
    quote
        The mark that encloses cells; empty if none does.

    Examples
    --------
    >>> sniffed = sniff(b"age;weight\n30;71,5\n41;80,25\n")
    >>> sniffed.delimiter, sniffed.decimal
    (';', ',')
    """
    # A few lines at least, however long they are.
    ends = (match.end() for match in islice(LINE_END.finditer(utf8), _SAMPLE_LINES))
    size = max(_SAMPLE_BYTES, *ends, 0)
    sample, cut = utf8[:size].decode(errors="ignore"), len(utf8) > size
    marks = DELIMITERS if delimiter is None else {delimiter: ""}
    split = {mark: _split(sample, mark, quote, cut) for mark in marks}
    if delimiter is None:
        delimiter = max(split, key=lambda mark: consistency(split[mark]))
        if consistency(split[delimiter]) == 0.0:
            delimiter = ","
    rows = split[delimiter]
    return Sniffed(delimiter, sniff_decimal(rows, delimiter), rows, quote)


def split_rows(sample: str, delimiter: str, quote: str = '"') -> list[list[str]]:
    """Some rows as lists of cells; white space is cut wherever it stands."""
    if delimiter == WHITE_SPACE:
        return [line.split() for line in sample.splitlines() if line.strip()]
    return _split(sample, delimiter, quote, cut=False)


def with_plain_bars(line: str) -> str:
    """A line with plain bars between its cells, if all of them are drawn.

    Examples
    --------
    >>> with_plain_bars("\u2502 yes \u2506 0.9 \u2502"), with_plain_bars("a \u2502 b|c")
    ('| yes | 0.9 |', 'a \u2502 b|c')
    """
    return line if "|" in line else _BARS.sub("|", line)


def plainly_drawn(text: bytes) -> bytes:
    """A table in plain bars and lines, if one of its first lines is drawn."""
    if not _RULED.search(text[:_FRAME_BYTES].decode(errors="ignore")):
        return text
    return _FRAME.sub("-", "\n".join(map(with_plain_bars, text.decode().split("\n")))).encode()


def after_lines(text: bytes, count: int) -> int:
    r"""Where begins what follows so many lines; at the end if there are fewer.

    Examples
    --------
    >>> after_lines(b"Ward 7\r\nage,ill\r\n", 1), after_lines(b"Ward 7", 2)
    (8, 6)
    """
    ends = [0, *(end.end() for end in islice(LINE_END.finditer(text), count))]
    return ends[count] if count < len(ends) else len(text)


def wider(rows: list[list[str]]) -> int:
    """The commonest number of cells, if it is more than one; else 0."""
    counted = Counter(len(row) for row in rows).most_common(1)
    return counted[0][0] if counted and counted[0][0] > 1 else 0


def _cell_reader(lines: TextIO, delimiter: str, quote: str, strict: bool = False) -> _csv.Reader:
    """Read lines as lists of cells."""
    read = partial(csv.reader, lines, delimiter=delimiter, skipinitialspace=True)
    return read(strict=strict, quotechar=quote) if quote else read(quoting=csv.QUOTE_NONE)


def _split(sample: str, delimiter: str, quote: str, cut: bool) -> list[list[str]]:
    rows: list[list[str]] = []
    reader = _cell_reader(io.StringIO(sample, newline=""), delimiter, quote)
    # A cell longer than the csv module takes ends the sample.
    with suppress(csv.Error):
        rows.extend(row for row in islice(reader, _SAMPLE_ROWS) if row)
    # The last row of a cut sample is probably not whole.
    return rows[:-1] if cut and 1 < len(rows) < _SAMPLE_ROWS else rows


def is_full(cells: list[str]) -> bool:
    """Whether cells can be the names of as many columns: each has its own."""
    return len(cells) == len({cell.strip() for cell in cells} - {""})


def consistency(rows: list[list[str]]) -> float:
    """Share of rows with the commonest number of cells; 0 if that is one cell."""
    width = wider(rows)
    return sum(len(row) == width for row in rows) / len(rows) if width else 0.0


def quotation_error(utf8: bytes, delimiter: str) -> int:
    r"""Find a quotation mark that opens a cell and does not close it properly.

    Returns
    -------
    int
        Line on which the row with the first such mark begins, counted from 1; 0 if there is none.

    Examples
    --------
    >>> quotation_error(b'a,b\n1,"two"\n2,"three" or four\n', ",")
    3
    """
    begins = 1
    lines = io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="")
    reader = _cell_reader(lines, delimiter, '"', strict=True)
    try:
        for _ in reader:
            begins = reader.line_num + 1
    except csv.Error:
        return begins
    return 0


def explain_ragged(utf8: bytes, sniffed: Sniffed, header: bool, first_line: int) -> IntakeError:
    """Find the first row with too few or too many cells.

    Parameters
    ----------
    utf8
        The text from its first row on.
    header
        Whether the first row names the columns.
    first_line
        Line of the file on which the text begins.

    Returns
    -------
    IntakeError
        Names the data row, the line of the file, both numbers of cells and the remedy.
    """
    lines = io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="")
    reader = _cell_reader(lines, sniffed.delimiter, sniffed.quote)
    expected, row, begins = len(sniffed.rows[0]), -int(header), first_line
    try:
        for cells in reader:
            row += bool(cells)
            if cells and len(cells) != expected:
                break
            begins = first_line + reader.line_num
        else:
            what = "the rows of the file do not all have the same number of cells"
            remedy = "open it in a spreadsheet, check its rows and save it as CSV again"
            return IntakeError(what, remedy=remedy)
    except csv.Error:
        return unclosed_quote(begins)
    if any("\n" in cell and sniffed.delimiter in cell for cell in cells):
        return unclosed_quote(begins)
    whose = "the header" if header else "the first row"
    mark = SEPARATORS[WHITE_SPACE if sniffed.spaced else sniffed.delimiter]
    remedy = "complete the row or remove it"
    if len(cells) > expected:
        remedy = f"put cells that contain {mark} in double quotes, or remove the extra cells"
    found = f"this data row (line {begins:,} of the file) has {count_of(len(cells), 'cell')}"
    return IntakeError(f"{found} where {whose} has {expected:,}", row=max(row, 1), remedy=remedy)


def unclosed_quote(line: int) -> IntakeError:
    """Say where the quotation mark stands that swallows what comes after it."""
    where = f"that opens on line {line:,} of the file does not close where its cell ends"
    remedy = "close it there, double it if it belongs to the text, or remove it"
    return IntakeError(f"a quotation mark {where}", remedy=remedy)
