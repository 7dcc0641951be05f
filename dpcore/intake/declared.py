"""Tables read as their owner declares them: no row has a say in how another one is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from dpcore.errors import IntakeError, InvalidArgument
from dpcore.intake.declared_lines import header_span, lines_of, row_end
from dpcore.intake.dialect import DELIMITERS, Dialect
from dpcore.intake.header import numbered_names, repaired_names
from dpcore.intake.limits import Limits
from dpcore.intake.problems import Problem, limited
from dpcore.intake.size import require_columns, require_rows
from dpcore.intake.source import Source

# Of these an undecodable byte spoils its own character only, never a delimiter or a line end.
CODECS = {
    "utf-8": "utf-8",
    "utf-8 with byte-order mark": "utf-8",
    "windows-1252": "cp1252",
    "latin-1": "latin-1",
}


def check_declared(dialect: Dialect) -> None:
    """Raise `InvalidArgument` if rows cannot be read by themselves under a dialect."""
    if not isinstance(dialect, Dialect):
        raise InvalidArgument("dialect", type(dialect).__name__, "a Dialect")
    if dialect.format == "parquet":
        return
    for name, known in (("delimiter", DELIMITERS), ("encoding", CODECS), ("decimal", ".,")):
        if getattr(dialect, name) not in tuple(known):
            choices = ", ".join(map(repr, known))
            raise InvalidArgument(f"dialect.{name}", getattr(dialect, name), f"one of {choices}")


def read_declared(
    source: Source, limits: Limits, dialect: Dialect, names: Sequence[str]
) -> tuple[pd.DataFrame, list[Problem]]:
    """Cut a delimited text into cells, all of them texts as they stand in the file.

    Undecodable bytes become replacement characters. A row that is too short lacks its last cells,
    and one that is too long loses the cells that have no column. Rows end as the header does: where
    that is a line feed, a carriage return belongs to its cell. Only an empty line is no row.

    Parameters
    ----------
    source : Source
    limits : Limits
    dialect : Dialect
        Checked by `check_declared`.
    names : sequence of str
        Names of the columns if the dialect has no header; if empty, the first row says how many
        there are.

    Returns
    -------
    (DataFrame of texts, list of Problem)
        The problems are about the header only. There may be no rows at all.

    Raises
    ------
    IntakeError
        If the file has no header, is too large, or has a quotation mark that does not enclose a
        whole cell. No CSV writer leaves such a mark; it could swallow the rows that follow.

    Notes
    -----
    With quotes, a row that a CSV writer wrote has an even number of marks, each at an edge of its
    cell; a file of such rows with any other lines among them is refused or read as the same rows.
    Without quotes every line is a row.

    As many rows are read as a CSV writer wrote, whichever line end it uses, if it encloses that
    line end where a cell holds it. Rows that end with a carriage return alone need a writer that
    encloses line feeds too: one that begins the first row would seem to end the header. Without a
    header, rows end with a line feed.
    """
    text = source.content.decode(CODECS[dialect.encoding], errors="replace").removeprefix("\ufeff")
    start, stop = header_span(text, dialect.delimiter)
    end = row_end(text[start:stop]) if dialect.header else "\n"
    if dialect.quoted and dialect.header and text.count('"', start, stop) % 2:
        # A name that went on in the next line would leave it to the rows where the header ends.
        raise _stray_mark(source.title)
    text, cells = text[start:], list[str]()
    if dialect.quoted and '"' in text:
        text, cells = _without_quoted(text, dialect.delimiter, end, source.title)
    rows = [line.split(dialect.delimiter) for line in lines_of(text, end)]
    if not rows:
        raise IntakeError(f"{source.title} is empty", remedy="choose a file that holds a table")
    require_columns(len(rows[0]), source.title, limits)
    first = [_restored(cell, cells) for cell in rows[0]]
    if dialect.header:
        header, problems = repaired_names(first)
        rows = rows[1:]
    else:
        header, problems = list(names) or numbered_names(len(first)), []
    require_columns(len(header), source.title, limits)
    require_rows(len(rows), len(header), source.title, limits)
    return _frame(rows, header, cells), limited(problems, "have no name of their own")


def _without_quoted(text: str, delimiter: str, end: str, title: str) -> tuple[str, list[str]]:
    """Put a mark and a number in place of every quoted cell, and return the cells."""
    edge = re.escape(delimiter) + end[-1]
    quoted = re.compile(rf'(?<![^{edge}])"([^"]*(?:""[^"]*)*)"(?=[{edge}]|\r\n|\r?\Z)')
    cells: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        cells.append(match[1].replace('""', '"'))
        return f'"{len(cells) - 1}'

    text = quoted.sub(put_aside, text)
    if text.count('"') != len(cells):
        raise _stray_mark(title)
    return text, cells


def _stray_mark(title: str) -> IntakeError:
    return IntakeError(
        f"{title} has a quotation mark that does not enclose a whole cell",
        remedy="write the file with a CSV writer, which doubles the marks inside a cell, or "
        "declare a dialect with quoted=False",
    )


def _restored(cell: str, cells: list[str]) -> str:
    return cells[int(cell[1:])] if cells and cell.startswith('"') else cell


def _frame(rows: list[list[str]], header: list[str], cells: list[str]) -> pd.DataFrame:
    width = len(header)
    for row in rows:
        if len(row) != width:
            row[width:] = [""] * (width - len(row))
    columns = zip(*rows, strict=True) if rows else [()] * width
    texts = {
        name: pd.Series([_restored(cell, cells) for cell in column], dtype="str")
        for name, column in zip(header, columns, strict=True)
    }
    return pd.DataFrame(texts)
