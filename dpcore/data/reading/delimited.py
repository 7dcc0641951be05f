"""Delimited text files as Arrow tables."""

import re
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from dpcore.data.reading import clean_text, dialect, text_columns
from dpcore.data.reading.dialect import NOTHING, Dialect, Sniffed, Stated
from dpcore.data.reading.layout import Layout, laid_bare
from dpcore.data.reading.problems import TAKE_OUT, Limits, Problem, left_out
from dpcore.data.reading.source import Source, require_columns, require_rows, to_utf8
from dpcore.data.reading.text_columns import TOTALS
from dpcore.errors import IntakeError
from dpcore.schema.cells import MISSING, Decimal, number_pattern


def has_line_breaks(cells: pa.Table) -> bool:
    """Say whether any cell runs over several lines."""
    return any(_matching(column, "[\r\n]") for column in cells.itercolumns())


def quotes_enclose(cells: pa.Table) -> bool:
    """Say whether some column has quotation marks around most of its cells."""
    found = (_matching(column, r'(?s)^".*"$') for column in cells.itercolumns())
    return any(2 * count > cells.num_rows for count in found)


def _matching(column: pa.ChunkedArray, pattern: str) -> int:
    return pc.sum(pc.match_substring_regex(column, pattern)).as_py() or 0


# Some spreadsheets announce the delimiter on a line of its own.
_ANNOUNCEMENT = re.compile(rb'"?sep=.?"?[^\S\r\n]*(\r\n|\n|\r)', re.IGNORECASE)

_LEADING_BLANK = re.compile(rb"([^\S\r\n\t]*(\r\n|\n|\r))*")

# How many rows stand above, as the name of a last row.
_COUNTED = re.compile(r"[nN] ?= ?\d[\d.,]*")
_TRAILING_BLANK = b"\r\n \x1a"


@dataclass(frozen=True)
class Cells:
    """A text cut into cells, none of them interpreted.

    Parameters
    ----------
    table : Table of strings
        Without the header; its columns have the names of the header.
    header
        Whether the first row names the columns.
    line_breaks
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
    table
        Every column is int64, float64 or string, with nulls where a cell is missing.
    signed
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
    found = _cells_of(Layout(text, ""), first_line, source.title, limits, NOTHING)
    if found.table.num_columns == 1:
        # No mark separates the cells; white space may.
        bare = laid_bare(text, NOTHING)
        if bare.delimiter in dialect.SPACED:
            found = _cells_of(bare, first_line, source.title, limits, NOTHING)
    return found


def _cells_of(bare: Layout, line: int, title: str, limits: Limits, stated: Stated) -> Cells:
    sniffed = dialect.sniff(bare.text, delimiter=bare.cut_at or None, quote=bare.quote)
    decimal, spaced = stated.decimal or sniffed.decimal, bare.delimiter in dialect.SPACED
    sniffed = replace(sniffed, decimal=decimal, spaced=spaced)
    require_columns(len(sniffed.rows[0]), title, limits)
    cells, sniffed, quoting = _evenly(bare.text, sniffed, line)
    header = stated.header
    if header is None:
        header = text_columns.has_header(sniffed.rows, sniffed.decimal)
    rows = cells.num_rows - int(header)
    if rows == 0:
        what = f"{title} has a header but no data rows"
        raise IntakeError(what, remedy="add rows below the header")
    require_rows(rows, cells.num_columns, title, limits)
    names, naming = _names(sniffed.rows[0], header)
    problems = (*naming, *_single_column(names), *quoting)
    table = cells.slice(int(header)).rename_columns(names)
    # Something odd about marks that still enclose cells: these hold line breaks.
    return Cells(table, sniffed, header, problems, bool(quoting and sniffed.quote))


def read_delimited(source: Source, limits: Limits, stated: Stated = NOTHING) -> Delimited:
    """Read CSV and its relatives.

    Parameters
    ----------
    stated
        What is known of how it is written; all else is found out.

    Raises
    ------
    IntakeError
        If the file is no text, has rows of different lengths, no data, or too much of it.
    """
    utf8, encoding = to_utf8(source.content, source.title, stated.encoding)
    above = stated.above or 0
    text, first_line = _from_first_row(utf8[dialect.after_lines(utf8, above) :], source.title)
    text = dialect.plainly_drawn(text)
    bare = laid_bare(_ending_as_header(text), stated)
    if not bare.text.strip():
        raise IntakeError(f"{source.title} is empty", remedy="choose a file that holds a table")
    line = above + first_line + len(dialect.LINE_END.findall(text, 0, bare.begins))
    how = Dialect(
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
        cut = _cells_of(bare, line, source.title, limits, stated)
    except IntakeError as error:
        error.tell(dialect=how)
        raise
    decimal, quoted = cut.sniffed.decimal, bool(cut.sniffed.quote)
    rows, edges = without_edges(cut.table, decimal)
    table, odd, signed = text_columns.typed_table(rows, decimal, stated.missing)
    if stated.decimal is None and bare.delimiter in (";", "\t"):
        odd += clean_text.doubtful_points(rows, decimal)
    table, sums = _without_sums(table)
    breaks = cut.line_breaks
    how = replace(how, decimal=decimal, quoted=quoted, header=cut.header, line_breaks=breaks)
    # A column that is left out has lost nothing by its lack of a name.
    named = (one for one in cut.problems if one.column in (None, *table.column_names))
    return Delimited(table, how, (*bare.problems, *named, *edges, *sums, *odd), signed)


def _from_first_row(utf8: bytes, title: str) -> tuple[bytes, int]:
    """Drop what comes before the first row, and say on which line of the file that row stands."""
    start = 0
    for pattern in (_LEADING_BLANK, _ANNOUNCEMENT, _LEADING_BLANK):
        match = pattern.match(utf8, start)
        start = match.end() if match else start
    text = utf8[start:].rstrip(_TRAILING_BLANK)
    if not text or text.isspace():
        raise IntakeError(f"{title} is empty", remedy="choose a file that holds a table")
    return text, len(dialect.LINE_END.findall(utf8, 0, start)) + 1


def _ending_as_header(text: bytes) -> bytes:
    """A line end of another kind than the header's belongs to its cell."""
    header = dialect.LINE_END.search(text)
    other = rb"\n" if header and header[0] == b"\r" else rb"\r(?!\n)"
    return re.sub(other, b" ", text)


def _evenly(text: bytes, sniffed: Sniffed, line: int) -> tuple[pa.Table, Sniffed, list[Problem]]:
    """Cut a text into rows of equal length, or say which row is not.

    Quotation marks enclose cells, unless that tears rows apart and taking them as plain characters
    does not.
    """
    cells = _cut(text, sniffed)
    quoting: list[Problem] = []
    if sniffed.quote == '"' and b'"' in text and (cells is None or has_line_breaks(cells)):
        at = dialect.quotation_error(text, sniffed.delimiter)
        if at:
            plain = dialect.sniff(text, delimiter=sniffed.delimiter, quote="")
            sniffed = replace(plain, decimal=sniffed.decimal)
            cells = _cut(text, sniffed)
            if cells is None or quotes_enclose(cells):
                raise dialect.unclosed_quote(line + at - 1)
            what = "Quotation marks do not always enclose whole cells, for the first time on line"
            remedy = f"{line + at - 1:,} of the file, so all of them are read as text."
            quoting.append(Problem("warning", f"{what} {remedy}"))
        elif cells is not None:
            what = "Quoted cells run over several lines. A private release takes every line as a"
            remedy = "row unless its owner declares line breaks, or saves the table as Parquet."
            quoting.append(Problem("note", f"{what} {remedy}"))
    if cells is None:
        header = text_columns.has_header(sniffed.rows, sniffed.decimal)
        raise dialect.explain_ragged(text, sniffed, header, line)
    return cells, sniffed, quoting


def _cut(text: bytes, sniffed: Sniffed) -> pa.Table | None:
    return clean_text.cut_cells(text, len(sniffed.rows[0]), sniffed.delimiter, sniffed.quote)


def _names(first: list[str], header: bool) -> tuple[list[str], list[Problem]]:
    if header:
        return text_columns.repaired_names(first)
    names = text_columns.numbered_names(len(first))
    what = "The first line of the file holds data, not column names"
    called = "columns are called column_1, column_2 and so on"
    called = called if len(names) > 1 else "column is called column_1"
    remedy = f"so the {called}; add a line with the names."
    return names, [Problem("warning", f"{what}, {remedy}")]


def _single_column(names: list[str]) -> list[Problem]:
    if len(names) > 1:
        return []
    what = f"The file has one column only, {names[0]!r}; if it should have more, separate them by"
    remedy = "commas, semicolons, tabs or bars, without quotation marks around whole lines."
    return [Problem("warning", f"{what} {remedy}", column=names[0])]


# Rows that are no records: units below the header, sums at the end, repeated headers.
_LOOKED_AT, _RESPONSES = 100, {"Response", "Open-Ended Response"}


def without_edges(cells: pa.Table, decimal: Decimal) -> tuple[pa.Table, list[Problem]]:
    """Drop repeated headers, a first row of units, and last rows that call themselves sums.

    Examples
    --------
    >>> rows = {"age": ["years", *"123456"], "name": ["-", *"abcde", "Total"]}
    >>> cells, told = without_edges(pa.table(rows), ".")
    >>> cells["name"].to_pylist(), told[0].sentence[:53]
    (['a', 'b', 'c', 'd', 'e', 'Total'], 'The row below the header holds units (“years”) and is')
    >>> without_edges(cells.select(["name", "age"]), ".")[0].num_rows
    5
    """
    cells, repeated = _without_headers(cells)
    cells, asked = _without_questions(cells)
    cells, units = _without_units(cells, decimal)
    cells, sums = _without_totals(cells)
    return cells, [*repeated, *asked, *units, *sums]


def _without_headers(cells: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop the rows that repeat the header, as files have them that were put together."""
    if cells.num_columns < 2:
        return cells, []
    rows = None
    for name, column in zip(cells.column_names, cells.itercolumns(), strict=True):
        same = pc.equal(pc.utf8_trim_whitespace(column), name)
        rows = same if rows is None else pc.and_(rows, same)
        if not pc.any(rows).as_py():
            return cells, []
    count = pc.sum(rows).as_py()
    # Where every line is the same, none is a record below a header.
    if count == cells.num_rows:
        return cells, []
    which = f"that {'repeats' if count == 1 else 'repeat'} the header"
    return cells.filter(pc.invert(rows)), left_out(count, "row", which, TAKE_OUT)


def _without_questions(cells: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop what programs for surveys write below the header.

    Qualtrics writes the questions and their numbers as JSON, SurveyMonkey the choices of each
    question, which has as many columns, and no number of the answer.
    """
    if any("ImportId" in str(one) for one in cells.column(0)[1:2].to_pylist()):
        told = left_out(2, "row", "of questions, as Qualtrics writes them,", TAKE_OUT)
        return cells.slice(2), told
    first, *row = [str(column[0]).strip() for column in cells.itercolumns()]
    chosen = [one for one in row if one and one not in MISSING]
    pairs = zip(cells.column_names[1:], row, strict=True)
    several = [cell for name, cell in pairs if cell and text_columns.is_numbered_name(name)]
    asked = bool({*chosen} & _RESPONSES) or len(several) > 1
    asked = asked and not first and not any(map(text_columns.is_data_cell, chosen))
    # Every answer has a number, in the first column.
    if not asked or cells.num_rows < 2 or pc.any(pc.equal(cells.column(0)[1:], "")).as_py():
        return cells, []
    return cells.slice(1), left_out(1, "row", "of choices, as SurveyMonkey writes them,", TAKE_OUT)


def _without_units(cells: pa.Table, decimal: Decimal) -> tuple[pa.Table, list[Problem]]:
    """A first row is one of units if no number is in it where all below are, and it is unlike them.

    A record has its class in common with others; what stands for a missing number is no unit.
    """
    unit = ""
    if cells.num_rows <= clean_text.FEW_ROWS:
        return cells, []
    for column in cells.itercolumns():
        word = (column[0].as_py() or "").strip()
        stands_again = word and pc.any(pc.equal(pc.utf8_trim_whitespace(column[1:]), word)).as_py()
        is_mark = word.lower() in text_columns.MARKS
        if stands_again and not is_mark:
            return cells, []
        below = clean_text.without_missing(column[1:_LOOKED_AT].combine_chunks()).drop_null()
        are_numbers = len(below) and pc.all(_numeric(below, decimal)).as_py()
        if are_numbers and word and not is_mark:
            if _numeric(pa.array([word]), decimal)[0].as_py():
                return cells, []
            unit = unit or word
        elif stands_again:
            return cells, []
    if not unit:
        return cells, []
    what = f"The row below the header holds units (“{unit}”) and is left out.{TAKE_OUT}"
    return cells.slice(1), [Problem("note", what)]


def _numeric(texts: pa.Array, decimal: Decimal) -> pa.Array:
    return pc.match_substring_regex(clean_text.without_marks(texts), number_pattern(decimal))


def _without_totals(cells: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop last rows that call themselves totals, in the first of their cells that is filled."""
    told: list[Problem] = []
    while word := _total(cells):
        cells = cells.slice(0, cells.num_rows - 1)
        told.append(Problem("note", f"The last row is called “{word}” and is left out.{TAKE_OUT}"))
    return cells, told


def _without_sums(table: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop a last row that holds sums or means, and has no word for it."""
    filled = [one for one in table.itercolumns() if one[-1].is_valid]
    texts = any(pa.types.is_string(one.type) for one in filled)
    if texts or not filled or table.num_columns == 1 or not clean_text.are_sums(filled):
        return table, []
    what = f"The last row holds sums or means of those above it and is left out.{TAKE_OUT}"
    return table.slice(0, table.num_rows - 1), [Problem("note", what)]


def _total(cells: pa.Table) -> str:
    """What a last row of totals is called; empty if it is a record.

    Its word stands in the first of its cells that is filled, or below numbers alone or two classes.
    """
    last, first = cells.num_rows - 1, True
    for column in cells.itercolumns() if last >= clean_text.FEW_ROWS else ():
        word = str(column[last].as_py() or "").strip()
        if word.rstrip(":").lower() in TOTALS or _COUNTED.fullmatch(word):
            alone = pc.sum(pc.equal(pc.utf8_trim_whitespace(column), word)).as_py() == 1
            numbers = pc.all(pc.match_substring_regex(column[:last], r"^(\PL*\d\PL*)?$")).as_py()
            # What else stands in a column of yes and no is no third answer.
            below = numbers or pc.count_distinct(column[:last]).as_py() <= 2
            if alone and (first or (below and word[0].isalpha())):
                return word
        first = first and not word
    return ""
