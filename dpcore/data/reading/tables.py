"""Uploads as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from dpcore.data.reading.cell_types import typed_by_schema
from dpcore.data.reading.declared import check_declared, header_bytes, read_declared
from dpcore.data.reading.delimited import read_delimited
from dpcore.data.reading.dialect import NOTHING, Dialect, Stated
from dpcore.data.reading.label_classes import counts_of, in_order, likely_cut, likely_positive
from dpcore.data.reading.layout import is_numbered_name
from dpcore.data.reading.limited_process import in_limited_process
from dpcore.data.reading.parquet import read_parquet, without_rows
from dpcore.data.reading.predictions import is_fractional, label_likeness
from dpcore.data.reading.problems import (
    DEFAULT_LIMITS,
    Limits,
    Problem,
    TooCostly,
    byte_size,
)
from dpcore.data.reading.source import PARQUET_MAGIC, Source, open_source, refuse_foreign
from dpcore.data.reading.survey import is_identifier, mean_words, names_a_person, survey
from dpcore.data.reading.workbooks import header_of_sheet, written_out
from dpcore.errors import DpcoreError, IntakeError, InvalidArgument
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.cells import cell_text, level_key, numbers

_P = ParamSpec("_P")
_R = TypeVar("_R")

_LONGEST_HEADER = 2**24


@dataclass(frozen=True)
class Upload:
    """A table that was read.

    Parameters
    ----------
    frame : DataFrame
        Columns of int64, float64 or text, with missing cells as NaN.
    problems : tuple of Problem
        What is odd about it; nothing that stopped it from being read.
    dialect : Dialect
        How it was written down.
    digest : str
        SHA-256 of the file as it arrived, in hexadecimal; budgets are kept under it.
    taken_from_data : frozenset of str, default=frozenset()
        "dialect" and "types" if they were guessed from the rows of the file: good for teaching, but
        one row may then change how all others are read, and a private release refuses it.
    signed : frozenset of str, default=frozenset()
        Columns of numbers that carry a percent sign in the file.
    sheets : tuple of str, default=()
        What the sheets of a workbook are called; the dialect says which one was read.
    """

    frame: pd.DataFrame
    problems: tuple[Problem, ...]
    dialect: Dialect
    digest: str
    taken_from_data: frozenset[str] = frozenset()
    signed: frozenset[str] = frozenset()
    sheets: tuple[str, ...] = ()


def only_intake_errors(read: Callable[_P, _R]) -> Callable[_P, _R]:
    """Turn whatever a file makes a reader stumble over into one sentence."""

    @wraps(read)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return read(*args, **kwargs)
        except DpcoreError:
            raise
        except MemoryError:
            limits = kwargs.get("limits", DEFAULT_LIMITS)
            assert isinstance(limits, Limits)
            raise TooCostly(limits) from None
        # Any error of any parser: a strange file must never end in a traceback.
        except Exception as error:
            raise IntakeError(
                f"the file cannot be read as a table ({type(error).__name__})",
                remedy="open it in a spreadsheet, check it and save it as CSV in UTF-8",
            ) from error

    return guarded


@only_intake_errors
@in_limited_process(Upload, Problem, Dialect, Stated)
def read_dataset(
    source: bytes | Path,
    *,
    name: str = "",
    limits: Limits = DEFAULT_LIMITS,
    schema: Schema | None = None,
    dialect: Dialect | None = None,
    stated: Stated = NOTHING,
) -> Upload:
    r"""Read a data set: CSV or its relatives, Parquet, an Excel sheet, or JSON lines.

    Delimiter (comma, semicolon, tab, bar, white space), encoding, decimal comma, quotation marks,
    comments and whether there is a header are found out as far as they are not stated, and so is
    which columns are numbers; `Upload.taken_from_data` says so. A file may be gzip-compressed.
    With a schema and a dialect nothing is found out, and every cell is read by itself.
    Cells are never evaluated: formulas and markup are text.

    Parameters
    ----------
    source : bytes or Path
        The file, or where it is.
    name : str, optional
        How sentences call the file; the name of the path if left out.
    limits : Limits, optional
        Most bytes, rows, columns and cells.
    schema : Schema, optional
        Types of the columns; given together with `dialect`.
    dialect : Dialect, optional
        How the file is written, in the words of its owner. Parquet files say themselves.
    stated : Stated, optional
        What is not to be found out, where all the rest is.

    Returns
    -------
    Upload
        If schema and dialect are declared, without problems of the rows.

    Raises
    ------
    IntakeError
        If the file cannot be read as a table; the only error that its contents can cause. Data rows
        are counted from 1 without the header.
    InvalidArgument
        If only one of schema and dialect is given, or the dialect is not among those known.

    Privacy
        With schema and dialect, adding or removing one row leaves what is read of all others as it
        is (see `dpcore.data.reading.declared.read_declared`). Without, it may not; never release
        from that.

    Examples
    --------
    >>> from dpcore.schema import Categorical, Numeric
    >>> upload = read_dataset(b"age;weight;smokes\n30;71,5;no\n41;80,25;yes\n")
    >>> upload.frame["weight"].tolist(), str(upload.dialect)
    ([71.5, 80.25], 'separated by semicolons, utf-8, decimal comma')
    >>> schema = Schema((Numeric("age", (18, 95)), Categorical("code", ("1.50", "x"))))
    >>> table = b"age,code\n30,1.50\nold,x\n"
    >>> read_dataset(table, schema=schema, dialect=Dialect()).frame.to_dict("list")
    {'age': [30.0, nan], 'code': ['1.50', 'x']}
    """
    if schema is not None and dialect is not None:
        names = [column.name for column in schema.columns]
        upload = read_texts(source, name, limits, dialect, names)
        if upload.dialect.format == "parquet":
            return upload
        return replace(upload, frame=typed_by_schema(upload.frame, schema, dialect.decimal))
    if schema is not None or dialect is not None:
        absent = "dialect" if dialect is None else "schema"
        raise InvalidArgument(absent, None, "given, because rows are read by both or by neither")
    upload = read_table(source, name, limits, stated)
    return replace(upload, problems=(*upload.problems, *survey(upload.frame)))


@only_intake_errors
@in_limited_process(Dialect)
def read_header(source: bytes | Path, dialect: Dialect, *, limits: Limits) -> bytes:
    r"""What may be judged of a file before any row is read: a file of its header alone.

    Raises
    ------
    IntakeError
        If the container is damaged, or the header is longer than any list of names.

    Examples
    --------
    >>> read_header(b"age,ill\n30,yes\n", Dialect(), limits=DEFAULT_LIMITS)
    b'age,ill\n'
    """
    opened = open_source(source, "", limits)
    if opened.content.startswith(PARQUET_MAGIC):
        header = without_rows(opened.content)
    elif dialect.format == "excel":
        header = header_of_sheet(opened, limits, dialect)
    else:
        # JSON lines have none: the names of their columns are declared.
        header = b"{}\n" if dialect.format == "json" else header_bytes(opened.content, dialect)
    if len(header) > _LONGEST_HEADER:
        raise IntakeError(
            f"the first line of the file has more than {byte_size(_LONGEST_HEADER)}",
            remedy="let it begin with the names of the columns",
        )
    return header


def column_names(source: bytes | Path, dialect: Dialect, *, limits: Limits) -> tuple[str, ...]:
    r"""The names in the header of a declared file, as the reader of its rows calls them.

    Nothing below the header is looked at; JSON lines have none.

    Raises
    ------
    IntakeError
        If the file has no such header.

    Examples
    --------
    >>> column_names(b"age;ill\n30;yes\n", Dialect(delimiter=";"), limits=DEFAULT_LIMITS)
    ('age', 'ill')
    """
    if dialect.format == "json":
        return ()
    header = read_header(source, dialect, limits=limits)
    return tuple(map(str, read_texts(header, "", limits, dialect).frame.columns))


def read_table(source: bytes | Path, name: str, limits: Limits, stated: Stated = NOTHING) -> Upload:
    """Read a table without looking for oddities in its columns."""
    opened = open_source(source, name, limits)
    if opened.content.startswith(PARQUET_MAGIC):
        return _parquet(opened, limits)
    guessed = frozenset({"dialect", "types"})
    other = written_out(opened, limits, stated)
    if other is not None:
        opened, stated = other.source, other.known(stated)
    refuse_foreign(opened.content, opened.title)
    sheets = () if other is None else other.sheets
    try:
        read = read_delimited(opened, limits, stated)
    except IntakeError as error:
        if other is not None:
            error.tell(sheets=sheets, dialect=other.dialect(Dialect()))
        raise
    dialect = read.dialect if other is None else other.dialect(read.dialect)
    return Upload(
        as_frame(read.table), read.problems, dialect, opened.digest, guessed, read.signed, sheets
    )


def read_texts(
    source: bytes | Path, name: str, limits: Limits, dialect: Dialect, names: Sequence[str] = ()
) -> Upload:
    """Read a table by a declared dialect, all cells as texts; a Parquet file by its own types."""
    check_declared(dialect)
    opened = open_source(source, name, limits)
    if opened.content.startswith(PARQUET_MAGIC):
        return _parquet(opened, limits, declared=True)
    if dialect.format in ("delimited", "parquet"):
        refuse_foreign(opened.content, opened.title)
        dialect = replace(dialect, format="delimited")
    frame, problems = read_declared(opened, limits, dialect, names)
    stated = replace(dialect, compressed=opened.compressed)
    return Upload(frame, tuple(problems), stated, opened.digest)


def _parquet(opened: Source, limits: Limits, *, declared: bool = False) -> Upload:
    table, dialect, problems = read_parquet(opened, limits, declared=declared)
    return Upload(as_frame(table), tuple(problems), dialect, opened.digest)


def as_frame(table: pa.Table) -> pd.DataFrame:
    """A table as a data frame, column by column: nothing is held three times."""
    frame: pd.DataFrame = table.to_pandas(split_blocks=True, self_destruct=True, use_threads=False)
    return frame


MAX_CLASSES = 20
_FEW_NUMBERS = 6
_FEW_LEVELS = 60
_LOOKED_AT = 5000
_SHARED = 0.5
_LONG_TEXT = 3.0
_WORDS_OF_A_NAME = 5
_ANSWERS = frozenset(
    {frozenset(pair) for pair in (("0", "1"), ("no", "yes"), ("false", "true"), ("n", "y"))}
)
_SPLIT_WORDS = frozenset({"train", "training", "test", "testing", "valid", "validation", "dev"})


@only_intake_errors
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
    if label is None:
        label = _likely_label(frame)
    elif label not in frame.columns:
        raise IntakeError("the data lack this column", column=label, remedy="choose one they have")
    columns = tuple(
        _label_column(cells) if name == label else _feature_column(cells)
        for name, cells in frame.items()
    )
    marks = {_MARKS[column.type].format(column.name) for column in columns if column.type in _MARKS}
    gaps = (one for one in columns if isinstance(one, Numeric) and one.missing)
    marks |= {f"{column.name}.missing" for column in gaps}
    marks |= {
        f"{one.name}.cut" for one in columns if isinstance(one, Label) and one.cut is not None
    }
    return Schema(columns, taken_from_data=frozenset(marks))


_MARKS = {
    "numeric": "{}.bounds",
    "binary": "{}.levels",
    "categorical": "{}.levels",
    "label": "{}.classes",
}


def _likely_label(frame: pd.DataFrame) -> str | None:
    """The column that a model would most likely predict; None if none looks like it."""
    last = frame.shape[1] - 1
    unnamed = all(is_numbered_name(str(name)) for name in frame.columns)
    fit: list[tuple[int, bool, int]] = []
    for place, (name, cells) in enumerate(frame.items()):
        distinct = _distinct(cells)
        if not 2 <= distinct <= MAX_CLASSES or _is_split(cells) or len(_levels(cells)) != distinct:
            continue
        two = distinct == 2
        likeness = _likeness(str(name), cells) if two else _many_likeness(str(name), cells)
        # Without names the label stands at the end, or else at the beginning.
        likeness += 3 * (unnamed and place == last) + (unnamed and place == 0 and last > 0)
        if likeness > 0:
            fit.append((likeness, two, place))
    if not fit and _may_be_last(frame.iloc[:, last]):
        return str(frame.columns[last])
    return str(frame.columns[max(fit)[2]]) if fit else None


def _may_be_last(cells: pd.Series) -> bool:
    """Whether the last column holds a few classes, where no other column is called a label."""
    whole = is_numeric_dtype(cells) and not is_fractional(numbers(cells))
    distinct = _distinct(cells)
    often = distinct * _FEW_NUMBERS <= int(cells.notna().sum())
    return whole and 2 < distinct <= _FEW_NUMBERS and often and len(_levels(cells)) == distinct


def _likeness(name: str, cells: pd.Series) -> int:
    """How much a column of two values looks like what a model would predict: 1 to 8."""
    named = label_likeness(name)
    levels = frozenset(level.lower() for level in _levels(cells))
    if named >= 3:
        return 2 * named - 2
    return 1 if named == 0 else (3 if levels in _ANSWERS else 2)


def _many_likeness(name: str, cells: pd.Series) -> int:
    """The same of a column of more values, which must be called a label to be one."""
    whole = not is_numeric_dtype(cells) or not is_fractional(numbers(cells))
    named = label_likeness(name) if whole else 0
    return {5: 7, 4: 4, 3: 4}.get(named, 0)


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
    if distinct > MAX_CLASSES and is_numeric_dtype(cells) and not is_bool_dtype(cells):
        return Label.at_least(name, likely_cut(cells.dropna()))
    if distinct > MAX_CLASSES:
        raise IntakeError(
            f"it has {distinct:,} distinct values, too many for classes",
            column=name,
            remedy=f"choose another label, or reduce it to at most {MAX_CLASSES} classes",
        )
    classes = _levels(cells)
    if len(classes) == 2:
        positive = likely_positive(counts_of(cells.dropna()))
        classes = tuple(sorted(classes, key=lambda one: level_key(one) == level_key(positive)))
    if len(classes) > 2:
        return Label(name, classes, likely_positive(counts_of(cells.dropna())))
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
    bounds = (float(finite.min()), float(finite.max()))
    # A gap may say something; whether there are any is guessed from the data, and marked.
    gaps = bool(np.isnan(values).any()) and max(map(abs, bounds)) <= 1e300
    return Numeric(name, bounds=bounds, missing=True if gaps else None)
