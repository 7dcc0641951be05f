"""How a table differs from its schema."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from dpcore._typing import BoolArray
from dpcore.data.reading.problems import Problem, Severity, count_of, limited
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cells import level_codes, numbers, shown
from dpcore.schema.schema import label_codes


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
    Column 'age' has 1 number below 18, the first in data row 2; they will be clipped.
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
        *_about(below | above, column.name, f"has {' and '.join(parts)}", "they will be clipped"),
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
