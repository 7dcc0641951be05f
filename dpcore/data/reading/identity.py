"""Columns that tell people apart."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from dpcore.schema.cells import numbers

_ENDING = r"(id|ids|nbr|nr|no|num|number|key|code|uuid|guid)"
_RECORD = re.compile(rf"^(.*[\s_.-])?({_ENDING}|index|row|record|rowid|recordid)$", re.IGNORECASE)
_PERSON = re.compile(
    rf"^(.*[\s_.-])?((patient|person|people|customer|client|user|member|subject|account|employee"
    rf"|student|household)[\s_.-]*{_ENDING}|ssn|e-?mail|phone)$",
    re.IGNORECASE,
)
_FEW_ROWS = 20
_MANY_ROWS = 100
_LOOKED_AT = 5000
_LONG_TEXT = 3.0


def all_distinct(cells: pd.Series) -> bool:
    """Say whether no value occurs twice, missing cells aside."""
    start = cells.iloc[:_LOOKED_AT].dropna()
    return bool(start.is_unique) and bool(cells.dropna().is_unique)


def mean_words(cells: pd.Series) -> float:
    """Average number of words in the first texts of a column."""
    start = cells.dropna().iloc[:_LOOKED_AT].astype("str")
    return sum(len(text.split()) for text in start) / max(len(start), 1)


def is_identifier(cells: pd.Series) -> bool:
    """Say whether a column looks like a record number.

    No value occurs twice, and: its name says so; or it holds short texts (in 20 rows or more); or
    it holds whole numbers that count up or down (20 rows) or are many (100 rows).

    Parameters
    ----------
    cells : Series of shape (n,)
        Its name counts.

    Examples
    --------
    >>> is_identifier(pd.Series([17, 18, 19], name="patient_id"))
    True
    >>> is_identifier(pd.Series([17, 18, 19], name="age"))
    False
    """
    count = int(cells.notna().sum())
    fractional = is_numeric_dtype(cells) and not is_integer_dtype(cells)
    if count < 2 or fractional or not all_distinct(cells):
        return False
    if _RECORD.match(str(cells.name)) or _PERSON.match(str(cells.name)):
        return True
    if not is_numeric_dtype(cells):
        return count >= _FEW_ROWS and mean_words(cells) < _LONG_TEXT
    counts = np.abs(np.diff(numbers(cells))) == 1.0
    return count >= (_FEW_ROWS if counts.all() else _MANY_ROWS)


def names_a_person(cells: pd.Series) -> bool:
    """Say whether a column is named like a number of a person, who may own several rows."""
    return _PERSON.match(str(cells.name)) is not None
