"""One canonical text for every cell, so that 1, 1.0 and "1" are the same level."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import SchemaError

_EXACT_INTEGERS = 2.0**53
_SHOWN = 40


def cell_text(value: object) -> str:
    """Write one cell the way schemas write levels and classes.

    Whole numbers lose their decimal point (a column of 0 and 1 turns into 0.0 and 1.0 as soon as
    one cell is missing), truth values are lower-case, and text loses surrounding spaces.

    Examples
    --------
    >>> [cell_text(value) for value in (1, 1.0, " yes ", True, 0.5)]
    ['1', '1', 'yes', 'true', '0.5']
    """
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        number = float(value)
        whole = number.is_integer() and abs(number) < _EXACT_INTEGERS
        return str(int(number)) if whole else repr(number)
    return str(value).strip()


def shown(value: object) -> str:
    """Quote a cell for a message, cut to a readable length."""
    text = cell_text(value)
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")


def column_of(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return the column of this name, or raise `SchemaError` if there is none, or more than one."""
    found = int((frame.columns == name).sum())
    if found == 1:
        return frame[name]
    problem = "the data lack this column" if found == 0 else f"the data hold it {found} times"
    raise SchemaError(problem, column=name, remedy="make the data and the schema agree on its name")


def level_codes(cells: pd.Series, levels: tuple[str, ...]) -> IntArray:
    """Number every cell by its level.

    Parameters
    ----------
    cells : Series of shape (n,)
    levels : tuple of str

    Returns
    -------
    IntArray of shape (n,)
        Position in `levels`; -1 where the cell is missing or is no level.

    Examples
    --------
    >>> level_codes(pd.Series(["no", "yes", None, "perhaps"]), ("no", "yes")).tolist()
    [0, 1, -1, -1]
    """
    position = {level: number for number, level in enumerate(levels)}
    if cells.dtype == object:
        # To factorize, True and 1 are equal, and the first of them would name the other.
        cells = cells.map(cell_text, na_action="ignore")
    codes, distinct = pd.factorize(cells)
    # The last entry answers code -1, which is how factorize marks a missing cell.
    numbers = [position.get(cell_text(value), -1) for value in distinct] + [-1]
    return np.array(numbers, dtype=np.int64)[codes]


def numbers(cells: pd.Series) -> FloatArray:
    """Read every cell as a number; NaN where it is missing or is no number.

    Examples
    --------
    >>> numbers(pd.Series(["1.5", "two", None])).tolist()
    [1.5, nan, nan]
    """
    if is_numeric_dtype(cells) or is_bool_dtype(cells):
        return cells.to_numpy(dtype=np.float64, na_value=np.nan)
    parsed = pd.to_numeric(cells.astype("str"), errors="coerce")
    return parsed.to_numpy(dtype=np.float64, na_value=np.nan)
