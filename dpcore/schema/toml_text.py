"""Schemas as TOML, both ways."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

import tomli_w

from dpcore.errors import SchemaError
from dpcore.schema.columns import COLUMN_TYPES, Column, Label, Text

_TOP = ("title", "taken_from_data", "column")


def write_toml(columns: Sequence[Column], title: str, taken_from_data: frozenset[str]) -> str:
    """Write columns as TOML; the same columns always give the same text."""
    document: dict[str, Any] = {"title": title} if title else {}
    if taken_from_data:
        document["taken_from_data"] = sorted(taken_from_data)
    document["column"] = [_entry(column) for column in columns]
    return tomli_w.dumps(document)


def _entry(column: Column) -> dict[str, Any]:
    """One [[column]] table: defaults are left out, except those a reader wants to see."""
    entry: dict[str, Any] = {"name": column.name, "type": column.type}
    for field in fields(column)[1:]:
        value = getattr(column, field.name)
        replaced = field.name == "buckets" and isinstance(column, Text) and column.vocabulary
        always = isinstance(column, Text | Label) and field.name != "vocabulary"
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


def read_toml(text: str) -> tuple[tuple[Column, ...], str, frozenset[str]]:
    """Read columns, title and marks from TOML.

    Raises
    ------
    SchemaError
        If the text is not TOML, or a key is missing or unknown; the sentence names the column.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"the schema is not valid TOML: {error}", remedy="correct it") from error
    _refuse_unknown(document, _TOP, None)
    entries = document.get("column", [])
    if not _is_list_of(entries, dict) or not entries:
        raise SchemaError(
            "the schema lists no columns", remedy="add a [[column]] table for every column"
        )
    title = document.get("title", "")
    taken = document.get("taken_from_data", [])
    if not isinstance(title, str):
        raise SchemaError("the title is not a text", remedy="put it in quotation marks")
    if not _is_list_of(taken, str):
        raise SchemaError("taken_from_data is not a list of texts", remedy='write ["age.bounds"]')
    columns = tuple(_column(entry, number) for number, entry in enumerate(entries, start=1))
    return columns, title, frozenset(taken)


def _column(entry: dict[str, Any], number: int) -> Column:
    name = entry.get("name")
    if not isinstance(name, str):
        raise SchemaError(f"column table {number} has no name", remedy='add name = "..."')
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in COLUMN_TYPES:
        raise SchemaError(
            f"its type is {kind!r}", column=name, remedy=f"choose one of {', '.join(COLUMN_TYPES)}"
        )
    known = fields(COLUMN_TYPES[kind])
    _refuse_unknown(entry, ("type", *(field.name for field in known)), name)
    for field in known:
        if field.default is MISSING and field.name not in entry:
            raise SchemaError(
                f"a {kind} column needs {field.name}", column=name, remedy=f"add {field.name} = ..."
            )
    return COLUMN_TYPES[kind](**{key: value for key, value in entry.items() if key != "type"})


def _refuse_unknown(table: dict[str, Any], known: Sequence[str], column: str | None) -> None:
    for key in table:
        if key not in known:
            raise SchemaError(
                f"the key {key!r} is unknown here",
                column=column,
                remedy=f"use only {', '.join(known)}",
            )


def _is_list_of(values: object, kind: type) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)
