"""Cells read by the type that a schema declares, each by itself."""

from __future__ import annotations

import pandas as pd

from dpcore.schema import Binary, Categorical, Label, Numeric, Schema
from dpcore.schema.cells import MISSING, Decimal, numbers


def typed_by_schema(texts: pd.DataFrame, schema: Schema, decimal: Decimal) -> pd.DataFrame:
    """Read every column of texts by its declared type.

    Parameters
    ----------
    texts : DataFrame of str
    schema : Schema
        Columns that it does not list stay as they are.
    decimal : {".", ","}

    Returns
    -------
    DataFrame
        Columns of float64 (declared numeric, or a label that is cut) or str, with missing cells as
        NaN. The usual words for a missing cell, such as "NA" and "?", are missing unless they are
        declared levels.

    Examples
    --------
    >>> texts = pd.DataFrame({"w": ["1,5", "x"], "c": ["1.50", "NA"]}, dtype="str")
    >>> schema = Schema((Numeric("w", (0, 9)), Categorical("c", ("1.50", "2"))))
    >>> typed_by_schema(texts, schema, ",").to_dict("list")
    {'w': [1.5, nan], 'c': ['1.50', nan]}
    """
    declared = {column.name: column for column in schema.columns}
    columns: dict[str, pd.Series] = {}
    for name, cells in texts.items():
        column = declared.get(str(name))
        if column is None:
            columns[str(name)] = cells
        elif isinstance(column, Numeric) or (isinstance(column, Label) and column.cut is not None):
            columns[str(name)] = pd.Series(numbers(cells, decimal))
        else:
            columns[str(name)] = present_texts(cells, MISSING - _values(column))
    return pd.DataFrame(columns, index=texts.index)


def present_texts(texts: pd.Series, missing: frozenset[str]) -> pd.Series:
    """Strip surrounding spaces, and make the words for "missing" missing."""
    stripped = texts.str.strip()
    return stripped.mask(stripped.isin(missing))


def _values(column: object) -> frozenset[str]:
    match column:
        case Binary() | Categorical():
            return frozenset(column.levels)
        case Label():
            return frozenset(column.classes)
    return frozenset()
