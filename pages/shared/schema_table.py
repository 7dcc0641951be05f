"""A schema as an editable table: one row per column, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd

from dpcore.errors import SchemaError
from dpcore.intake import suggest_schema
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text

MOST_LEVELS = 60
_LISTS = {Binary: "levels", Categorical: "levels", Label: "classes", Text: "vocabulary"}


def rows(schema: Schema) -> pd.DataFrame:
    """One row per column; what does not apply to its type stays empty."""
    return pd.DataFrame([_row(column, schema) for column in schema.columns])


def _row(column: Column, schema: Schema) -> dict[str, Any]:
    low, high = column.bounds if isinstance(column, Numeric) else (None, None)
    listed = _LISTS.get(type(column))
    marked = [
        field.name
        for field in fields(column)
        if f"{column.name}.{field.name}" in schema.taken_from_data
    ]
    return {
        "column": column.name,
        "type": column.type,
        "lower": low,
        "upper": high,
        "fill": column.missing if isinstance(column, Numeric) else None,
        "values": list(getattr(column, listed)) if listed else [],
        "taken from the data": ", ".join(marked),
    }


def edited(schema: Schema, changes: Mapping[int, Mapping[str, Any]], frame: pd.DataFrame) -> Schema:
    """Apply the edits of a table.

    An edited column counts as declared by its owner. Facts that a new type needs and the visitor
    has not given are taken from the data, and marked.

    Raises
    ------
    SchemaError
        If the result is no schema; one sentence with the column.
    """
    table = rows(schema)
    for place, change in changes.items():
        row = {**table.iloc[int(place)].to_dict(), **change}
        old = schema.columns[int(place)]
        kind = row["type"]
        given = {name for name in change if name in ("lower", "upper", "values")}
        if kind != old.type and not given:
            schema = _suggested(schema, old.name, kind, frame)
        else:
            schema = schema.with_column(_column(row, old))
    return schema


def with_label(schema: Schema, name: str, frame: pd.DataFrame) -> Schema:
    """Make another column the label; the old one becomes a feature again."""
    changed = schema
    if schema.has_label:
        old = schema.label.name
        again = suggest_schema(frame[[old]].assign(**{"\0": 0})).column(old)
        changed = _replaced(changed, Ignore(old) if isinstance(again, Label) else again)
    suggested = suggest_schema(frame, label=name)
    return _marked(_replaced(changed, suggested.label), suggested, name)


def with_positive(schema: Schema, positive: str) -> Schema:
    """Let scores be about another class; what else is known of the label stays marked."""
    label = replace(schema.label, positive=positive)
    return _replaced(schema, label)


def _replaced(schema: Schema, column: Column) -> Schema:
    columns = tuple(column if old.name == column.name else old for old in schema.columns)
    known = {f"{column.name}.{field.name}" for field in fields(column)}
    kept = frozenset(
        mark
        for mark in schema.taken_from_data
        if mark.rpartition(".")[0] != column.name or mark in known
    )
    return replace(schema, columns=columns, taken_from_data=kept)


def _marked(schema: Schema, suggested: Schema, name: str) -> Schema:
    marks = {mark for mark in suggested.taken_from_data if mark.rpartition(".")[0] == name}
    return replace(schema, taken_from_data=schema.taken_from_data | marks)


def _suggested(schema: Schema, name: str, kind: str, frame: pd.DataFrame) -> Schema:
    if kind == "label":
        return with_label(schema, name, frame)
    cells = frame[name].dropna()
    if kind == "numeric":
        column, field = _numeric_of(name, cells), "bounds"
    elif kind in ("binary", "categorical"):
        column, field = _levels_of(name, kind, cells), "levels"
    else:
        return schema.with_column(Text(name) if kind == "text" else Ignore(name))
    changed = schema.with_column(column)
    marks = changed.taken_from_data | {f"{name}.{field}"}
    return replace(changed, taken_from_data=marks)


def _numeric_of(name: str, cells: pd.Series) -> Numeric:
    numbers = pd.to_numeric(cells, errors="coerce").dropna()
    if numbers.empty:
        raise SchemaError(
            "it holds no number", column=name, remedy="make it categorical, text or ignore"
        )
    low, high = float(numbers.min()), float(numbers.max())
    return Numeric(name, bounds=(low, high if high > low else low + 1.0))


def _levels_of(name: str, kind: str, cells: pd.Series) -> Binary | Categorical:
    levels = tuple(sorted({str(value) for value in cells.unique()[: MOST_LEVELS + 1]}))
    if len(levels) > MOST_LEVELS:
        raise SchemaError(
            f"it has more than {MOST_LEVELS} values", column=name, remedy="make it text or ignore"
        )
    return Binary(name, levels=levels) if kind == "binary" else Categorical(name, levels=levels)


def _column(row: Mapping[str, Any], old: Column) -> Column:
    name, values = row["column"], tuple(str(value) for value in _listed(row["values"]))
    match row["type"]:
        case "numeric":
            return Numeric(name, bounds=(row["lower"], row["upper"]), missing=_number(row["fill"]))
        case "binary":
            return Binary(name, levels=values)
        case "categorical":
            return Categorical(name, levels=values)
        case "text":
            kept = old if isinstance(old, Text) else Text(name)
            return replace(kept, vocabulary=values)
        case "label":
            positive = old.positive if isinstance(old, Label) and old.positive in values else ""
            return Label(name, classes=values, positive=positive)
        case _:
            return Ignore(name)


def _number(value: object) -> float | None:
    return None if value is None or (isinstance(value, float) and np.isnan(value)) else float(value)


def _listed(values: object) -> list[object]:
    return list(values) if isinstance(values, list | tuple | np.ndarray) else []
