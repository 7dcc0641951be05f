"""JSON, and the records of one text of it: what no parser reads in one spoils no other.

What Python, NumPy, PyTorch, R, Spark and databases print of a list is read like JSON.
"""

import json
import math
import re
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from dpcore.data.reading.packed import FOREIGN

_MARKS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[][{}]', re.DOTALL)
# A list that has a name in front of it, at the beginning of a line.
_NAMED = re.compile(r"(?m)^[ \t]*([A-Za-z_][\w.]*)[ \t]*(?:[=:]|<-)[ \t]*(?=[\w.]*\(?\s*\[|c\()")
# Values as libraries print them. A call is what it holds, options such as dtype are none of it.
# In round brackets without a name, or of R's c, is a list, but no number alone, which is a loss.
# What does not end is looked through once.
_PRINTED = re.compile(FOREIGN["printed"])
_WORDS = dict.fromkeys(("none", "nan", "nat", "<na>", "null"), "null")
_WORDS |= {"true": "true", "false": "false"}
# What databases print of a list, and of a record by its names.
_BRACES, _KEYED = re.compile(r"\{([^{}:=]*)\}"), re.compile(r"(?<!\w)(\w+)=(?!>)")
# Between two values of which no mark of JSON holds them apart.
_ADJACENT = re.compile(r"(?<=[^\n\[{:])\n+(?=[^\n\]}:])")
# No table holds a value within so many others.
_DEEPEST = 100


def json_records(text: str, names: Collection[str] = ()) -> list[Any]:
    r"""The records of an array, of an object of columns, or of an object that holds one list.

    A column is a list, or an object whose names are those of the rows, as pandas writes it; names
    of columns beside rows of values are a table too, and so are objects under numbers. Single
    values beside several lists are none.

    Parameters
    ----------
    names
        Of the columns, where they are declared; else the first record has them.

    Returns
    -------
    list
        Dictionaries, or lists of cells, if the text is a table; None for what no parser reads: what
        is nested too deep, or a whole number of too many digits.

    Raises
    ------
    ValueError
        If the text is none of these, or its columns differ in length or in the names of rows; an
        object's names come after the message.

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
    >>> json_records('{"0": {"label": 1}, "1": {"label": 0}}')
    [{'label': 1}, {'label': 0}]
    """
    held = record_of(text)
    if held is None:
        # Values one after the other, or lists that have a name in front of each.
        keyed = _NAMED.sub(r'"\1":', text)
        held = record_of(f"[{text}]" if keyed == text else "{" + keyed + "}")
    held = _unwrapped(held, names) if isinstance(held, dict) else held
    if isinstance(held, list):
        return held
    if not isinstance(held, dict):
        raise ValueError("neither an array nor an object")
    if held and all(isinstance(one, dict) for one in held.values()):
        if len({tuple(one) for one in held.values()}) > 1:
            raise ValueError("columns with other rows", *held)
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
    if held and not lists and not nested:
        return [held]
    raise ValueError("neither columns nor one list", *held)


def _unwrapped(held: dict[str, Any], names: Collection[str]) -> Any:
    """A table out of what programs put around it: MLflow, polars once, and pandas by its index."""
    if {*held} == {"dataframe_split"}:
        return held["dataframe_split"]
    key, first = next(iter(held.items()), ("", None))
    if {*held} == {"columns"} and isinstance(first, list):
        return {str(one.get("name")): one.get("values") for one in first if isinstance(one, dict)}
    objects = all(isinstance(one, dict) for one in held.values())
    if names:
        # Records by their index, unless columns are: one record, whatever it is called, is no two.
        in_columns = len({_way_into(held, name) for name in names} - {None}) >= min(len(names), 2)
        by_index = not in_columns and (objects or all(map(str.isdigit, held)))
    else:
        # Numbers name the records then, or many words, and words the values of each.
        words = first if isinstance(first, dict) else ()
        more = key.isdigit() or (objects and len(held) > len(words))
        by_index = more and bool(words) and not any(map(str.isdigit, words))
        # What has no name in common with the first is another thing.
        alike = (isinstance(one, dict) and {*one} & {*words} for one in held.values())
        by_index = by_index and all(alike)
    return [*held.values()] if by_index else held


def _way_into(held: Collection[str], name: str) -> str | None:
    """The name, or its beginning up to a point, that is one of an object's, if there is one."""
    ways = name.split(".")
    begun = (".".join(ways[: steps + 1]) for steps in range(len(ways)))
    return next((way for way in begun if way in held), None)


def record_of(text: str) -> Any:
    """A value of JSON, or as Python, NumPy, Spark and others print it; None if the text is none.

    Examples
    --------
    >>> record_of("tensor([0.25, 1.], device='cuda:0')"), record_of("[0.2 .8]"), record_of("high")
    ([0.25, 1.0], [0.2, 0.8], None)
    >>> record_of("{'label': 'not ill', 'p': [0.5, None]}")
    {'label': 'not ill', 'p': [0.5, None]}
    """
    with suppress(ValueError):
        return read_json(text.removeprefix("\ufeff"))
    if text.startswith("{"):
        keyed = "=" in text and ":" not in text
        text = _KEYED.sub(r"'\1':", text) if keyed else _BRACES.sub(r"[\1]", text)
    ends = list[str]()
    with suppress(ValueError):
        tokens = (_in_json(token, ends) for token in _PRINTED.finditer(text))
        return read_json(_ADJACENT.sub(",", "\n".join(tokens)))
    return None


def _in_json(token: re.Match[str], ends: list[str]) -> str:
    """A part of a text as JSON has it; what closes the brackets that are open is noted."""
    kind, text = token.lastgroup, token[0]
    if kind == "number":
        number = float(text.rstrip("L"))
        # The same for a finite number, and many times faster.
        return repr(number) if math.isfinite(number) else json.dumps(number)
    if kind == "word":
        return _WORDS.get(text.lower(), "?")
    if kind == "quoted":
        return json.dumps(token["quoted"])
    if kind in ("open", "call"):
        ends.append("]" * (kind == "open"))
        return "[" * (kind == "open")
    if kind == "close" and ends:
        return ends.pop()
    return "" if kind in ("between", "close") else text


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
        return json.JSONDecoder(parse_int=_whole).decode(_shallow(text))


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
