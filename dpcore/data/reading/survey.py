"""What stands out in a table, column by column, and what of it does not fit a schema."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_numeric_dtype

from dpcore._typing import BoolArray, FloatArray
from dpcore.data.reading import text_columns
from dpcore.data.reading.problems import (
    Problem,
    Severity,
    count_of,
    few_positives,
    is_identifier,
    limited,
    listed,
    repeated_person,
)
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cell_arrays import frame_of
from dpcore.schema.cells import amounts, codes_of_classes, shown
from dpcore.schema.schema import label_codes

_DAY = r"(\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/. ]{1,2}(\d\d?|[^\W\d_]{3,9})[-/., ]{1,2}(\d{4}|\d\d))"
# SAS writes 05JAN2024 and 05JAN2024:10:30:00, and people Jan 5, 2024.
_NAMED_DAY = r"|\d\d?[A-Za-z]{3}(\d{4}|\d\d)|[A-Za-z]{3,9}\.? \d\d?,? \d{4}"
_DATE = re.compile(rf"({_DAY}{_NAMED_DAY})([ T:]\d\d?:\d\d.*)?")

_FIRST, _SURVEY_LOOKED_AT, _SURVEY_MANY_ROWS, _MANY_COLUMNS, _TELL_APART = 100, 5000, 100, 4, 16

# Numbers that stand for a missing cell where they are no amounts.
CODES = frozenset(map(float, text_columns.CODES))
# A code is that much more frequent than all numbers near it, which lie beyond a share of it.
_OFTEN, _NEAR, _NEAR_NINE, _FEW_VALUES = 3, 0.9, 0.67, 5
# As words none of these says anything; "+" is there for "-" to be its contrary.
_SIGNS = ("-", "--", "---", ".", "..", "+")


def survey(frame: pd.DataFrame) -> list[Problem]:
    """Look for missing and infinite cells, codes, duplicate rows, constants and identifiers.

    Parameters
    ----------
    frame
        Its exact contents show in the sentences: they are for the owner of the data only.

    Returns
    -------
    list of Problem
        One for each kind of oddity, however many columns have it.

    Examples
    --------
    >>> survey(pd.DataFrame({"age": [30.0, None]}))[0].sentence
    "Column 'age' has 1 missing cell in 2 rows, the first in data row 2; for a feature the schema \
says what stands in for it."
    """
    found: dict[str, list[Problem]] = {what: [] for _, what, _ in _LOOKS}
    for name, cells in frame.items():
        for look, what, _ in _LOOKS:
            problem = look(cells, str(name))
            found[what] += [problem] if problem else []
    grouped = [one for _, what, remedy in _LOOKS for one in _as_one(found[what], what, remedy)]
    return [*grouped, *_marks(frame), *_duplicates(frame)]


def _as_one(found: list[Problem], what: str, remedy: str) -> list[Problem]:
    """One finding for all columns with the same oddity."""
    if len(found) < 2:
        return found
    names = tuple(one.column or "" for one in found)
    sentence = f"{len(found)} columns {what}: {listed(names)}; {remedy}"
    return [replace(found[0], sentence=sentence, row=None, column=None, columns=names)]


def _marks(frame: pd.DataFrame) -> list[Problem]:
    """What stands for a missing cell: numbers where no other is near them, signs among words.

    Beside a plus a dash is an answer; other signs would be levels.
    """
    held: dict[tuple[str, str], list[str]] = {}
    for name, cells in frame.items():
        if is_bool_dtype(cells):
            continue
        if is_numeric_dtype(cells):
            codes = _codes_of(cells.to_numpy(dtype=np.float64, na_value=np.nan))
            looks = " beside {}, which looks like a code"
            found = [(f"{code:.15g}", looks.format(beside)) for code, beside in codes]
        else:
            signs = cells[cells.isin(_SIGNS)].unique().tolist()
            found = [(sign, ", which looks like a sign") for sign in signs if "+" not in signs]
        for one in found:
            held.setdefault(one, []).append(str(name))
    told = []
    for (mark, looks), names in held.items():
        quoted = shown(mark) if mark in _SIGNS else mark
        holds = f"{columns_of(names)} {'holds' if len(names) == 1 else 'hold'} {quoted}"
        sentence = f"{holds}{looks} for missing; treat {mark} as missing."
        told.append(Problem("warning", sentence, None, names[0], tuple(names), "missing", mark))
    return told


def _codes_of(values: FloatArray) -> list[tuple[float, str]]:
    """Numbers of a column that may stand for a missing cell, and beside what they do."""
    low, high = np.nanmin(values, initial=np.inf), np.nanmax(values, initial=-np.inf)
    if low not in CODES and high not in CODES:
        return []
    held, times = np.unique(values[~np.isnan(values)], return_counts=True)
    told, below = list[tuple[float, str]](), held[held < 0.0].tolist()
    # Minus one alone may be an amount, unless it is frequent where others are many.
    sure = below != [-1.0] or (
        len(held) > _FEW_VALUES and times[0] > max(1, times[1] * (held[1] == 0))
    )
    if below and {*below} <= CODES and len(below) < len(held) and sure:
        told += [(code, "numbers of zero and more") for code in below]
    if high in CODES and len(held) > 1:
        near = times[:-1][held[:-1] > high * (_NEAR if high > 9.0 else _NEAR_NINE)].sum()
        if high > 9.0 and held[-2] < high / 2.0:
            told.append((float(high), "much smaller numbers"))
        elif (held % 1.0 == 0.0).all() and times[-1] >= _OFTEN * max(near, 1):
            told.append((float(high), "few numbers that are nearly as large"))
    return told


def columns_of(names: list[str]) -> str:
    """The one column by its name, or how many there are, with some of their names."""
    return f"Column {names[0]!r}" if len(names) == 1 else f"{len(names)} columns ({listed(names)})"


def _duplicates(frame: pd.DataFrame) -> list[Problem]:
    large = len(frame) >= _SURVEY_MANY_ROWS and frame.shape[1] >= _MANY_COLUMNS
    if large and frame.shape[1] > 2 * _TELL_APART:
        # Of rows that are the same some columns are, and few of a wide table are the same in these.
        frame = frame[frame.iloc[:, :_TELL_APART].duplicated(keep=False)]
    repeated = int(frame.duplicated().sum()) if large else 0
    if not repeated:
        return []
    what = f"{count_of(repeated, 'row')} {'is' if repeated == 1 else 'are'} the same as an earlier"
    remedy = "if they are one person's, privacy is promised for each row, not for the person."
    return [Problem("note", f"{what} one in every cell; {remedy}")]


def few_of_a_class(frame: pd.DataFrame, schema: Schema) -> list[Problem]:
    """A warning if fewer than 20 records are positive, or are not. For the owner of the data only.

    Examples
    --------
    >>> from dpcore.schema import Label
    >>> table = pd.DataFrame({"died": [0] * 90 + [1] * 5})
    >>> few_of_a_class(table, Schema((Label("died", ("0", "1")),)))[0].sentence
    "Only 5 records of class '1': no curve, private or not, says much of so few."
    """
    if not schema.has_label or schema.label.name not in frame:
        return []
    label = schema.label
    codes = label_codes(frame[label.name], label)
    others = [one for one in label.classes if one != label.positive]
    calm = others[0] if len(others) == 1 else f"not {label.positive}"
    positives, rows = int((codes == label.positive_index).sum()), int((codes >= 0).sum())
    return few_positives(positives, rows, (calm, label.positive), label.name)


def _missing(cells: pd.Series, name: str) -> Problem | None:
    missing = cells.isna().to_numpy()
    if not missing.any():
        return None
    if missing.all():
        return Problem("warning", f"Column {name!r} is empty; leave it out.", column=name)
    start = f"has {count_of(int(missing.sum()), 'missing cell')} in {count_of(len(cells), 'row')}"
    end = "for a feature the schema says what stands in for it"
    return _about(missing, name, start, end, "note")[0]


def _infinite(cells: pd.Series, name: str) -> Problem | None:
    infinite = np.isinf(cells.to_numpy()) if is_float_dtype(cells) else np.zeros(0, np.bool_)
    start = f"has {count_of(int(infinite.sum()), 'infinite number')}"
    found = _about(infinite, name, start, "that will be clipped to the bounds of the schema")
    return found[0] if found else None


def _constant(cells: pd.Series, name: str) -> Problem | None:
    if len(cells) < 2 or cells.iloc[:_FIRST].nunique() > 1 or cells.nunique() != 1:
        return None
    value = shown(cells.dropna().iloc[0])
    beside = "or nothing: write into empty cells what they mean, or" if cells.hasnans else ""
    told = beside or "and tells nothing;"
    sentence = f"Column {name!r} holds the one value {value} {told} leave it out."
    return Problem("warning", sentence, column=name, act="ignore")


def holds_dates(cells: pd.Series) -> bool:
    """Whether the first cells of a column are dates, in whatever order of day, month and year."""
    if is_numeric_dtype(cells):
        return False
    words = {str(one).strip() for one in cells.dropna().iloc[:_SURVEY_LOOKED_AT].unique()}
    return len(words) >= 3 and all(map(_DATE.fullmatch, words))


def _dates(cells: pd.Series, name: str) -> Problem | None:
    if not holds_dates(cells):
        return None
    what = f"Column {name!r} holds dates, and no model counts their days"
    remedy = "to use them, write the days since some public date as a number; leave it out."
    return Problem("note", f"{what}: {remedy}", column=name, act="ignore")


def _identifier(cells: pd.Series, name: str) -> Problem | None:
    if not is_identifier(cells) or holds_dates(cells):
        return None
    what = f"Column {name!r} has another value in every row and looks like a record number"
    return Problem("warning", f"{what}; leave it out.", column=name, act="ignore")


_ONE_ROW = "privacy is promised per row, so keep one row for each person and leave the columns out."
_LOOKS: tuple[tuple[Callable[[pd.Series, str], Problem | None], str, str], ...] = (
    (_missing, "have missing cells", "for features the schema says what stands in for them."),
    (_infinite, "have infinite numbers", "that will be clipped to the bounds of the schema."),
    (_dates, "hold dates, whose days no model counts", "write days as numbers; leave them out."),
    (_constant, "hold one value only and tell nothing", "leave them out."),
    (_identifier, "look like record numbers", "leave them out."),
    (repeated_person, "name the same person in several rows", _ONE_ROW),
)


def validate(frame: pd.DataFrame, schema: Schema) -> tuple[Problem, ...]:
    """Count what does not fit a schema, and say what will become of it.

    Parameters
    ----------
    frame : DataFrame, or table of Arrow or polars
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
    frame = frame_of(frame)
    holds = Counter(frame.columns)
    for column in schema.columns:
        held = holds[column.name]
        if held == 1:
            found += _FITS[type(column)](frame[column.name], column)
        elif not isinstance(column, Ignore):
            times = "lack the column" if held == 0 else f"hold {held} times the column"
            remedy = "make the data and the schema agree on its name."
            sentence = f"The data {times} {column.name!r}; {remedy}"
            found.append(Problem("error", sentence, column=column.name))
    known = {column.name for column in schema.columns}
    others = [
        Problem("note", f"Column {name!r} is not in the schema and is ignored.", column=name)
        for name in frame.columns
        if name not in known
    ]
    order = ("error", "warning", "note")
    every = found + limited(others, "are not in the schema and are ignored")
    return tuple(sorted(every, key=lambda problem: order.index(problem.severity)))


def _about(
    mask: BoolArray, name: str, start: str, end: str, severity: Severity = "warning"
) -> list[Problem]:
    """One problem if any cell is marked: "Column 'x' {start}, the first in data row 3; {end}."."""
    if not mask.any():
        return []
    row = int(np.argmax(mask)) + 1
    sentence = f"Column {name!r} {start}, the first in data row {row:,}; {end}."
    return [Problem(severity, sentence, row, name)]


def _gaps(cells: pd.Series, name: str, end: str) -> list[Problem]:
    missing = _absent(cells)
    start = f"has {count_of(int(missing.sum()), 'missing cell')}"
    return _about(missing, name, start, end, "note")


def _absent(cells: pd.Series) -> BoolArray:
    return cells.isna().to_numpy(dtype=np.bool_)


def _numeric(cells: pd.Series, column: Numeric) -> list[Problem]:
    values = amounts(cells)
    low, high = column.bounds
    below, above = values < low, values > high
    ends = ((below, f"below {low:g}"), (above, f"above {high:g}"))
    parts = [f"{count_of(int(end.sum()), 'number')} {where}" for end, where in ends if end.any()]
    own, fill = "missing is a value of its own", f"{column.fill:g} stands in for it"
    gap = own if column.missing is True else fill
    return [
        *_not_numbers(cells, np.isnan(values) & ~_absent(cells), column.name),
        *_about(below | above, column.name, f"has {' and '.join(parts)}", "that will be clipped"),
        *_gaps(cells, column.name, gap),
    ]


def _not_numbers(cells: pd.Series, others: BoolArray, name: str) -> list[Problem]:
    start = f"should be numeric but has {count_of(int(others.sum()), 'cell')} without a number"
    if others.sum() == cells.notna().sum():
        return _about(others, name, start, "make it categorical, text or ignore", "error")
    return _about(others, name, start, "they count as missing")


def _levels(cells: pd.Series, column: Binary | Categorical) -> list[Problem]:
    odd = (codes_of_classes(cells, column.levels) < 0) & ~_absent(cells)
    start = f"has {count_of(int(odd.sum()), 'cell')} outside the levels{_example(cells, odd)}"
    fate = f"count as {column.levels[0]!r}" if isinstance(column, Binary) else "set no indicator"
    return [
        *_about(odd, column.name, start, f"such cells {fate}"),
        *_gaps(cells, column.name, f"such cells {fate}"),
    ]


def _example(cells: pd.Series, mask: BoolArray) -> str:
    return f", such as {shown(cells.iloc[int(np.argmax(mask))])}" if mask.any() else ""


def _text(cells: pd.Series, column: Text) -> list[Problem]:
    if is_numeric_dtype(cells) and cells.notna().any():
        sentence = f"Column {column.name!r} should be text but holds numbers; make it numeric."
        return [Problem("warning", sentence, column=column.name)]
    return _gaps(cells, column.name, "it has no words")


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


# What is said of a column that does not fit what it is declared to be.
_FITS: dict[type, Callable[[pd.Series, Any], list[Problem]]] = {
    Numeric: _numeric, Binary: _levels, Categorical: _levels, Text: _text, Label: _label,
    Ignore: lambda *_: [],
}  # fmt: skip
