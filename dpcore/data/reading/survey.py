"""What stands out in a table, column by column."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from pandas.api.types import is_float_dtype

from dpcore.data.reading.identity import is_identifier, names_a_person
from dpcore.data.reading.problems import Problem, count_of, limited
from dpcore.schema.cells import shown

_LOOKED_AT = 5000


def survey(frame: pd.DataFrame) -> list[Problem]:
    """Look for missing and infinite cells, constant columns and identifiers.

    Parameters
    ----------
    frame : DataFrame
        Its exact contents show in the sentences: they are for the owner of the data only.

    Returns
    -------
    list of Problem

    Examples
    --------
    >>> survey(pd.DataFrame({"age": [30.0, None]}))[0].sentence
    "Column 'age' has 1 missing cell in 2 rows, the first in data row 2; the schema says what \
stands in for it."
    """
    found: dict[str, list[Problem]] = {what: [] for _, what in _LOOKS}
    for name, cells in frame.items():
        for look, what in _LOOKS:
            problem = look(cells, str(name))
            found[what] += [problem] if problem else []
    return [problem for what, kind in found.items() for problem in limited(kind, what)]


def _missing(cells: pd.Series, name: str) -> Problem | None:
    missing = cells.isna().to_numpy()
    if not missing.any():
        return None
    if missing.all():
        sentence = f"Column {name!r} is empty; make it ignore."
        return Problem("warning", sentence, column=name)
    row = int(np.argmax(missing)) + 1
    count = f"{count_of(int(missing.sum()), 'missing cell')} in {count_of(len(cells), 'row')}"
    remedy = "the schema says what stands in for it."
    sentence = f"Column {name!r} has {count}, the first in data row {row:,}; {remedy}"
    return Problem("note", sentence, row, name)


def _infinite(cells: pd.Series, name: str) -> Problem | None:
    if not is_float_dtype(cells):
        return None
    infinite = np.isinf(cells.to_numpy())
    if not infinite.any():
        return None
    row = int(np.argmax(infinite)) + 1
    count = count_of(int(infinite.sum()), "infinite number")
    remedy = "they will be clipped to the bounds of the schema."
    sentence = f"Column {name!r} has {count}, the first in data row {row:,}; {remedy}"
    return Problem("warning", sentence, row, name)


def _constant(cells: pd.Series, name: str) -> Problem | None:
    if len(cells) < 2 or cells.iloc[:_LOOKED_AT].nunique() > 1 or cells.nunique() != 1:
        return None
    value = shown(cells.dropna().iloc[0])
    sentence = f"Column {name!r} holds the one value {value} and tells nothing; make it ignore."
    return Problem("warning", sentence, column=name)


def _identifier(cells: pd.Series, name: str) -> Problem | None:
    if not is_identifier(cells):
        return None
    what = f"Column {name!r} has another value in every row and looks like a record number"
    return Problem("warning", f"{what}; make it ignore.", column=name)


def _repeated_person(cells: pd.Series, name: str) -> Problem | None:
    if not names_a_person(cells) or is_identifier(cells) or cells.isna().all():
        return None
    row = int(np.argmax(cells.duplicated().to_numpy())) + 1
    what = f"Column {name!r} names the same person in several rows, first again in data row {row:,}"
    remedy = "privacy is promised per row, so keep one row for each person and make it ignore."
    return Problem("warning", f"{what}; {remedy}", row, name)


_LOOKS: tuple[tuple[Callable[[pd.Series, str], Problem | None], str], ...] = (
    (_missing, "have missing cells"),
    (_infinite, "have infinite numbers"),
    (_constant, "hold one value only"),
    (_identifier, "look like record numbers"),
    (_repeated_person, "name the same person several times"),
)
