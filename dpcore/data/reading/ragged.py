"""Why the rows of a delimited file do not form a table."""

from __future__ import annotations

import csv
import io

from dpcore.data.reading.dialect import DELIMITERS, Sniffed, cell_reader
from dpcore.data.reading.problems import count_of
from dpcore.errors import IntakeError


def explain_ragged(utf8: bytes, sniffed: Sniffed, header: bool, first_line: int) -> IntakeError:
    """Find the first row with too few or too many cells.

    Parameters
    ----------
    utf8 : bytes
        The text from its first row on.
    sniffed : Sniffed
    header : bool
        Whether the first row names the columns.
    first_line : int
        Line of the file on which the text begins.

    Returns
    -------
    IntakeError
        Names the data row, the line of the file, both numbers of cells and the remedy.
    """
    lines = io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="")
    reader = cell_reader(lines, sniffed.delimiter, sniffed.quoted)
    expected, row, begins = len(sniffed.rows[0]), -int(header), first_line
    try:
        for cells in reader:
            if cells:
                row += 1
            if cells and len(cells) != expected:
                return _error(cells, expected, max(row, 1), begins, sniffed, header)
            begins = first_line + reader.line_num
    except csv.Error:
        return unclosed_quote(begins)
    return IntakeError(
        "the rows of the file do not all have the same number of cells",
        remedy="open it in a spreadsheet, check its rows and save it as CSV again",
    )


def _error(
    cells: list[str], expected: int, row: int, line: int, sniffed: Sniffed, header: bool
) -> IntakeError:
    if any("\n" in cell and sniffed.delimiter in cell for cell in cells):
        return unclosed_quote(line)
    whose = "the header" if header else "the first row"
    mark = DELIMITERS[sniffed.delimiter]
    if len(cells) > expected:
        remedy = f"put cells that contain {mark} in double quotes, or remove the extra cells"
    else:
        remedy = "complete the row or remove it"
    found = f"this data row (line {line:,} of the file) has {count_of(len(cells), 'cell')}"
    return IntakeError(f"{found} where {whose} has {expected:,}", row=row, remedy=remedy)


def unclosed_quote(line: int) -> IntakeError:
    """Say where the quotation mark stands that swallows what comes after it."""
    return IntakeError(
        f"a quotation mark that opens on line {line:,} of the file does not close where its cell "
        "ends",
        remedy="close it there, double it if it belongs to the text, or remove it",
    )
