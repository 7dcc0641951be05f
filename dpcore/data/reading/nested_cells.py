"""Cells that hold several values, such as ``[0.2,0.8]``: each value as a cell of its own."""

from collections.abc import Iterable

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
        held = [str(one) for one in frame.columns if name.startswith(f"{one}.")]
        if (whole := max(held, key=len, default="")) and name not in frame.columns:
            read[whole] = read.get(whole) or [_values(cell) for cell in frame[whole]]
            cells = [one.get(name[len(whole) :]) for one in read[whole]]
            frame = frame.assign(**{name: pd.Series(cells, frame.index, dtype=object)})
    return frame


def _values(cell: object) -> dict[str, object]:
    """What a cell holds, by the way to it from the cell."""
    return flat({"": record_of(cell) if isinstance(cell, str) else None}, by_class=True)
