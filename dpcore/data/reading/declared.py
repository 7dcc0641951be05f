"""Tables read as their owner declares them: no row has a say in how another one is read."""

import codecs
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import pandas as pd
import pyarrow as pa

from dpcore import _check
from dpcore.data.reading.declared_lines import CODECS, Lines, lines_of, read_header
from dpcore.data.reading.dialect import FORMATS, MOST_ABOVE, SEPARATORS, SPACED, UNNAMED, Dialect
from dpcore.data.reading.problems import Limits, Problem, stray_mark
from dpcore.data.reading.source import Source, require_columns, require_rows
from dpcore.data.reading.text_columns import repaired_names
from dpcore.data.reading.workbooks import WrittenNumber, json_rows, sheet_rows
from dpcore.errors import IntakeError, InvalidArgument

# Bytes of a unit, of which a line feed is one: what a line holds moves the units of no other.
WIDE = {"utf-16": 2, "utf-32": 4}
# What such a text begins with, if it says so: first where the high byte comes first.
_MARKS = (codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_LE)
ENCODINGS = (*CODECS, *WIDE)


def check_declared(dialect: Dialect) -> None:
    """Raise `InvalidArgument` if rows cannot be read by themselves under a dialect."""
    if not isinstance(dialect, Dialect):
        raise InvalidArgument("dialect", type(dialect).__name__, "a Dialect")
    if dialect.format == "parquet":
        return
    _check.one_of(FORMATS, **{"dialect.format": dialect.format})
    choices_of: dict[str, Collection[str]] = {"delimiter": SEPARATORS, "encoding": ENCODINGS}
    choices_of |= {"decimal": ".,", "quote": "\"'", "unnamed": UNNAMED}
    for name, known in choices_of.items():
        _check.one_of(tuple(known), **{f"dialect.{name}": getattr(dialect, name)})
    most = 0 if dialect.format == "json" else MOST_ABOVE
    _check.integer_in_range(0, most, **{"dialect.above": dialect.above})
    usual = dialect.quoted and dialect.quote == '"' and not dialect.comment
    if dialect.line_breaks and not (usual and dialect.delimiter not in SPACED):
        requirement = "False unless double marks enclose cells, and without comments"
        raise InvalidArgument("dialect.line_breaks", True, requirement)
    if dialect.unnamed and not (dialect.header and dialect.format == "delimited"):
        requirement = "empty unless the first line of a delimited text names the columns"
        raise InvalidArgument("dialect.unnamed", dialect.unnamed, requirement)
    behind = dialect.header and dialect.comment and dialect.format == "delimited"
    if dialect.commented_header and not behind:
        requirement = "False unless comments of a delimited text have a mark, and its header too"
        raise InvalidArgument("dialect.commented_header", True, requirement)
    if not dialect.header and dialect.format == "json":
        raise InvalidArgument("dialect.header", False, "True, for records in JSON name their cells")


def begins_with_record(dialect: Dialect) -> bool:
    """Whether the first bytes of a file so written are a record's, which may pretend anything.

    Examples
    --------
    >>> begins_with_record(Dialect(header=False)), begins_with_record(Dialect(format="excel"))
    (True, False)
    """
    is_text = dialect.format == "delimited" and not dialect.header and not dialect.above
    return is_text or dialect.format == "json"


def names_first_line(dialect: Dialect) -> bool:
    """Whether no declaration moves the header, if there is one, below the first line of the file.

    Who has not seen the file could make a header of any record so, and what is said of a header
    would tell its cells.

    Examples
    --------
    >>> [names_first_line(Dialect(above=1, header=header)) for header in (True, False)]
    [False, True]
    """
    sought = dialect.above or (dialect.comment and not dialect.commented_header)
    return not (dialect.header and sought) or dialect.format == "json"


def narrowed(source: Source, dialect: Dialect) -> tuple[Source, Dialect]:
    r"""A text in units of several bytes as UTF-8, and its dialect then; any other as it is.

    A text in UTF-16 is a sequence of units of two bytes, and a line ends with the unit of a line
    feed: one line more or less, whatever units it holds, leaves all others as they are. A file that
    is no such sequence is refused for its size, which is public. A mark before a public first line
    says which byte of a unit comes first. Without one it is the low byte; so it is where the first
    line is a record, which could pretend to be a mark and turn all others round.

    Raises
    ------
    IntakeError
        If the file ends within a unit; or if its first line, which names the columns, has neither a
        mark nor what separates names. Read in such units a text of bytes has no line end: all of
        its records would be names of columns, and what is said of names would tell of records.

    Examples
    --------
    >>> wide = Source("a,b\n1,\u20ac\n".encode("utf-16"), False, "", "the file")
    >>> narrowed(wide, Dialect(encoding="utf-16"))[0].content.decode()
    'a,b\n1,€\n'
    """
    if (size := WIDE.get(dialect.encoding)) is None:
        return source, dialect
    if len(source.content) % size:
        what = f"{source.title} ends within a character of {dialect.encoding}"
        raise IntakeError(what, remedy="send or download it again, or declare another encoding")
    first = source.content.partition(b"\n")[0]
    letters = {*first.decode(f"{dialect.encoding}-le", errors="ignore")}
    named = dialect.header and names_first_line(dialect)
    if named and first[:size] not in _MARKS and not letters & {*SEPARATORS}:
        what = f"the first line of {source.title} names no columns in {dialect.encoding}"
        raise IntakeError(what, remedy="declare another encoding, or save it as UTF-8")
    order = "be" if (dialect.header or dialect.above) and first[:size] in _MARKS[:2] else "le"
    text = source.content.decode(f"{dialect.encoding}-{order}", errors="replace")
    narrow = replace(source, content=text.removeprefix("\ufeff").encode())
    return narrow, replace(dialect, encoding="utf-8")


def read_declared(
    source: Source, limits: Limits, dialect: Dialect, names: Sequence[str], *, more: bool = False
) -> tuple[pd.DataFrame, list[Problem]]:
    """Cut a delimited text into cells, all of them texts as they stand in the file.

    Every line is a row, which `Lines` cuts by itself. Lines end as the header does: where that is a
    line feed, a carriage return belongs to its cell.

    Parameters
    ----------
    dialect
        Checked by `check_declared`.
    names
        Names of the columns if the dialect has no header. No row says how many there are, the
        first one least of all: it is a record.
    more
        Whether these are the first columns of perhaps more, if the dialect has no header.

    Returns
    -------
    (DataFrame of texts, list of Problem)
        The problems are about the header only. There may be no rows at all.

    Raises
    ------
    IntakeError
        If the file has no header, or is too large. If cells may hold line breaks, also if it has a
        quotation mark that does not enclose a whole cell: no CSV writer leaves such a mark, and it
        could swallow the rows that follow.
    """
    if not names and (dialect.format == "json" or not dialect.header):
        what = f"{source.title} has no header that says which columns there are"
        remedy = "declare the names of the columns, by their places column_1, column_2 and so on"
        raise IntakeError(what, remedy=remedy)
    if dialect.format in ("excel", "json"):
        return _cells_of_rows(source, limits, dialect, names)
    head = read_header(source.content, dialect, source.title)
    require_columns(len(head.names) if dialect.header else len(names), source.title, limits)
    header, problems = repaired_names(head.names) if dialect.header else (list(names), [])
    cut = replace(head.lines, width=len(header), more=more and not dialect.header)
    if dialect.line_breaks:
        columns = _enclosing_line_breaks(source, head.size, cut)
    else:
        places = range(len(header))
        blocks = [cut.cut(block, places) for block in cut.blocks(source.content, head.size)]
        by_place = ([block[place] for block in blocks] for place in places)
        columns = [pa.chunked_array(cells, pa.large_string()) for cells in by_place]
    require_rows(len(columns[0]), len(header), source.title, limits)
    return pa.table(columns, names=header).to_pandas(), problems


def _cells_of_rows(
    source: Source, limits: Limits, dialect: Dialect, names: Sequence[str]
) -> tuple[pd.DataFrame, list[Problem]]:
    """Cut a workbook or JSON, whose rows say themselves where cells begin and end."""
    header, problems = list(names), list[Problem]()
    if dialect.format == "json":
        rows = json_rows(source, names, whole=dialect.line_breaks)
    else:
        rows = sheet_rows(source, limits, dialect)
        if dialect.header:
            first = next(rows, [])
            # A sheet is as wide as its widest row; how wide the table is, its header says alone.
            while first and not first[-1]:
                first.pop()
            header, problems = repaired_names(first)
    require_columns(len(header), source.title, limits)
    marks, width = frozenset(dialect.missing), len(header)
    comma = dialect.decimal == ","

    def read(cell: str) -> str:
        if cell in marks:
            return ""
        return cell.without_mark() if comma and isinstance(cell, WrittenNumber) else cell

    cut = [[read(cell) for cell in (row + [""] * width)[:width]] for row in rows]
    require_rows(len(cut), width, source.title, limits)
    return pd.DataFrame(cut, columns=header, dtype="str"), problems


def _enclosing_line_breaks(source: Source, start: int, lines: Lines) -> list[pa.Array]:
    """Cut rows whose quoted cells may run over several lines: what a CSV writer wrote, whole.

    A row that a CSV writer wrote has an even number of marks, each at an edge of its cell; a file
    of such rows with any other lines among them is refused or read as the same rows.
    """
    text, cells = _without_quoted(lines.text(source.content[start:]), lines, source.title)
    whole = lines.whole([line.split(lines.dialect.delimiter) for line in lines_of(text, lines.end)])

    def restored(cell: str) -> str:
        return cells[int(cell[1:])] if cells and cell.startswith('"') else cell

    columns = ([restored(row[place]) for row in whole] for place in range(lines.width))
    return [pa.array(column, pa.large_string()) for column in columns]


def _without_quoted(text: str, lines: Lines, title: str) -> tuple[str, list[str]]:
    """Put a mark and a number in place of every quoted cell, and return the cells."""
    edge = re.escape(lines.dialect.delimiter) + lines.end[-1]
    quoted = re.compile(rf'(?<![^{edge}]) *"([^"]*(?:""[^"]*)*)"(?=[{edge}]|\r\n|\r?\Z)')
    cells: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        cells.append(match[1].replace('""', '"'))
        return f'"{len(cells) - 1}'

    text = quoted.sub(put_aside, text)
    if text.count('"') != len(cells):
        raise stray_mark(title)
    return text, cells
