"""Delimited text files as Arrow tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from dpcore.data.reading.dialect import (
    LINE_END,
    NOTHING,
    WHITE_SPACE,
    Dialect,
    Sniffed,
    Stated,
    after_lines,
    explain_ragged,
    quotation_error,
    sniff,
    unclosed_quote,
)
from dpcore.data.reading.edges import without_edges
from dpcore.data.reading.layout import Layout, laid_bare
from dpcore.data.reading.problems import Limits, Problem, limited
from dpcore.data.reading.source import Source, require_columns, require_rows, to_utf8
from dpcore.data.reading.text_columns import (
    has_header,
    is_numbered_name,
    leniently_typed,
    nearly_numeric,
    numbered_names,
    repaired_names,
    typed,
    without_missing,
)
from dpcore.errors import IntakeError
from dpcore.schema.cells import Decimal

# For every column Arrow asks for as much memory as the text has, though it fills little of it.
_AT_ONCE = 2**27

_FEW_BYTES = 2**22


def cut_into_cells(text: bytes, sniffed: Sniffed) -> pa.Table | None:
    r"""Cut a text into cells, the header too.

    Parameters
    ----------
    text : bytes
        UTF-8.
    sniffed : Sniffed

    Returns
    -------
    Table of strings, or None
        None if the rows differ in their number of cells.

    Examples
    --------
    >>> from dpcore.data.reading.dialect import sniff
    >>> cut_into_cells(b"a,b\n1,2", sniff(b"a,b\n1,2")).num_rows
    2
    """
    uneven: list[object] = []

    def stop(row: object) -> str:
        uneven.append(row)
        return "error"

    names = numbered_names(len(sniffed.rows[0]))
    # One block, because Arrow cannot parse a row that is cut by the end of a block.
    reading = arrow_csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=names)
    parsing = arrow_csv.ParseOptions(
        delimiter=sniffed.delimiter,
        quote_char=sniffed.quote if sniffed.quoted else False,
        newlines_in_values=sniffed.quoted,
        invalid_row_handler=stop,
    )
    step = len(names)
    if len(text) <= _FEW_BYTES:
        step = min(max(_AT_ONCE // (len(text) + 1), 1), step)
    columns: list[pa.Array] = []
    for start in range(0, len(names), step):
        some = names[start : start + step]
        as_text = arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(some, pa.string()), include_columns=some
        )
        try:
            cut = arrow_csv.read_csv(pa.BufferReader(text), reading, parsing, as_text)
        except pa.ArrowInvalid:
            if uneven:
                return None
            raise
        if step == len(names):
            return cut
        # Arrow keeps what it asked for; a copy takes what it needs.
        columns += [pa.array(column.to_pylist(), pa.string()) for column in cut.itercolumns()]
    return pa.table(columns, names=names)


def has_line_breaks(cells: pa.Table) -> bool:
    """Say whether any cell runs over several lines."""
    return any(
        pc.any(pc.match_substring_regex(column, "[\r\n]")).as_py() for column in cells.itercolumns()
    )


def quotes_enclose(cells: pa.Table) -> bool:
    """Say whether some column has quotation marks around most of its cells."""
    return any(
        2 * (pc.sum(pc.match_substring_regex(column, r'(?s)^".*"$')).as_py() or 0) > len(column)
        for column in cells.itercolumns()
    )


# Some spreadsheets announce the delimiter on a line of its own.
_ANNOUNCEMENT = re.compile(rb'"?sep=.?"?[^\S\r\n]*(\r\n|\n|\r)', re.IGNORECASE)

_LEADING_BLANK = re.compile(rb"([^\S\r\n\t]*(\r\n|\n|\r))*")

_TRAILING_BLANK = b"\r\n \x1a"


@dataclass(frozen=True)
class Cells:
    """A text cut into cells, none of them interpreted.

    Parameters
    ----------
    table : Table of strings
        Without the header; its columns have the names of the header.
    sniffed : Sniffed
    header : bool
        Whether the first row names the columns.
    problems : tuple of Problem
    line_breaks : bool, default False
        Whether quoted cells run over several lines.
    """

    table: pa.Table
    sniffed: Sniffed
    header: bool
    problems: tuple[Problem, ...]
    line_breaks: bool = False


@dataclass(frozen=True)
class Delimited:
    """A delimited text, read.

    Parameters
    ----------
    table : Table
        Every column is int64, float64 or string, with nulls where a cell is missing.
    dialect : Dialect
    problems : tuple of Problem
    signed : frozenset of str
        Columns of numbers that carry a percent sign in the file.
    """

    table: pa.Table
    dialect: Dialect
    problems: tuple[Problem, ...]
    signed: frozenset[str] = frozenset()


def read_cells(source: Source, limits: Limits) -> Cells:
    """Cut CSV and its relatives into cells, all of them texts.

    Any line feed or carriage return ends a row.

    Raises
    ------
    IntakeError
        If the file is no text, has rows of different lengths, no data, or too much of it.
    """
    text, first_line = _from_first_row(to_utf8(source.content, source.title)[0], source.title)
    found = _cells_of(text, first_line, source.title, limits)
    if found.table.num_columns == 1:
        # No mark separates the cells; white space may.
        bare = laid_bare(text, NOTHING)
        if bare.delimiter == WHITE_SPACE:
            found = _cells_of(bare.text, first_line, source.title, limits, NOTHING, bare)
    return found


def _cells_of(
    text: bytes,
    first_line: int,
    title: str,
    limits: Limits,
    stated: Stated = NOTHING,
    bare: Layout | None = None,
) -> Cells:
    known = (None, '"') if bare is None else (bare.cut_at, bare.quote)
    sniffed = sniff(text, delimiter=known[0], quote=known[1])
    sniffed = replace(sniffed, decimal=stated.decimal or sniffed.decimal)
    require_columns(len(sniffed.rows[0]), title, limits)
    cells, sniffed, quoting = _rectangular(text, sniffed, first_line)
    header = has_header(sniffed.rows, sniffed.decimal) if stated.header is None else stated.header
    rows = cells.num_rows - int(header)
    if rows == 0:
        raise IntakeError(
            f"{title} has a header but no data rows", remedy="add rows below the header"
        )
    require_rows(rows, cells.num_columns, title, limits)
    names, naming = _names(sniffed.rows[0], header)
    problems = (*naming, *_single_column(names), *quoting)
    table = cells.slice(int(header)).rename_columns(names)
    # Something odd about marks that still enclose cells: these hold line breaks.
    return Cells(table, sniffed, header, problems, bool(quoting) and sniffed.quoted)


def read_delimited(source: Source, limits: Limits, stated: Stated = NOTHING) -> Delimited:
    """Read CSV and its relatives.

    Parameters
    ----------
    source : Source
    limits : Limits
    stated : Stated
        What is known of how it is written; all else is found out.

    Returns
    -------
    Delimited

    Raises
    ------
    IntakeError
        If the file is no text, has rows of different lengths, no data, or too much of it.
    """
    utf8, encoding = to_utf8(source.content, source.title, stated.encoding)
    above = stated.above or 0
    text, first_line = _from_first_row(utf8[after_lines(utf8, above) :], source.title)
    bare = laid_bare(_ending_as_header(text), stated)
    if not bare.text.strip():
        raise IntakeError(f"{source.title} is empty", remedy="choose a file that holds a table")
    line = above + first_line + len(LINE_END.findall(text, 0, bare.begins))
    dialect = Dialect(
        delimiter=bare.delimiter,
        encoding=encoding,
        decimal=stated.decimal or ".",
        header=stated.header is not False,
        compressed=source.compressed,
        quote=bare.quote,
        comment=bare.comment,
        missing=stated.missing,
        unnamed=bare.unnamed,
        commented_header=bare.commented_header,
        above=line - 1 if bare.begins else above,
    )
    try:
        cut = _cells_of(bare.text, line, source.title, limits, stated, bare)
    except IntakeError as error:
        error.tell(dialect=dialect)
        raise
    table, edges = without_edges(cut.table, cut.sniffed.decimal)
    found = _typed_table(table, cut.sniffed.decimal, stated.missing)
    dialect = replace(
        dialect,
        decimal=cut.sniffed.decimal,
        quoted=cut.sniffed.quoted,
        header=cut.header,
        line_breaks=cut.line_breaks,
    )
    # A column that is left out has lost nothing by its lack of a name.
    named = (one for one in cut.problems if one.column in (None, *found.table.column_names))
    problems = (*bare.problems, *named, *edges, *found.problems)
    return replace(found, dialect=dialect, problems=problems)


def _from_first_row(utf8: bytes, title: str) -> tuple[bytes, int]:
    """Drop what comes before the first row, and say on which line of the file that row stands."""
    start = 0
    for pattern in (_LEADING_BLANK, _ANNOUNCEMENT, _LEADING_BLANK):
        match = pattern.match(utf8, start)
        start = match.end() if match else start
    text = utf8[start:].rstrip(_TRAILING_BLANK)
    if not text or text.isspace():
        raise IntakeError(f"{title} is empty", remedy="choose a file that holds a table")
    return text, len(LINE_END.findall(utf8, 0, start)) + 1


def _ending_as_header(text: bytes) -> bytes:
    """A line end of another kind than the header's belongs to its cell."""
    header = LINE_END.search(text)
    other = rb"\n" if header and header[0] == b"\r" else rb"\r(?!\n)"
    return re.sub(other, b" ", text)


def _rectangular(
    text: bytes, sniffed: Sniffed, first_line: int
) -> tuple[pa.Table, Sniffed, list[Problem]]:
    """Cut a text into rows of equal length, or say which row is not.

    Quotation marks enclose cells, unless that tears rows apart and taking them as plain characters
    does not.
    """
    cells = cut_into_cells(text, sniffed)
    quoting: list[Problem] = []
    if sniffed.quote == '"' and b'"' in text and (cells is None or has_line_breaks(cells)):
        line = quotation_error(text, sniffed.delimiter)
        if line:
            plain = sniff(text, quoted=False, delimiter=sniffed.delimiter)
            sniffed = replace(plain, decimal=sniffed.decimal)
            cells = cut_into_cells(text, sniffed)
            if cells is None or quotes_enclose(cells):
                raise unclosed_quote(first_line + line - 1)
            what = "Quotation marks do not always enclose whole cells, for the first time on line"
            remedy = f"{first_line + line - 1:,} of the file, so all of them are read as text."
            quoting.append(Problem("warning", f"{what} {remedy}"))
        elif cells is not None:
            what = "Quoted cells run over several lines. A private release takes every line as a"
            remedy = "row unless its owner declares line breaks, or saves the table as Parquet."
            quoting.append(Problem("note", f"{what} {remedy}"))
    if cells is None:
        header = has_header(sniffed.rows, sniffed.decimal)
        raise explain_ragged(text, sniffed, header, first_line)
    return cells, sniffed, quoting


def _names(first: list[str], header: bool) -> tuple[list[str], list[Problem]]:
    if header:
        return repaired_names(first)
    names = numbered_names(len(first))
    what = "The first line of the file holds data, not column names"
    called = "columns are called column_1, column_2 and so on"
    called = called if len(names) > 1 else "column is called column_1"
    remedy = f"so the {called}; add a line with the names."
    return names, [Problem("warning", f"{what}, {remedy}")]


def _single_column(names: list[str]) -> list[Problem]:
    if len(names) > 1:
        return []
    what = f"The file has one column only, {names[0]!r}"
    remedy = "if it should have more, separate them by commas, semicolons, tabs or bars."
    return [Problem("warning", f"{what}; {remedy}", column=names[0])]


def _typed_table(cells: pa.Table, decimal: Decimal, missing: tuple[str, ...]) -> Delimited:
    columns: dict[str, pa.Array] = {}
    problems: list[Problem] = []
    signed: set[str] = set()
    marks: dict[tuple[str, ...], list[str]] = {}
    for name, column in zip(cells.column_names, cells.itercolumns(), strict=True):
        texts = without_missing(column.combine_chunks(), missing)
        if texts.null_count == len(texts) and len(texts) and is_numbered_name(name):
            problems.append(
                Problem("note", f"Column {name!r} is empty and is left out.", column=name)
            )
            continue
        columns[name] = typed(texts, decimal)
        if columns[name].type != pa.string():
            continue
        found, missed, has_sign = leniently_typed(texts, decimal)
        columns[name] = found
        marks.setdefault(missed, []).append(name)
        signed |= {name} if has_sign else set()
        if found.type == pa.string() and (odd := nearly_numeric(texts, name, decimal)):
            problems.append(odd)
    for missed, names in marks.items():
        if missed:
            where = f"column {names[0]!r}" if len(names) == 1 else f"{len(names)} columns"
            marked = f"“{'”, “'.join(missed)}” {'counts' if len(missed) == 1 else 'count'}"
            what = f"{marked} as a missing cell in {where}, which {_are(names)} numeric."
            problems.append(Problem("note", what, column=names[0]))
    if not columns:
        raise IntakeError("every cell of the file is empty", remedy="choose a file with values")
    told = tuple(limited(problems, "hold a few cells without a number"))
    return Delimited(pa.table(columns), Dialect(), told, frozenset(signed))


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
