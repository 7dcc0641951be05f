"""Excel sheets and JSON, written out as delimited text that every reader understands."""

import codecs
import csv
import io
import lzma
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from itertools import chain, islice, pairwise
from typing import Any, Literal

from dpcore.data.reading.dialect import MOST_ABOVE, Dialect, Stated, after_lines, sniff_decimal
from dpcore.data.reading.json_text import json_records, record_of
from dpcore.data.reading.nested_cells import flat
from dpcore.data.reading.packed import unfolds_too_far
from dpcore.data.reading.problems import Limits, listed
from dpcore.data.reading.source import Source, is_workbook, require_columns, require_rows
from dpcore.errors import IntakeError
from dpcore.schema.cell_arrays import called
from dpcore.schema.cells import Decimal, shown

_A_TABLE = 3
# Of a sheet that is looked for: a cover, a pivot table or a list of columns has fewer rows.
_MANY_ROWS = 100


@dataclass(frozen=True)
class Written:
    """A table of another form as comma-separated text.

    Parameters
    ----------
    source
        With the text in place of the content.
    sheet
        Its name in the workbook.
    sheets
        All that the workbook has.
    above
        Rows that were dropped before; None if any above the table are to be found.
    decimal
        What people typed in cells of text; cells of numbers have no mark then.
    line_breaks
        Whether JSON is one text of all records.
    """

    source: Source
    form: Literal["excel", "json"]
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    above: int | None = None
    decimal: Decimal = "."
    line_breaks: bool = False

    def known(self, stated: Stated) -> Stated:
        """What is known of the text besides what is stated."""
        header = True if self.form == "json" else stated.header
        told = Stated(",", "utf-8", ".", header, '"', stated.comment or "", None, stated.missing)
        return replace(told, decimal=self.decimal, above=None if self.above is None else 0)

    def dialect(self, found: Dialect) -> Dialect:
        """How the table was written before it was written out."""
        above, compressed = self.above, self.source.compressed
        if above is None:
            # A row is several lines of the text where a cell of it is.
            text = self.source.content[: after_lines(self.source.content, found.above)].decode()
            above = sum(1 for _ in csv.reader(io.StringIO(text, newline="")))
        told = replace(found, format=self.form, sheet=self.sheet, compressed=compressed)
        return replace(told, above=above, line_breaks=self.line_breaks)


def written_out(source: Source, limits: Limits, stated: Stated | None = None) -> Written:
    r"""Write a workbook or JSON out as text.

    Parameters
    ----------
    source : Source
    limits : Limits
    stated : Stated, optional
        If given, which sheet is meant is guessed by its size, and scores that say of which class
        they are get its name. The digest of a table does without.

    Raises
    ------
    IntakeError
        If the file is damaged, too large, or nested.

    Examples
    --------
    >>> lines = b'{"label": 1, "score": 0.5}\n{"score": 0.25, "label": 0}\n'
    >>> written_out(Source(lines, False, "", "the file"), Limits()).source.content
    b'label,score\r\n1,0.5\r\n0,0.25\r\n'
    """
    if is_workbook(source.content):
        return _excel(source, limits, stated)
    return _json(source, limits, by_class=stated is not None)


@contextmanager
def _workbook(source: Source, limits: Limits) -> Iterator[Any]:
    """An open workbook; whatever is wrong within is one sentence about all of it."""
    # Half a second of start-up, which only a workbook is worth.
    from dpcore.data.reading import sheet_cells

    _require_unpacked(source, limits)
    try:
        with warnings.catch_warnings():
            # What openpyxl thinks of styles, and of dates that are none, is nobody's business.
            warnings.simplefilter("ignore")
            book = sheet_cells.Book(io.BytesIO(source.content), read_only=True)
            book.read()
            yield book
    except IntakeError:
        raise
    # A workbook is a folder of XML, and whatever is wrong with it is wrong somewhere in there.
    except Exception as error:
        what = f"{source.title} is a damaged Excel workbook, or one behind a password"
        remedy = "open it in a spreadsheet and save the sheet as CSV"
        raise IntakeError(what, remedy=remedy) from error


def sheet_rows(source: Source, limits: Limits, dialect: Dialect) -> Iterator[list[str]]:
    """The rows of the declared sheet, or the first, as texts; one without any cell is none.

    Nothing but a row itself decides what becomes of it.

    Raises
    ------
    IntakeError
        If the file is no workbook, is damaged, or has no such sheet.
    """
    sheet = dialect.sheet
    with _workbook(source, limits) as book:
        names = list(book.sheets)
        if not names or (sheet and sheet not in names):
            what = f"the workbook has no sheet {sheet!r}" if sheet else "the workbook has no sheet"
            raise IntakeError(what, remedy="declare one that it has")
        for row in islice(book.rows(sheet or names[0]), dialect.above, None):
            cells = [_spelled(cell) for cell in row]
            if any(cells):
                yield cells


def header_of_sheet(source: Source, limits: Limits, dialect: Dialect) -> bytes:
    """A workbook of the header of the declared sheet alone, in its place."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet(dialect.sheet or "rows")
    for _ in range(dialect.above):
        sheet.append([])
    rows = sheet_rows(source, limits, dialect)
    if dialect.header:
        sheet.append(next(rows, []))
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def json_rows(source: Source, names: Sequence[str], *, whole: bool = False) -> Iterator[list[str]]:
    r"""The cells of the named columns in each record, an object that is read by itself.

    One that is none has no cells, like a row of another length; those of a list or an object within
    are named as `flat` says. Only an empty line is no row. A byte-order mark before a line, of
    which the first may have one, is no part of it.

    Parameters
    ----------
    whole
        Whether the records are those of one JSON text; if not, every line is one.

    Raises
    ------
    IntakeError
        If the whole is neither an array, nor an object of columns, nor holds one list.

    Examples
    --------
    >>> lines = b'{"label": 1, "score": 0.5}\n{"label": [2]}\n1\n'
    >>> list(json_rows(Source(lines, False, "", "the file"), ["score", "label"]))
    [['0.5', '1'], ['', ''], ['', '']]
    >>> array = Source(b'[{"label": 1, "score": 0.5}, 1]', False, "", "the file")
    >>> list(json_rows(array, ["score", "label"], whole=True))
    [['0.5', '1'], ['', '']]
    """
    records: Iterable[object]
    if whole:
        text = source.content.removeprefix(codecs.BOM_UTF8).decode(errors="replace")
        try:
            records = json_records(text, names)
        except ValueError as error:
            raise _no_records(source.title) from error
    else:
        lines = (line for line in source.content.split(b"\n") if line.strip())
        records = (record_of(line.decode(errors="replace")) for line in lines)
    for record in records:
        found = flat(record, by_class=True) | flat(record)
        yield [_spelled(found.get(called(name, found))) for name in names]


def _excel(source: Source, limits: Limits, stated: Stated | None) -> Written:
    sheet, above = (stated or Stated()).sheet, (stated or Stated()).above
    with _workbook(source, limits) as book:
        names, most = list(book.sheets), _A_TABLE if stated is None else _MANY_ROWS
        chosen = sheet if sheet and sheet in names else _first_filled(book, names, most)
        held = (list(map(_spelled, row)) for row in islice(book.rows(chosen), above or 0, None))
        rows = [*_trimmed(held)]
    typed = ([cell for cell in row if type(cell) is str] for row in rows[:_MANY_ROWS])
    decimal: Decimal = "." if stated is None else sniff_decimal([*typed], ",")
    if decimal == ",":
        rows = [[getattr(cell, "without_mark", cell.strip)() for cell in row] for row in rows]
    text = _csv(rows, source.title, limits)
    written = Written(replace(source, content=text), "excel", chosen, tuple(names), above, decimal)
    if not text.strip(b",\r\n "):
        what = f"the sheet {chosen!r} of {source.title} is empty"
        error = IntakeError(what, remedy="choose another sheet")
        error.tell(sheets=written.sheets, dialect=written.dialect(Dialect()))
        raise error
    return written


def _require_unpacked(source: Source, limits: Limits) -> None:
    """A small workbook may unfold into a huge one; and each part is what was saved.

    The check sums of a workbook are right whatever its rows say, so who must not learn of rows may
    learn that one is wrong. Without it a damaged row would be found on the way, and told by none.
    """
    damaged = f"{source.title} is a damaged Excel workbook"
    remedy = "send or download it again, or save the sheet as CSV where it was made"
    try:
        with zipfile.ZipFile(io.BytesIO(source.content)) as packed:
            size = sum(one.file_size for one in packed.infolist())
            part = packed.testzip() if size <= limits.decompressed_bytes else None
    except zipfile.BadZipFile as error:
        what = f"{damaged}: it was cut short, or its end is lost"
        raise IntakeError(what, remedy=remedy) from error
    # A part that cannot be unfolded, or is locked.
    except (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError) as error:
        raise IntakeError(f"{damaged}, or one behind a password", remedy=remedy) from error
    if part is not None:
        what = f"{damaged}: its part {shown(part)} is not as it was saved"
        raise IntakeError(what, remedy=remedy)
    if size > limits.decompressed_bytes:
        raise unfolds_too_far(source.title, limits.decompressed_bytes)


def _first_filled(book: Any, names: Sequence[str], most: int) -> str:
    """The first sheet with half as many rows of several cells as any, or more: remarks have few.

    As many rows as `most` are enough.
    """
    if not names:
        raise IntakeError("the workbook has no sheet", remedy="save the table as CSV")

    def rows(name: str) -> int:
        held = islice(book.rows(name), max(most, 50))
        return min(sum(sum(cell is not None for cell in row) > 1 for row in held), most)

    filled = {name: rows(name) for name in names}
    enough = max(filled.values()) / (1 if most == _A_TABLE else 2)
    return next(name for name in names if filled[name] >= enough)


class WrittenNumber(str):
    """A number that is none of the texts of its file: its mark is the point that Python writes."""

    def without_mark(self) -> str:
        """The same number without any mark, which every reader of texts reads alike.

        Examples
        --------
        >>> WrittenNumber("-0.25").without_mark(), WrittenNumber("1.5e-07").without_mark()
        ('-25e-2', '15e-8')
        """
        digits, _, exponent = self.partition("e")
        whole, point, fraction = digits.partition(".")
        if not point:
            return self
        return f"{int(whole + fraction)}e{int(exponent or 0) - len(fraction)}"


def _spelled(cell: object) -> str:
    """One cell as a text file would hold it."""
    match cell:
        case None:
            return ""
        case bool():
            return str(cell).lower()
        case float() if cell.is_integer() and abs(cell) < 2.0**53:
            return str(int(cell))
        case float():
            return WrittenNumber(cell)
        case datetime() | date() | time():
            return cell.isoformat().replace("T00:00:00", "")
    text = str(cell).strip()
    # JSON may hold halves of characters, which no column of texts does.
    return text if text.isascii() else text.encode(errors="replace").decode()


def _trimmed(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Rows that hold something, without the empty cells at the end of all of them.

    Near the top an empty row stays, as an empty line: rows above the table are counted. So does the
    first of several below: what stands behind it may be none of the table's.
    """
    pairs = enumerate(pairwise(chain([[""]], rows)))
    kept = [row for at, (last, row) in pairs if any(row) or any(last) or at < MOST_ABOVE]
    width = max((at + 1 for row in kept for at, cell in enumerate(row) if cell), default=0)
    yield from (row[:width] + [""] * (width - len(row)) if any(row) else [] for row in kept)


def _json(source: Source, limits: Limits, *, by_class: bool) -> Written:
    try:
        text = source.content.decode("utf-8-sig")
        lines = [] if text.lstrip().startswith("[") else text.splitlines()
        records = [record_of(line) for line in lines if line.strip()]
        # One object may be a record by itself, or hold all of them.
        whole = len(records) < 2 or not all(isinstance(one, dict) for one in records)
        records = json_records(text) if whole else records
    except ValueError as error:
        # Those of a decoder hold bytes of the file.
        told = error.args[1:] if type(error) is ValueError else ()
        raise _no_records(source.title, *told) from error
    if {*map(type, records)} not in ({dict}, {list}):
        raise _no_records(source.title)
    found = [flat(one, by_class=by_class) for one in records]
    names = list(dict.fromkeys(name for one in found for name in one))
    if not names:
        raise _no_records(source.title)
    require_columns(len(names), source.title, limits)
    rows = ([_spelled(one.get(name)) for name in names] for one in found)
    content = _csv([names, *rows], source.title, limits)
    return Written(replace(source, content=content), "json", above=0, line_breaks=whole)


def _no_records(title: str, *names: object) -> IntakeError:
    what = f"{title} is no list of JSON objects, one for each row"
    if not names:
        return IntakeError(what, remedy="write one object a line, or convert it to CSV")
    held = f"{what}, but one object of {listed([*map(str, names)])}"
    return IntakeError(held, remedy="save the table alone, without what stands beside it")


def _csv(rows: Iterable[Sequence[str]], title: str, limits: Limits) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for count, row in enumerate(rows):
        require_columns(len(row), title, limits)
        if count % 4096 == 0:
            require_rows(count, len(row), title, limits)
        # Of one column an empty cell is an empty line, and no row.
        writer.writerow(row if len(row) > 1 or any(row) else ())
    return text.getvalue().encode(errors="replace")
