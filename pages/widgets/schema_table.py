"""A schema as an editable table, one row per column, and back; or by hand, of data unseen."""

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.data.reading import suggest_schema
from dpcore.data.reading.roles.classes import choices_of, cut_at
from dpcore.errors import SchemaError
from dpcore.schema import Binary, Categorical, Column, Ignore, Label, Numeric, Schema, Text
from dpcore.schema.columns import COLUMN_TYPES
from pages.session.text import said

MOST_LEVELS = 60
# The table wherever a schema is filled in: what it is called, its types, and what its columns about
# missing numbers mean.
TOLD = {"hide_index": True, "alt": "The schema: one row for each column of the table."}
TYPES = {"type": st.column_config.SelectboxColumn(options=list(COLUMN_TYPES), required=True)}
GAPS = "Numbers may be missing: a missing one is then a value of its own to every model."
FILL = "Stands in for a missing number if `gaps` is not set; the middle of the bounds if empty."
_LISTS = {Binary: "levels", Categorical: "levels", Label: "classes", Text: "vocabulary"}


def rows(schema: Schema) -> pd.DataFrame:
    """One row per column; what does not apply to its type stays empty."""
    return pd.DataFrame([_row(column, schema) for column in schema.columns])


def _row(column: Column, schema: Schema) -> dict[str, Any]:
    numeric = isinstance(column, Numeric)
    (low, high), missing = (column.bounds, column.missing) if numeric else ((None, None), None)
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
        "gaps": missing is True,
        "fill": missing if missing is not True else None,
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
    """Make another column the label; its classes are taken from the data, and marked.

    The old label becomes a feature.

    Raises
    ------
    DataError
        If the column has one value or too many.
    """
    suggested = suggest_schema(frame, label=name)
    if schema.has_label and schema.label.name != name:
        schema = _as_feature(schema, schema.label, frame)
    marks = {mark for mark in suggested.taken_from_data if _column_of(mark) == name}
    return _replaced(schema, suggested.label, marks)


def with_positive(schema: Schema, positive: str, frame: pd.DataFrame) -> Schema:
    """Let scores be about another class, or a label of numbers be cut, as in "at least 7".

    What else is known of the label stays as it is; its classes are taken from the data again where
    it was cut before.
    """
    label = schema.label
    marks = {mark for mark in schema.taken_from_data if _column_of(mark) == label.name}
    if positive in label.classes:
        return _replaced(schema, replace(label, positive=positive), marks)
    if (cut := cut_at(positive)) is not None:
        return _replaced(schema, Label.at_least(label.name, cut), ())
    return with_positive(with_label(schema, label.name, frame), positive, frame)


def positives(label: Label, frame: pd.DataFrame) -> tuple[str, ...]:
    """What could be the positive class: the classes, and where a label of numbers can be cut."""
    found = choices_of(frame[label.name]) if label.name in frame else ()
    return (*label.classes, *(one for one in found if one not in label.classes))


def _as_feature(schema: Schema, label: Label, frame: pd.DataFrame) -> Schema:
    if label.cut is not None:
        return _suggested(schema, label.name, "numeric", frame)
    was_taken = f"{label.name}.classes" in schema.taken_from_data
    marks = {f"{label.name}.levels"} if was_taken else set()
    if len(label.classes) == 2:
        return _replaced(schema, Binary(label.name, levels=label.classes), marks)
    return _replaced(schema, Categorical(label.name, levels=label.classes), marks)


def _replaced(schema: Schema, column: Column, marks: Collection[str]) -> Schema:
    """Put a column in place of the one of its name, with these marks and no other of its own."""
    changed = schema.with_column(column)
    return replace(changed, taken_from_data=changed.taken_from_data | set(marks))


def _column_of(mark: str) -> str:
    return mark.rpartition(".")[0]


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
    return _replaced(schema, column, {f"{name}.{field}"})


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
            missing = True if row["gaps"] else _number(row["fill"])
            return Numeric(name, bounds=(row["lower"], row["upper"]), missing=missing)
        case "binary":
            return Binary(name, levels=values)
        case "categorical":
            return Categorical(name, levels=values)
        case "text":
            kept = old if isinstance(old, Text) else Text(name)
            return replace(kept, vocabulary=values)
        case "label":
            if isinstance(old, Label) and old.cut is not None and values == old.classes:
                return old
            positive = old.positive if isinstance(old, Label) and old.positive in values else ""
            return Label(name, classes=values, positive=positive)
        case _:
            return Ignore(name)


def _number(value: object) -> float | None:
    return None if value is None or (isinstance(value, float) and np.isnan(value)) else float(value)


def _listed(values: object) -> list[object]:
    return list(values) if isinstance(values, list | tuple | np.ndarray) else []


# For data that nobody looks at: their owner fills in all but the names.
FILLED = "schema form"

_TYPES = {"column": "str", "type": "str", "lower": "float64", "upper": "float64"}
_TYPES |= {"gaps": "bool", "fill": "float64", "values": "str"}
_BLANK = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in _TYPES.items()})


def ask(names: tuple[str, ...] = ()) -> None:
    """A table with one row for each column of the data, of which it holds no more than the names.

    What is filled in is kept.
    """
    blank = _BLANK if not names else _BLANK.reindex(range(len(names))).assign(column=list(names))
    st.session_state[FILLED] = st.data_editor(
        blank.astype({"gaps": "bool"}),
        key=f"private schema form {'/'.join(names)}".strip(),
        num_rows="dynamic",
        **TOLD,
        column_config={
            **TYPES,
            "lower": st.column_config.NumberColumn(help="Needed for numbers; below is clipped."),
            "upper": st.column_config.NumberColumn(help="Needed for numbers; above is clipped."),
            "gaps": st.column_config.CheckboxColumn(help=GAPS),
            "fill": st.column_config.NumberColumn(help=FILL),
            "values": st.column_config.TextColumn(help=said("values of a column")),
        },
    )
    st.caption("Bounds and values are yours to declare: the file is not asked for them.")


def filled() -> Schema:
    """The schema that was declared.

    Raises
    ------
    SchemaError
        If there are no rows, or one lacks what its type needs.
    """
    table = st.session_state.get(FILLED)
    return of_rows([] if table is None else table.to_dict("records"))


def of_rows(rows: list[dict[str, object]]) -> Schema:
    """A schema from the rows of the form, with nothing marked as taken from data."""
    named = [row for row in rows if isinstance(row["column"], str) and row["column"].strip()]
    if not named:
        raise SchemaError("no column is declared", remedy="fill in one row for each column")
    blank = Schema(tuple(Ignore(str(row["column"]).strip()) for row in named))
    changes = {
        place: {
            "type": row["type"] if isinstance(row["type"], str) else Ignore.type,
            **{name: _number(row[name]) for name in ("lower", "upper", "fill")},
            "gaps": row["gaps"] is True,
            "values": _texts(row["values"]),
        }
        for place, row in enumerate(named)
    }
    return edited(blank, changes, pd.DataFrame())


def _texts(text: object) -> list[str]:
    return [part.strip() for part in text.split(",")] if isinstance(text, str) and text else []
