"""The public description of a table, and its TOML, both ways."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import tomli_w

from dpcore import _check
from dpcore._typing import IntArray, NDArray
from dpcore.errors import SchemaError
from dpcore.schema.cell_arrays import column_of, frame_of
from dpcore.schema.cells import amounts, cell_text, codes_of_classes, numbers, shown
from dpcore.schema.columns import (
    COLUMN_TYPES,
    Binary,
    Categorical,
    Column,
    Ignore,
    Label,
    Numeric,
    Text,
)


def _entry(column: Column) -> dict[str, Any]:
    """One [[column]] table: defaults are left out, except those a reader wants to see."""
    entry: dict[str, Any] = {"name": column.name, "type": column.type}
    for field in fields(column)[1:]:
        value = getattr(column, field.name)
        replaced = field.name == "buckets" and isinstance(column, Text) and column.vocabulary
        always = isinstance(column, Text | Label) and field.name not in ("vocabulary", "cut")
        if not replaced and (always or field.default is MISSING or value != field.default):
            entry[field.name] = _plain(value)
    return entry


def _plain(value: Any) -> Any:
    """Tuples as lists, and whole numbers without their point."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _column(entry: dict[str, Any], number: int) -> Column:
    name = entry.get("name")
    if not isinstance(name, str):
        raise SchemaError(f"column table {number} has no name", remedy='add name = "..."')
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in COLUMN_TYPES:
        what = f"its type is {kind!r}"
        raise SchemaError(what, column=name, remedy=f"choose one of {', '.join(COLUMN_TYPES)}")
    known = fields(COLUMN_TYPES[kind])
    _refuse_unknown(entry, ("type", *(field.name for field in known)), name)
    for field in known:
        if field.default is MISSING and field.name not in entry:
            what = f"a {kind} column needs {field.name}"
            raise SchemaError(what, column=name, remedy=f"add {field.name} = ...")
    return COLUMN_TYPES[kind](**{key: value for key, value in entry.items() if key != "type"})


def _refuse_unknown(table: dict[str, Any], known: Sequence[str], column: str | None) -> None:
    for key in table:
        if key not in known:
            what = f"the key {key!r} is unknown here"
            raise SchemaError(what, column=column, remedy=f"use only {', '.join(known)}")


def _is_list_of(values: object, kind: type) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


# What a model of the schema may need of memory is known before there are records: so many features,
# and so many counts of a feature in a class.
MAX_FEATURES, MAX_COUNTS = 2**19, 2**23

FeatureColumn: TypeAlias = Numeric | Binary | Categorical | Text


@dataclass(frozen=True)
class Schema:
    """What is public about a table, written by its owner and never learned from private data.

    Parameters
    ----------
    columns : tuple of Column
        In the order of the table; at most one `Label`.
    title : str, default=""
    taken_from_data : frozenset of str, default=frozenset()
        Marks such as "age.bounds" for facts that were read off the data. A schema with marks is
        good for teaching; a private release refuses it.

    Raises
    ------
    SchemaError
        If there are no columns, a name occurs twice, there are two labels, a mark names nothing, or
        the columns become more than 2^19 features, or 2^23 for all classes together.

    Examples
    --------
    >>> schema = Schema((Numeric("age", bounds=(18, 95)), Label("y", classes=("no", "yes"))))
    >>> [column.name for column in schema.features], schema.label.positive
    (['age'], 'yes')
    >>> Schema.from_toml(schema.to_toml()) == schema
    True
    """

    columns: tuple[Column, ...]
    title: str = ""
    taken_from_data: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _check.listed(columns=self.columns)
        object.__setattr__(self, "columns", tuple(self.columns))
        for column in self.columns:
            if not isinstance(column, Column):
                remedy = "declare it, for example as Numeric('age', (18, 95))"
                raise SchemaError(f"a column of it is a {type(column).__name__}", remedy=remedy)
        object.__setattr__(self, "taken_from_data", frozenset(self.taken_from_data))
        if not self.columns:
            raise SchemaError("the schema lists no columns", remedy="add one column or more")
        for name, times in Counter(column.name for column in self.columns).items():
            if times > 1:
                problem = f"the schema lists it {times} times"
                raise SchemaError(problem, column=name, remedy="give every column its own name")
        labels = [column.name for column in self.columns if isinstance(column, Label)]
        if len(labels) > 1:
            problem = f"the schema has {len(labels)} labels: {', '.join(labels)}"
            raise SchemaError(problem, remedy="keep one and make the others ignore")
        self._check_width()
        self._check_marks()

    def _check_width(self) -> None:
        """A schema that is too wide fails here, and not where the room that is left decides."""
        classes = len(self.label.classes) if self.has_label else 1
        most = min(MAX_FEATURES, MAX_COUNTS // classes)
        if self.width > most:
            of_classes = f" of {classes:,} classes" if classes > 2 else ""
            what = f"its columns become {self.width:,} features{of_classes}"
            remedy = f"declare fewer levels or buckets, for at most {most:,} features"
            raise SchemaError(what, remedy=remedy)

    @property
    def width(self) -> int:
        """Number of features that the columns become."""
        return sum(column.width for column in self.features)

    def _check_marks(self) -> None:
        columns = {column.name: column for column in self.columns}
        for mark in sorted(self.taken_from_data):
            name, _, field = mark.rpartition(".")
            column = columns.get(name)
            known = () if column is None else (part.name for part in fields(column))
            if field == "name" or field not in known:
                what = f"taken_from_data holds {mark!r}, which names nothing in the schema"
                raise SchemaError(what, remedy="write marks like age.bounds or job.levels")

    @property
    def has_label(self) -> bool:
        """Whether one of the columns is a label."""
        return any(isinstance(column, Label) for column in self.columns)

    @property
    def label(self) -> Label:
        """The label; raises `SchemaError` if there is none."""
        for column in self.columns:
            if isinstance(column, Label):
                return column
        raise SchemaError("the schema has no label", remedy="make one column the label")

    @property
    def features(self) -> tuple[FeatureColumn, ...]:
        """The columns that enter a model."""
        return tuple(column for column in self.columns if not isinstance(column, Label | Ignore))

    def column(self, name: str) -> Column:
        """Return the column of this name; raises `SchemaError` if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        listed = ", ".join(column.name for column in self.columns[:10])
        raise SchemaError("the schema lacks this column", column=name, remedy=f"it has {listed}")

    def with_column(self, column: Column) -> Schema:
        """Replace the column of the same name.

        Its marks in `taken_from_data` go: whoever writes a column declares it.
        """
        self.column(column.name)
        columns = tuple(column if old.name == column.name else old for old in self.columns)
        marks = (mark for mark in self.taken_from_data if mark.rpartition(".")[0] != column.name)
        return replace(self, columns=columns, taken_from_data=frozenset(marks))

    def to_toml(self) -> str:
        """Write the schema as TOML; equal schemas give equal texts."""
        return self._toml

    @cached_property
    def _toml(self) -> str:
        document: dict[str, Any] = {"title": self.title} if self.title else {}
        if self.taken_from_data:
            document["taken_from_data"] = sorted(self.taken_from_data)
        document["column"] = [_entry(column) for column in self.columns]
        return tomli_w.dumps(document)

    @classmethod
    def from_toml(cls, text: str) -> Schema:
        """Read a schema from TOML; raises `SchemaError` with the column and the key at fault."""
        if not isinstance(text, str):
            problem = f"a schema is read from text, not from {type(text).__name__}"
            raise SchemaError(problem, remedy="give Schema.read the path of a file")
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            problem = f"the schema is not valid TOML: {error}"
            raise SchemaError(problem, remedy="correct it") from error
        _refuse_unknown(document, ("title", "taken_from_data", "column"), None)
        entries = document.get("column", [])
        if not _is_list_of(entries, dict) or not entries:
            what = "the schema lists no columns"
            raise SchemaError(what, remedy="add a [[column]] table for every column")
        title = document.get("title", "")
        taken = document.get("taken_from_data", [])
        if not isinstance(title, str):
            raise SchemaError("the title is not a text", remedy="put it in quotation marks")
        if not _is_list_of(taken, str):
            problem = "taken_from_data is not a list of texts"
            raise SchemaError(problem, remedy='write ["age.bounds"]')
        columns = tuple(_column(entry, number) for number, entry in enumerate(entries, start=1))
        return cls(columns, title, frozenset(taken))

    @classmethod
    def read(cls, path: str | Path) -> Schema:
        """Read a schema from a TOML file."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problem = f"the schema file {Path(path).name} cannot be read"
            raise SchemaError(problem, remedy="give the path of a TOML file in UTF-8") from error
        return cls.from_toml(text)

    def digest(self) -> str:
        """SHA-256 of the TOML text, in hexadecimal."""
        return hashlib.sha256(self.to_toml().encode()).hexdigest()

    def validate(self, frame: pd.DataFrame) -> None:
        """Check that a table can be encoded and learned from.

        `dpcore.data.reading.problems` counts what does not fit; this only says if work can start.

        Raises
        ------
        SchemaError
            If a feature or the label is not in the table, a numeric column holds no number at all,
            or a label is missing or is none of the classes. The sentence names column and row.
        """
        frame = frame_of(frame)
        for column in self.features:
            cells = column_of(frame, column.name)
            if isinstance(column, Numeric) and cells.notna().any():
                _require_numbers(cells, column.name)
        if self.has_label:
            _require_classes(column_of(frame, self.label.name), self.label)


def _require_numbers(cells: pd.Series, name: str) -> None:
    if np.isnan(amounts(cells)).all():
        problem = f"it holds no number, but for example {shown(cells.dropna().iloc[0])}"
        raise SchemaError(problem, column=name, remedy="make it categorical, text or ignore")


def label_codes(cells: pd.Series | NDArray[Any], label: Label) -> IntArray:
    """Position of each label among the classes, -1 where it is none: each cell by itself.

    In capital or small letters a label is the same, as `codes_of_classes` says.

    Examples
    --------
    >>> quality = Label.at_least("quality", 7)
    >>> label_codes(pd.Series(["3", "7", "?"]), quality).tolist()
    [0, 1, -1]
    """
    if label.cut is None:
        return codes_of_classes(cells, label.classes)
    values = numbers(cells)
    return np.where(np.isnan(values), -1, values >= label.cut).astype(np.int64)


def _require_classes(cells: pd.Series, label: Label) -> None:
    """Raise `SchemaError` at the first label that is missing or no class."""
    indices = label_codes(cells, label)
    if (indices < 0).any():
        row = int(np.argmax(indices < 0))
        what, remedy = "the label is missing", "remove the row"
        if cell_text(cells.iloc[row]):
            what = f"the label {shown(cells.iloc[row])} is no class"
            remedy = "remove the row, or declare the class"
        raise SchemaError(what, row=row + 1, column=label.name, remedy=remedy)
