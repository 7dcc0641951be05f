"""A first schema for a table, for teaching."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.identity import is_identifier, mean_words, names_a_person
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.limits import DEFAULT_LIMITS, Limits
from dpcore.data.reading.prediction_columns import LABEL_NAMES
from dpcore.data.reading.problems import Problem
from dpcore.data.reading.tables import Upload, only_intake_errors, read_dataset
from dpcore.data.reading.two_values import in_order
from dpcore.errors import IntakeError
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cells import cell_text, level_key, numbers

MAX_CLASSES = 20
_FEW_NUMBERS = 6
_FEW_LEVELS = 60
_LOOKED_AT = 5000
_SHARED = 0.5
_LONG_TEXT = 3.0
_WORDS_OF_A_NAME = 5
# How the words begin by which columns are called that somebody wants to predict.
_OUTCOMES = (
    "outcome", "event", "readmi", "died", "dead", "death", "mortal", "deceas", "surviv", "default",
    "churn", "target", "respon", "diagnos", "relaps", "recur", "fraud", "spam", "convert", "label",
)  # fmt: skip
_TRAITS = frozenset({"sex", "gender", "male", "female"})
_ANSWERS = frozenset(
    {frozenset(pair) for pair in (("0", "1"), ("no", "yes"), ("false", "true"), ("n", "y"))}
)
_WORDS = re.compile(r"[a-z]+")
_HUMPS = re.compile(r"([a-z])([A-Z])")
_SPLIT_WORDS = frozenset({"train", "training", "test", "testing", "valid", "validation", "dev"})


@only_intake_errors
@in_limited_process(Upload, Problem, Dialect)
def read_and_suggest(
    source: bytes | Path, *, name: str = "", limits: Limits = DEFAULT_LIMITS
) -> tuple[Upload, Schema]:
    r"""Read a table, and suggest a schema for it within the same limits.

    Raises
    ------
    IntakeError
        If the file cannot be read as a table, or takes more than the limits.

    Examples
    --------
    >>> upload, schema = read_and_suggest(b"age,smokes\n31,no\n64,yes\n22,no\n")
    >>> upload.frame.shape, schema.label.name
    ((3, 2), 'smokes')
    """
    upload = read_dataset(source, name=name, limits=limits)
    return upload, suggest_schema(upload.frame)


def suggest_schema(frame: pd.DataFrame, label: str | None = None) -> Schema:
    """Suggest a schema by looking at the data.

    Bounds, levels and classes are copied from the data, and every such fact is marked in
    `Schema.taken_from_data`. A private release needs a schema without marks: its owner replaces
    them with facts that are public.

    Parameters
    ----------
    frame : DataFrame
    label : str, optional
        Name of the label column. If left out, a column of two values: the last with a usual name
        (label, y, target, class), or else with one that speaks of an outcome (died, readmitted,
        churn), or else of yes and no, 0 and 1 or true and false, or else any, sex and gender only
        if there is no other. Without a column of two values none is the label.

    Returns
    -------
    Schema
        Two values make a column binary; few values (6 whole numbers; 60 texts, each in two rows on
        average) make it categorical; other numbers are numeric and other texts text. Ignored are
        record numbers, marks of training and test rows, and constant or empty columns.

    Raises
    ------
    IntakeError
        If there is no column `label`, or it has one value or more than 20.

    Examples
    --------
    >>> ages = [31, 64, 22, 47, 58, 39, 25, 70]
    >>> schema = suggest_schema(pd.DataFrame({"age": ages, "smokes": ["no", "yes"] * 4}))
    >>> schema.column("age").bounds, schema.label.positive
    ((22.0, 70.0), 'yes')
    >>> sorted(schema.taken_from_data)
    ['age.bounds', 'smokes.classes']
    """
    if label is None:
        label = _likely_label(frame)
    elif label not in frame.columns:
        raise IntakeError("the data lack this column", column=label, remedy="choose one they have")
    columns = tuple(
        _label_column(cells) if name == label else _feature_column(cells)
        for name, cells in frame.items()
    )
    marks = (_MARKS[column.type].format(column.name) for column in columns if column.type in _MARKS)
    return Schema(columns, taken_from_data=frozenset(marks))


_MARKS = {
    "numeric": "{}.bounds",
    "binary": "{}.levels",
    "categorical": "{}.levels",
    "label": "{}.classes",
}


def _likely_label(frame: pd.DataFrame) -> str | None:
    binary = [
        (_likeness(str(name), cells), place)
        for place, (name, cells) in enumerate(frame.items())
        if _distinct(cells) == 2 and len(_levels(cells)) == 2 and not _is_split(cells)
    ]
    return str(frame.columns[max(binary)[1]]) if binary else None


def _likeness(name: str, cells: pd.Series) -> int:
    """How much a column of two values looks like what a model would predict."""
    words = _WORDS.findall(_HUMPS.sub(r"\1 \2", name).lower())
    if name.lower() in LABEL_NAMES:
        return 4
    if any(word.startswith(_OUTCOMES) for word in words):
        return 3
    if any(word in _TRAITS for word in words):
        return 0
    levels = frozenset(level.lower() for level in _levels(cells))
    return 2 if levels in _ANSWERS else 1


def _is_split(cells: pd.Series) -> bool:
    """Say whether a column only tells training rows from test rows."""
    words = cells.dropna().unique()
    return len(words) > 1 and all(cell_text(word).lower() in _SPLIT_WORDS for word in words)


def _levels(cells: pd.Series) -> tuple[str, ...]:
    """Distinct values, numbers by size and texts by alphabet; of two, the positive one last."""
    texts = sorted({cell_text(value) for value in cells.dropna().unique()} - {""})
    # A column of texts may write one value in two ways, such as 1 and 1.0.
    levels = list({level_key(text): text for text in reversed(texts)}.values())[::-1]
    if is_numeric_dtype(cells) and not is_bool_dtype(cells):
        levels.sort(key=float)
    return in_order(*levels) if len(levels) == 2 else tuple(levels)


def _label_column(cells: pd.Series) -> Label:
    name = str(cells.name)
    distinct = int(cells.nunique())
    if distinct > MAX_CLASSES:
        raise IntakeError(
            f"it has {distinct:,} distinct values, too many for classes",
            column=name,
            remedy=f"choose another label, or reduce it to at most {MAX_CLASSES} classes",
        )
    classes = _levels(cells)
    if len(classes) < 2:
        raise IntakeError(
            "it has no two distinct values", column=name, remedy="choose another label"
        )
    return Label(name, classes=classes)


def _distinct(cells: pd.Series) -> int:
    """How many distinct values a column has, as far as its first rows do not say "many"."""
    first = int(cells.iloc[:_LOOKED_AT].nunique())
    return first if first > _FEW_LEVELS else int(cells.nunique())


def _feature_column(cells: pd.Series) -> Column:
    name = str(cells.name)
    distinct = _distinct(cells)
    if distinct < 2 or is_identifier(cells) or names_a_person(cells) or _is_split(cells):
        return Ignore(name)
    if distinct == 2:
        levels = _levels(cells)
        return Binary(name, levels=(levels[0], levels[1])) if len(levels) == 2 else Ignore(name)
    if is_numeric_dtype(cells):
        return _numeric_column(cells, distinct)
    if distinct <= _FEW_LEVELS and distinct < _SHARED * cells.notna().sum():
        return Categorical(name, levels=_levels(cells))
    long = mean_words(cells) >= _LONG_TEXT
    return Text(name) if long else Text(name, max_words=_WORDS_OF_A_NAME)


def _numeric_column(cells: pd.Series, distinct: int) -> Column:
    name = str(cells.name)
    values = numbers(cells)
    finite = values[np.isfinite(values)]
    if finite.size == 0 or finite.min() == finite.max():
        return Ignore(name)
    whole = bool((finite == np.floor(finite)).all())
    if whole and distinct <= _FEW_NUMBERS:
        return Categorical(name, levels=_levels(cells))
    return Numeric(name, bounds=(float(finite.min()), float(finite.max())))
