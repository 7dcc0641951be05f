"""A first schema for a table, for teaching, and which of its columns tell the label alone."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from dpcore._typing import BoolArray
from dpcore.data.reading.dialect import NOTHING, Dialect, Stated
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.problems import (
    DEFAULT_LIMITS,
    Limits,
    Problem,
    holds_sentences,
    is_identifier,
    limited,
    names_a_person,
)
from dpcore.data.reading.roles.classes import (
    MOST_CLASSES,
    counts_of,
    in_order,
    in_usual_letters,
    levels_of,
    likely_cut,
    likely_positive,
    without_odd_labels,
)
from dpcore.data.reading.roles.columns import Rank, is_fractional, label_likeness, label_rank
from dpcore.data.reading.survey import columns_of, holds_dates
from dpcore.data.reading.tables import Upload, read_dataset
from dpcore.data.reading.text_columns import is_numbered_name
from dpcore.errors import IntakeError
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cell_arrays import frame_of
from dpcore.schema.cells import cell_text, numbers
from dpcore.schema.columns import WIDEST, usable_bounds
from dpcore.schema.schema import label_codes

_FEW_NUMBERS = 6
_FEW_LEVELS = 60
_LOOKED_AT = 5000
_SHARED = 0.5
# Of a column that tells the label alone; how many rows are asked for it, and how few say nothing.
_LEAK, _TESTED, _TOO_FEW = 0.93, 20_000, 50
_ANSWERS = frozenset(map(frozenset, (("0", "1"), ("no", "yes"), ("false", "true"), ("n", "y"))))
_SPLIT_WORDS = frozenset({"", "train", "training", "test", "testing", "valid", "validation", "dev"})


@in_limited_process(Upload, Problem, Dialect, Stated)
def read_and_suggest(
    source: bytes | Path,
    *,
    name: str = "",
    limits: Limits = DEFAULT_LIMITS,
    stated: Stated = NOTHING,
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
    upload = read_dataset(source, name=name, limits=limits, stated=stated)
    alike = {str(name): in_usual_letters(cells) for name, cells in upload.frame.items()}
    frame = upload.frame.assign(**{name: cells for name, (cells, odd) in alike.items() if odd})
    told = [one for _, odd in alike.values() for one in odd]
    told = limited(told, "hold words that count as the same in other letters")
    schema = suggest_schema(frame)
    if schema.has_label:
        cells, unknown = without_odd_labels(frame[schema.label.name])
        if unknown:
            frame, told = frame.assign(**{schema.label.name: cells}), [*told, *unknown]
            schema = suggest_schema(frame, schema.label.name)
    return replace(upload, frame=frame, problems=(*upload.problems, *told)), schema


def suggest_schema(frame: pd.DataFrame, label: str | None = None) -> Schema:
    """Suggest a schema by looking at the data.

    Bounds, levels and classes are copied from the data, and every such fact is marked in
    `Schema.taken_from_data`. A private release needs a schema without marks: its owner replaces
    them with facts that are public.

    Parameters
    ----------
    frame : DataFrame, or table of Arrow or polars
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
        record numbers, dates, marks of training and test rows, and constant or empty columns. Words
        that differ in capital and small letters alone are one value.

    Raises
    ------
    IntakeError
        If there is no column `label`, or it has one value, or more than 20 that are no numbers.
        A label of so many numbers is cut at their upper half, which is marked too.

    Examples
    --------
    >>> ages = [31, 64, 22, 47, 58, 39, 25, 70]
    >>> schema = suggest_schema(pd.DataFrame({"age": ages, "smokes": ["no", "yes"] * 4}))
    >>> schema.column("age").bounds, schema.label.positive
    ((22.0, 70.0), 'yes')
    >>> sorted(schema.taken_from_data)
    ['age.bounds', 'smokes.classes']
    """
    frame = frame_of(frame)
    spelled = [in_usual_letters(cells)[0] for _, cells in frame.items()]
    counts = [*map(_distinct, spelled)]
    if label is None:
        label = _likely_label(spelled, counts)
    elif str(label) not in frame.columns:
        raise IntakeError("the data lack this column", column=label, remedy="choose one they have")
    columns = tuple(
        _label_column(cells) if name == str(label) else _feature_column(cells, distinct)
        for name, cells, distinct in zip(frame.columns, spelled, counts, strict=True)
    )
    marks = {f"{one.name}.{_MARKS[one.type]}" for one in columns if one.type in _MARKS}
    marks |= {f"{one.name}.missing" for one in columns if isinstance(one, Numeric) and one.missing}
    marks |= {
        f"{one.name}.cut" for one in columns if isinstance(one, Label) and one.cut is not None
    }
    return Schema(columns, taken_from_data=frozenset(marks))


_MARKS = {"numeric": "bounds", "binary": "levels", "categorical": "levels", "label": "classes"}


def _likely_label(columns: Sequence[pd.Series], counts: Sequence[int]) -> str | None:
    """The column that a model would most likely predict; None if none looks like it."""
    last = len(columns) - 1
    names = [str(cells.name) for cells in columns]
    unnamed = all(map(is_numbered_name, names))
    fit: list[tuple[bool, Rank, bool, bool, int]] = []
    for place, (name, cells, distinct) in enumerate(zip(names, columns, counts, strict=True)):
        if 2 <= distinct <= MOST_CLASSES:
            # What a few rows leave unsaid is no class.
            cells, odd = without_odd_labels(cells)
            distinct = _distinct(cells) if odd else distinct
        if not 2 <= distinct <= MOST_CLASSES or _is_split(cells) or len(_levels(cells)) != distinct:
            continue
        # Without names the label stands at the end, or else at the beginning.
        ends, begins = unnamed and place == last, unnamed and place == 0 < last
        named, whole = label_likeness(name), True
        if is_numeric_dtype(cells):
            whole = not is_fractional(numbers(cells))
            # Where no column is called a label, a last one of a few classes may be it.
            often = distinct * _FEW_NUMBERS <= int(cells.notna().sum())
            ends |= place == last and whole and distinct <= _FEW_NUMBERS and often
        if ends or distinct == 2 or (named >= 3 and whole):
            answers = frozenset(level.lower() for level in _levels(cells)) in _ANSWERS
            rank = label_rank(named, two=distinct == 2)
            fit.append((unnamed and place == last, rank, named < 3 and answers, begins, place))
    return names[max(fit)[-1]] if fit else None


def _is_split(cells: pd.Series) -> bool:
    """Say whether a column of two words or more only tells training rows from test rows."""
    words = () if is_numeric_dtype(cells) else cells.unique()
    return len(words) > 1 and all(cell_text(word).lower() in _SPLIT_WORDS for word in words)


def _levels(cells: pd.Series) -> tuple[str, ...]:
    """Distinct values; of two, the positive one last."""
    levels = levels_of(cells)
    return in_order(*levels) if len(levels) == 2 else levels


def _label_column(cells: pd.Series) -> Label:
    name, distinct = str(cells.name), int(cells.nunique())
    if distinct > MOST_CLASSES and is_numeric_dtype(cells) and not is_bool_dtype(cells):
        return Label.at_least(name, likely_cut(cells.dropna()))
    if distinct > MOST_CLASSES:
        what = f"it has {distinct:,} distinct values, too many for classes"
        remedy = f"choose another label, or reduce it to at most {MOST_CLASSES} classes"
        raise IntakeError(what, column=name, remedy=remedy)
    classes = levels_of(cells)
    if len(classes) < 2:
        what = "it has no two distinct values"
        raise IntakeError(what, column=name, remedy="choose another label")
    positive = likely_positive(counts_of(cells))
    if len(classes) > 2:
        return Label(name, classes, positive)
    return Label(name, tuple(sorted(classes, key=lambda one: one == positive)))


def _distinct(cells: pd.Series) -> int:
    """How many distinct values a column has, as far as its first rows do not say "many"."""
    first = int(cells.iloc[:_LOOKED_AT].nunique())
    return first if first > _FEW_LEVELS or len(cells) <= _LOOKED_AT else int(cells.nunique())


def _feature_column(cells: pd.Series, distinct: int) -> Column:
    name = str(cells.name)
    if distinct < 2 or is_identifier(cells) or names_a_person(cells) or _is_split(cells):
        return Ignore(name)
    if is_numeric_dtype(cells) and distinct > 2:
        return _numeric_column(cells, distinct)
    if distinct == 2 or (distinct <= _FEW_LEVELS and distinct < _SHARED * cells.notna().sum()):
        return _of_levels(cells)
    if holds_dates(cells):
        return Ignore(name)
    return Text(name) if holds_sentences(cells) else Text(name, max_words=5)


def _of_levels(cells: pd.Series) -> Column:
    """A column of few values, of which some may be one level: "1" and "true", or "F" and "F "."""
    name, levels = str(cells.name), _levels(cells)
    if len(levels) < 2:
        return Ignore(name)
    return Binary(name, (levels[0], levels[1])) if len(levels) == 2 else Categorical(name, levels)


def _numeric_column(cells: pd.Series, distinct: int) -> Column:
    name = str(cells.name)
    values = numbers(cells)
    finite = values[np.isfinite(values)]
    if finite.size == 0 or finite.min() == finite.max():
        return Ignore(name)
    whole = bool((finite == np.floor(finite)).all())
    if whole and distinct <= _FEW_NUMBERS:
        return Categorical(name, levels=_levels(cells))
    bounds = (float(finite.min()), float(finite.max()))
    if not usable_bounds(bounds):
        return Ignore(name)
    # A gap may say something; whether there are any is guessed from the data, and marked.
    gaps = bool(np.isnan(values).any()) and max(map(abs, bounds)) <= WIDEST
    return Numeric(name, bounds=bounds, missing=True if gaps else None)


def leaks(frame: pd.DataFrame, schema: Schema) -> list[Problem]:
    """Columns that tell the label alone: their AUC is above 0.93. For the owner of the data only.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> table = pd.DataFrame({"bill": range(100), "died": [0] * 50 + [1] * 50})
    >>> schema = Schema((Numeric("bill", (0, 99)), Label("died", ("0", "1"))))
    >>> leaks(table, schema)[0].column
    'bill'
    """
    if not schema.has_label or schema.label.name not in frame or len(frame) < _TOO_FEW:
        return []
    some = frame.iloc[:_TESTED]
    label = schema.label
    positive = label_codes(some[label.name], label) == label.positive_index
    if positive.all() or not positive.any():
        return []
    found: dict[str, float] = {}
    for column in schema.columns:
        if column.name in frame and isinstance(column, Numeric | Binary | Categorical):
            area = _area(some[column.name], positive)
            found |= {column.name: area} if area > _LEAK else {}
    if not found:
        return []
    names = [*found]
    told = f"{columns_of(names)} {'tells' if len(names) == 1 else 'tell'} the label alone (AUC "
    remedy = "if nobody knows it before the outcome, leave it out."
    sentence = f"{told}{max(found.values()):.2f}); {remedy}"
    return [Problem("warning", sentence, None, names[0], tuple(names), "ignore")]


def _area(cells: pd.Series, positive: BoolArray) -> float:
    """AUC of one column, levels in the order of how often they are positive; never below 0.5."""
    if is_numeric_dtype(cells):
        values = cells.to_numpy(dtype=np.float64, na_value=np.nan)
        values = np.where(np.isfinite(values), values, np.nanmedian(values))
    else:
        codes, _ = pd.factorize(cells)
        sizes = np.bincount(codes + 1)
        # Shrunk to one half, so that a rare level does not tell of its own rows.
        shares = (np.bincount(codes + 1, weights=positive) + 1) / (sizes + 2)
        values = shares[codes + 1]
    ranks = pd.Series(values).rank()
    n, m = int(positive.sum()), int((~positive).sum())
    area = (float(ranks[positive].sum()) - n * (n + 1) / 2) / (n * m)
    return max(area, 1.0 - area)
