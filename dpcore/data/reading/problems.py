"""What is odd about an upload, one sentence each, and how much one may hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from dpcore import _check
from dpcore._typing import BoolArray
from dpcore.errors import IntakeError
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cells import level_codes, numbers, shown
from dpcore.schema.schema import label_codes

_MEBIBYTE = 2**20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Upper limits that are checked before, and while, an upload is read.

    Parameters
    ----------
    upload_bytes : int
        Size of the file as it arrives.
    decompressed_bytes : int
        Size after decompression, checked while it streams, so that a small file cannot unfold into
        a huge one.
    rows, columns, cells : int
        Size of the table. A table of as many cells as that, of a few characters each, is read
        within `memory_bytes` and `seconds` by every reader; longer texts reach these first.
    memory_bytes, seconds : int
        What may be spent on reading a file: seconds of processor time, so that a server with much
        to do reads what an idle one reads. See `dpcore.data.reading.limited_process`.

    Raises
    ------
    InvalidArgument
        If a limit is not a positive whole number.

    Examples
    --------
    >>> Limits(rows=1000).columns
    10000
    """

    upload_bytes: int = 200 * _MEBIBYTE
    decompressed_bytes: int = 256 * _MEBIBYTE
    rows: int = 5_000_000
    columns: int = 10_000
    cells: int = 20_000_000
    memory_bytes: int = 640 * _MEBIBYTE
    seconds: int = 16

    def __post_init__(self) -> None:
        _check.integer_in_range(1, None, **{f.name: getattr(self, f.name) for f in fields(self)})


DEFAULT_LIMITS = Limits()


class TooCostly(IntakeError):
    """A file takes more memory or time than its limits; the sentence says nothing else of it."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(
            f"the file takes more than {byte_size(limits.memory_bytes)} of memory or "
            f"{limits.seconds} seconds of processor time to read",
            remedy="give fewer rows or columns, or count large files without loading them: "
            "`python -m dpcore evaluate`",
        )


def byte_size(number: int) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> byte_size(900), byte_size(200 * 2**20)
    ('900 bytes', '200 MB')
    """
    return f"{number / _MEBIBYTE:,.0f} MB" if number >= _MEBIBYTE else f"{number:,} bytes"


Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One sentence that names row and column and says what to do.

    Parameters
    ----------
    severity : {"error", "warning", "note"}
        An error must be solved before a model can be trained; a note needs nothing.
    sentence : str
    row : int, optional
        Data row, counted from 1 without the header, of the first cell concerned.
    column : str, optional
    columns : tuple of str
        All that are meant, where one sentence is about several.
    act : {"", "ignore", "missing"}
        What a press may do about it: ignore the columns, or count `mark` as a missing cell.
    mark : str
    """

    severity: Severity
    sentence: str
    row: int | None = None
    column: str | None = None
    columns: tuple[str, ...] = ()
    act: Literal["", "ignore", "missing"] = ""
    mark: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return self.columns or ((self.column,) if self.column is not None else ())


def count_of(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> count_of(1, "row"), count_of(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Name a few columns, and count the others.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ("'a' and 'b'", "'a', 'b', 'c' and 2 more")
    """
    shown = [repr(name) for name in names[:most]]
    more = len(names) - len(shown)
    *first, last = [*shown, f"{more} more"] if more else shown
    return f"{', '.join(first)} and {last}" if first else last


def columns_note(columns: tuple[str, str], classes: tuple[str, str]) -> Problem:
    """What each column and each class of predictions is."""
    what = f"Column {columns[0]!r} is the label, {columns[1]!r} the score"
    sentence = f"{what}; {classes[1]!r} counts as positive and {classes[0]!r} as negative."
    return Problem("note", sentence, column=columns[0])


def limited(problems: Sequence[Problem], what: str, most: int = 20) -> list[Problem]:
    """Keep the first few problems of one kind, and one sentence for the others.

    Parameters
    ----------
    problems : sequence of Problem
        All of one kind.
    what : str
        Completes "... more columns", such as "have missing values".
    most : int, default=20
    """
    kept = list(problems[:most])
    rest = problems[most:]
    if rest:
        sentence = f"{count_of(len(rest), 'more column')} {what}."
        kept.append(Problem(rest[0].severity, sentence))
    return kept


def validate(frame: pd.DataFrame, schema: Schema) -> tuple[Problem, ...]:
    """Count what does not fit a schema, and say what will become of it.

    Parameters
    ----------
    frame : DataFrame
    schema : Schema

    Returns
    -------
    tuple of Problem
        Errors first. A column that is absent or has the wrong type and a label outside the classes
        are errors; values outside bounds or levels are warnings; missing cells are notes.

    Privacy
        The counts are exact and cost no epsilon, so they are for the owner of the data and for
        teaching only; nothing of them may be published.

    Examples
    --------
    >>> schema = Schema((Numeric("age", bounds=(18, 95)),))
    >>> for problem in validate(pd.DataFrame({"age": [30, 17]}), schema):
    ...     print(problem.sentence)
    Column 'age' has 1 number below 18, the first in data row 2; that will be clipped.
    """
    found: list[Problem] = []
    holds = Counter(frame.columns)
    for column in schema.columns:
        held = holds[column.name]
        if held == 1:
            found += _column_problems(frame[column.name], column)
        elif not isinstance(column, Ignore):
            times = "lack the column" if held == 0 else f"hold {held} times the column"
            remedy = "make the data and the schema agree on its name."
            sentence = f"The data {times} {column.name!r}; {remedy}"
            found.append(Problem("error", sentence, column=column.name))
    known = {column.name for column in schema.columns}
    others = [
        Problem("note", f"Column {name!r} is not in the schema and is ignored.", column=str(name))
        for name in frame.columns
        if name not in known
    ]
    order = ("error", "warning", "note")
    every = found + limited(others, "are not in the schema and are ignored")
    return tuple(sorted(every, key=lambda problem: order.index(problem.severity)))


def _column_problems(cells: pd.Series, column: Column) -> list[Problem]:
    match column:
        case Numeric():
            return _numeric(cells, column)
        case Binary() | Categorical():
            return _levels(cells, column)
        case Text():
            return _text(cells, column)
        case Label():
            return _label(cells, column)
        case Ignore():
            return []


def _about(
    mask: BoolArray, name: str, start: str, end: str, severity: Severity = "warning"
) -> list[Problem]:
    """One problem if any cell is marked: "Column 'x' {start}, the first in data row 3; {end}."."""
    if not mask.any():
        return []
    row = int(np.argmax(mask)) + 1
    sentence = f"Column {name!r} {start}, the first in data row {row:,}; {end}."
    return [Problem(severity, sentence, row, name)]


def _missing(cells: pd.Series, name: str, end: str) -> list[Problem]:
    missing = _absent(cells)
    start = f"has {count_of(int(missing.sum()), 'missing cell')}"
    return _about(missing, name, start, end, "note")


def _absent(cells: pd.Series) -> BoolArray:
    return cells.isna().to_numpy(dtype=np.bool_)


def _numeric(cells: pd.Series, column: Numeric) -> list[Problem]:
    values = numbers(cells)
    low, high = column.bounds
    below, above = values < low, values > high
    ends = ((below, f"below {low:g}"), (above, f"above {high:g}"))
    parts = [f"{count_of(int(end.sum()), 'number')} {where}" for end, where in ends if end.any()]
    return [
        *_not_numbers(cells, np.isnan(values) & ~_absent(cells), column.name),
        *_about(below | above, column.name, f"has {' and '.join(parts)}", "that will be clipped"),
        *_missing(
            cells,
            column.name,
            "missing is a value of its own"
            if column.missing is True
            else f"{column.fill:g} stands in for it",
        ),
    ]


def _not_numbers(cells: pd.Series, others: BoolArray, name: str) -> list[Problem]:
    start = f"should be numeric but has {count_of(int(others.sum()), 'cell')} without a number"
    if others.sum() == cells.notna().sum():
        return _about(others, name, start, "make it categorical, text or ignore", "error")
    return _about(others, name, start, "they count as missing")


def _levels(cells: pd.Series, column: Binary | Categorical) -> list[Problem]:
    unknown = (level_codes(cells, column.levels) < 0) & ~_absent(cells)
    start = (
        f"has {count_of(int(unknown.sum()), 'cell')} outside the levels{_example(cells, unknown)}"
    )
    fate = f"count as {column.levels[0]!r}" if isinstance(column, Binary) else "set no indicator"
    return [
        *_about(unknown, column.name, start, f"such cells {fate}"),
        *_missing(cells, column.name, f"such cells {fate}"),
    ]


def _example(cells: pd.Series, mask: BoolArray) -> str:
    return f", such as {shown(cells.iloc[int(np.argmax(mask))])}" if mask.any() else ""


def _text(cells: pd.Series, column: Text) -> list[Problem]:
    if is_numeric_dtype(cells) and cells.notna().any():
        sentence = f"Column {column.name!r} should be text but holds numbers; make it numeric."
        return [Problem("warning", sentence, column=column.name)]
    return _missing(cells, column.name, "it has no words")


def _label(cells: pd.Series, column: Label) -> list[Problem]:
    missing = _absent(cells)
    codes = label_codes(cells, column)
    outside = (codes < 0) & ~missing
    example = _example(cells, outside)
    strange = f"has {count_of(int(outside.sum()), 'label')} outside the classes{example}"
    absent = f"has {count_of(int(missing.sum()), 'missing label')}"
    found = [
        *_about(outside, column.name, strange, "declare the class or remove the rows", "error"),
        *_about(missing, column.name, absent, "remove the rows", "error"),
    ]
    for index, name in enumerate(column.classes):
        if not (codes == index).any():
            sentence = f"Column {column.name!r} never holds the class {name!r}; check its spelling."
            found.append(Problem("warning", sentence, column=column.name))
    return found


def stray_mark(title: str) -> IntakeError:
    """Say that a quotation mark could swallow what follows."""
    return IntakeError(
        f"{title} has a quotation mark that does not enclose a whole cell",
        remedy="write the file with a CSV writer, which doubles the marks inside a cell, or "
        "declare a dialect with quoted=False",
    )
