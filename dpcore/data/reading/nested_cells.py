"""Scores that are read from cells of several values, as in ``[0.2,0.8]``."""

from collections.abc import Iterable, Sequence

import pandas as pd

from dpcore.data.reading.json_text import WIDEST, flat, record_of


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
    read = dict[str, list[dict[str, object]]]()
    for name in names:
        whole = column_of(name, [str(one) for one in frame.columns])
        if whole != name:
            read[whole] = read.get(whole) or [_values(cell) for cell in frame[whole]]
            cells = [one.get(name[len(whole) :]) for one in read[whole]]
            frame = frame.assign(**{name: pd.Series(cells, frame.index, dtype=object)})
    return frame


def column_of(name: str, columns: Sequence[str]) -> str:
    """The column that holds what is called so: the one of that name, or of its beginning.

    Examples
    --------
    >>> [column_of(name, ["y", "p"]) for name in ("y", "p.1", "q.1")]
    ['y', 'p', 'q.1']
    """
    held = [one for one in columns if name.startswith(f"{one}.")]
    return name if name in columns else max(held, key=len, default=name)


def _values(cell: object) -> dict[str, object]:
    """What a cell holds, by the way to it from the cell."""
    value = record_of(cell) if isinstance(cell, str) else None
    match value:
        # A vector that Spark prints as its size, places and values.
        case [float(size), [*at], [*held]] if len(at) == len(held) and size <= WIDEST:
            value = [held[at.index(one)] if one in at else 0.0 for one in range(int(size))]
    return flat({"": value}, by_class=True)
