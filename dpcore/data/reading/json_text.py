"""JSON, and the records of one text of it: what no parser reads in one spoils no other."""

import json
import re
from typing import Any

_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]', re.DOTALL)
# No table holds a value within so many others.
_DEEPEST = 100


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
        Dictionaries, if the text is a table; None for what no parser reads: what is nested too
        deep, or a whole number of too many digits.

    Raises
    ------
    ValueError
        If the text is none of these, or its columns differ in length or in the names of rows.

    Privacy
        Two texts of a JSON writer that differ in one record, or in one place of every column, give
        lists that differ in that record: where it ends, its own marks say.

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
    held = read_json(text)
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
        named, rows = [str(one) for one in lists["columns"]], lists["data"]
        whole = (row if isinstance(row, list) and len(row) == len(named) else None for row in rows)
        return [None if row is None else dict(zip(named, row, strict=True)) for row in whole]
    columns = list(lists.values())
    if len(columns) == 1 and len(held) <= 3:
        return columns[0]
    # Single values beside several columns, such as an AUC, are remarks.
    nested = any(isinstance(one, dict) for one in held.values())
    plain = len(columns) == len(held) or (len(columns) > 1 and not nested)
    if plain and len({len(one) for one in columns}) <= 1:
        return [dict(zip(lists, row, strict=True)) for row in zip(*columns, strict=True)]
    raise ValueError("neither columns nor one list")


def read_json(text: str) -> Any:
    """A JSON text; None for a value within that no parser reads.

    Examples
    --------
    >>> read_json(f'[{{"label": {"9" * 5000}}}, {"[" * 5000 + "]" * 5000}, 1]')[::2]
    [{'label': None}, 1]
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return json.loads(_shallow(text), parse_int=_whole)


def _whole(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:
        return None


def _shallow(text: str) -> str:
    """The same text with null in place of what lies too deep."""
    kept, start, depth = list[str](), 0, 0
    for mark in _MARKS.finditer(text):
        if mark[0] in ("[", "{"):
            depth += 1
            if depth == _DEEPEST:
                kept.append(text[start : mark.start()] + "null")
        elif mark[0] in ("]", "}"):
            if depth == _DEEPEST:
                start = mark.end()
            depth -= 1
    if depth:
        raise ValueError("an array or an object does not end")
    return "".join([*kept, text[start:]])
