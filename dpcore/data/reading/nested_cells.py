"""Values within a cell or a record, as in ``[0.2,0.8]``, by the way to them, or by their class."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from dpcore.data.reading.json_text import record_of
from dpcore.schema.cell_arrays import called, called_as

# How deep a record is looked into, and how many values of a list may be scores of classes.
_DEEP, WIDEST = 3, 20
_SEVERAL = (list, dict)
_CLASS_NAMES = ("label", "class", "category", "name")


def unfolded(frame: pd.DataFrame) -> pd.DataFrame:
    """Add each value within the cells of a column as a column, named by the way to it.

    A guess: the first row says which ways there are.

    Examples
    --------
    >>> unfolded(pd.DataFrame({"y": [1], "proba": ["[0.2 0.8]"]})).to_dict("list")
    {'y': [1], 'proba': ['[0.2 0.8]'], 'proba.0': [0.2], 'proba.1': [0.8]}
    """
    first = {name: [*_values(cells.iloc[0])][:WIDEST] for name, cells in frame.items()}
    return with_values(frame, [f"{name}{way}" for name, ways in first.items() for way in ways])


def with_values(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Add the named columns that are values within cells of others, each cell read by itself.

    Examples
    --------
    >>> with_values(pd.DataFrame({"p": ["[0.2, 0.8]", "high"]}), ["p.1"])["p.1"].tolist()
    [0.8, None]
    """
    read, wanted = dict[str, list[dict[str, object]]](), list(names)
    frame = called_as(frame, wanted)
    for name in wanted:
        whole = column_of(name, [str(one) for one in frame.columns])
        if whole != name:
            read[whole] = read.get(whole) or [_values(cell) for cell in frame[whole]]
            cells = [one.get(name[len(whole) :]) for one in read[whole]]
            frame = frame.assign(**{name: pd.Series(cells, frame.index, dtype=object)})
    return frame


def column_of(name: str, columns: Sequence[str]) -> str:
    """The column that holds what is called so: the one of that name (`called`), or its beginning.

    Examples
    --------
    >>> [column_of(name, ["y", "p"]) for name in ("y", "p.1", "q.1")]
    ['y', 'p', 'q.1']
    """
    held = [one for one in columns if name.startswith(f"{one}.")]
    return name if name in columns else max(held, key=len, default=called(name, columns))


def _values(cell: object) -> dict[str, object]:
    """What a cell holds, by the way to it from the cell."""
    value = record_of(cell) if isinstance(cell, str) else None
    match value:
        # A vector that Spark prints as its size, places and values.
        case [float(size), [*at], [*held]] if len(at) == len(held) and 0 <= size <= WIDEST:
            value = [held[at.index(one)] if one in at else 0.0 for one in range(int(size))]
    return flat({"": value}, by_class=True)


def flat(record: object, depth: int = _DEEP, *, by_class: bool = False) -> dict[str, object]:
    """The values of a record by their names; those within by the way to them, such as "proba.1".

    Names in an object, and places in a short list, or the classes that its objects name, or that a
    list of names beside it does. What lies deeper, and long lists such as coordinates of a text,
    are left out. Of a record that is a list itself the columns are numbered.

    Examples
    --------
    >>> scored = {"p": [{"label": "yes", "score": 0.9}, {"label": "no", "score": 0.1}]}
    >>> flat(scored, by_class=True), [*flat(scored)]
    ({'p.yes': 0.9, 'p.no': 0.1}, ['p.0.label', 'p.0.score', 'p.1.label', 'p.1.score'])
    """
    found: dict[str, object] = {}
    if isinstance(record, list) and depth == _DEEP:
        record = {f"column_{place}": one for place, one in enumerate(record, start=1)}
    record = record if isinstance(record, dict) else {}
    for name, value in record.items():
        if not isinstance(value, _SEVERAL):
            found[str(name)] = value
        elif depth and (isinstance(value, dict) or len(value) <= WIDEST):
            inner = value if isinstance(value, dict) else dict(enumerate(value))
            if by_class and isinstance(value, list):
                inner = _classes(value, record) or inner
            within = flat(inner, depth - 1, by_class=by_class)
            found |= {f"{name}.{way}": one for way, one in within.items()}
    return found


def _classes(scored: list[Any], record: dict[str, Any]) -> dict[Any, Any]:
    """The score of each class, where every object of a list, or a list beside it, names them."""
    if scored and isinstance(scored[0], _SEVERAL):
        pairs = [(*one, *one.values()) for one in scored if isinstance(one, dict) and len(one) == 2]
        # What Arrow and Python hold of a class and its score has no names.
        lists = (one for one in scored if isinstance(one, list) and len(one) == 2)
        pairs += [("name", "score", *one) for one in lists if isinstance(one[0], str)]
        told = [(one, score) for key, _, one, score in pairs if key.lower() in _CLASS_NAMES]
        # What is no JSON has no whole numbers.
        told = [(int(one) if one in range(WIDEST) else one, score) for one, score in told]
        found = {one: score for one, score in told if isinstance(one, str | int)}
        # One alone says how sure a model is of its answer.
        return found if 1 < len(found) == len(scored) else {}
    beside = record.values() if scored and isinstance(scored[0], float) and len(record) > 1 else ()
    lists = (one for one in beside if isinstance(one, list) and len(one) == len(scored))
    names = [one for one in lists if all(isinstance(each, str) for each in one)]
    return dict(zip(names[-1], scored, strict=True)) if names else {}
