"""The records of one JSON text, each read by itself."""

from __future__ import annotations

import json
import re
from typing import Any

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},]', re.DOTALL)


def json_records(text: str) -> list[Any]:
    r"""The records of an array, of an object of columns, or of an object that holds one list.

    A column is a list, or an object whose names are those of the rows, as pandas writes it; names
    of columns beside rows of values are a table too. Single values beside several lists are none.

    Parameters
    ----------
    text : str

    Returns
    -------
    list
        Dictionaries, if the text is a table; None for a record that no parser reads: one that is
        nested too deep, or a whole number of too many digits.

    Raises
    ------
    ValueError
        If the text is none of these, or its columns differ in length or in the names of rows.

    Privacy
        Two texts of a JSON writer that differ in one record, or in one place of every column, give
        lists that differ in that record: where it ends, its own marks say, and it is parsed alone.

    Examples
    --------
    >>> json_records('{"label": [1, 0], "score": [0.5, null]}')
    [{'label': 1, 'score': 0.5}, {'label': 0, 'score': None}]
    >>> json_records('{"label": {"0": 1, "1": 0}, "score": {"0": 0.5, "1": null}}')
    [{'label': 1, 'score': 0.5}, {'label': 0, 'score': None}]
    >>> json_records('{"label": [1, 0], "score": [0.5, 1], "auc": 0.5}')[0]
    {'label': 1, 'score': 0.5}
    >>> json_records('{"columns": ["label"], "index": [0, 1], "data": [[1], 7]}')
    [{'label': 1}, None]
    """
    try:
        held = json.loads(text)
    # Perhaps one record only cannot be read: the others are cut out one by one.
    except (ValueError, RecursionError):
        start = _after_space(text, 0)
        held, stop = (_items if text.startswith("[", start) else _members)(text, start)
        if _after_space(text, stop) < len(text):
            raise ValueError("more than one value") from None
    if isinstance(held, list):
        return held
    if not isinstance(held, dict):
        raise ValueError("neither an array nor an object")
    if held and all(isinstance(one, dict) for one in held.values()):
        if len({tuple(one) for one in held.values()}) > 1:
            raise ValueError("columns with other rows")
        held = {name: list(one.values()) for name, one in held.items()}
    lists = {name: one for name, one in held.items() if isinstance(one, list)}
    # By its names alone, so that no cell decides what the others are.
    if {"columns", "data"} <= lists.keys() <= {"columns", "index", "data"}:
        named = [str(one) for one in lists["columns"]]
        return [
            dict(zip(named, row, strict=True))
            if isinstance(row, list) and len(row) == len(named)
            else None
            for row in lists["data"]
        ]
    columns = list(lists.values())
    if len(columns) == 1 and len(held) <= 3:
        return columns[0]
    # Single values beside several columns, such as an AUC, are remarks.
    plain = len(columns) == len(held) or (
        len(columns) > 1 and not any(isinstance(one, dict) for one in held.values())
    )
    if plain and len({len(one) for one in columns}) <= 1:
        return [dict(zip(lists, row, strict=True)) for row in zip(*columns, strict=True)]
    raise ValueError("neither columns nor one list")


def _items(text: str, start: int) -> tuple[list[Any], int]:
    """The values of the array that begins at a place, and where it ends."""
    found: list[Any] = []
    at = _after_space(text, start + 1)
    if text.startswith("]", at):
        return found, at + 1
    while True:
        value, at = _value(text, at)
        found.append(value)
        if text[at] != ",":
            break
        at = _after_space(text, at + 1)
    if text[at] != "]":
        raise ValueError("an array does not end")
    return found, at + 1


def _members(text: str, start: int, inner: bool = True) -> tuple[dict[str, Any], int]:
    """The values of the object that begins at a place, and where it ends.

    Lists are read item by item, and `inner` objects member by member.
    """
    found: dict[str, Any] = {}
    at = start
    while text[at : at + 1] == ("," if found else "{"):
        name, at = _DECODER.raw_decode(text, _after_space(text, at + 1))
        at = _after_space(text, at)
        if not isinstance(name, str) or not text.startswith(":", at):
            raise ValueError("a member has no name")
        at = _after_space(text, at + 1)
        if inner and text[at : at + 1] in ("[", "{"):
            found[name], at = (
                _items(text, at) if text[at] == "[" else _members(text, at, inner=False)
            )
            at = _after_space(text, at)
        else:
            found[name], at = _value(text, at)
    if not text.startswith("}", at):
        raise ValueError("an object does not end")
    return found, at + 1


def _value(text: str, start: int) -> tuple[Any, int]:
    """The value at a place, None if it cannot be read, and where the mark after it is."""
    try:
        value, stop = _DECODER.raw_decode(text, start)
        stop = _after_space(text, stop)
        if text[stop : stop + 1] in (",", "]", "}"):
            return value, stop
    # Too deep, or a whole number of too many digits: its brackets say where it ends.
    except (ValueError, RecursionError):
        pass
    depth = 0
    for mark in _MARKS.finditer(text, start):
        if depth == 0 and mark[0] in (",", "]", "}"):
            return None, mark.start()
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(mark[0], 0)
    raise ValueError("a value does not end")


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()
