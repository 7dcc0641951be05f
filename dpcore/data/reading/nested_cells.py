"""Scores that are read from cells of several values, ``[0.2,0.8]``, or from two columns."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray
from dpcore.data.reading import prediction_columns as naming
from dpcore.data.reading.json_text import WIDEST, flat, record_of
from dpcore.data.reading.label_classes import MOST_CLASSES, levels_of
from dpcore.data.reading.problems import FEW_RECORDS, Pair, Problem
from dpcore.errors import IntakeError
from dpcore.schema.cells import level_key, shown


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


def sure_of_another(
    frame: pd.DataFrame, unit: FloatArray, classes: Pair, columns: Pair
) -> list[Problem]:
    """A warning if scores say how sure a model is of the class it answers, whichever that is.

    Then no score is below what the surest of so many classes has at least, and another column holds
    the same classes, or a "label" beside nothing but the score may be the answer.

    Raises
    ------
    IntakeError
        If the classes are two, and the name of that column says that it is an answer; or if there
        is none but "label" beside "score", words as text pipelines write them.

    Examples
    --------
    >>> table = pd.DataFrame({"y": ["no", "yes"] * 10, "other": ["no", "yes"] * 10, "p": 0.8})
    >>> told = sure_of_another(table, table["p"].to_numpy(), ("no", "yes"), ("y", "p"))
    >>> told[0].sentence[:45]
    "No score in column 'p' is below 0.5: it seems"
    """
    label, score = columns
    theirs = levels_of(frame[label]) if MOST_CLASSES * np.nanmin(unit, initial=1.0) >= 1.0 else ()
    if len(theirs) < 2 or len(theirs) * unit.min() < 1.0 or unit.max() <= 0.5:
        return []
    keys, others = {level_key(one) for one in theirs}, frame.columns.drop([label, score])
    piped = [label.lower(), score.lower()] == ["label", "score"] and str in map(type, keys)
    alone = [label] * (piped or (others.empty and label.lower() == "label"))
    for name in (*map(str, others), *alone):
        values = levels_of(frame[name]) if frame[name].nunique() <= len(theirs) else ()
        same = {*map(level_key, values)} <= keys or naming.scores_of_classes(values, theirs)
        # The names of both end, or mean, alike.
        stem = [] != naming.words_of(name)[:-1] == naming.words_of(score)[:-1]
        named = stem or naming.score_likeness(name) >= 3 or naming.label_likeness(name) >= 3
        # An answer that is always the positive class has its score.
        whole = len(values) == len(theirs) or (named and len(theirs) == 2)
        if not (values and same and whole) or values == (classes[1],):
            continue
        what = f"no score in column {score!r} is below {1 / len(theirs):.2g}: it seems to say"
        what += f" how sure the model is of its own answer, {name!r}"
        whose = f"the score of {shown(classes[1])} in every row"
        remedy = f"give {whose}, of two classes one minus it where the answer is another"
        if name == label:
            remedy = f"give what happened and {whose}, or name this column truth if it is that"
        many = unit.size >= FEW_RECORDS
        if (piped and many) if name == label else (named and len(theirs) == 2):
            raise IntakeError(what, remedy=remedy)
        if many:
            return [Problem("warning", f"N{what[1:]}; {remedy}.", column=score)]
    return []
