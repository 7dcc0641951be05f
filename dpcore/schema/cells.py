"""One meaning for every cell, so that 1, 1.0, "1" and "1.0" are the same level.

What a cell means depends on that cell alone. How a column is stored does not: one odd cell turns a
column of numbers or truth values into objects or texts, one missing cell turns whole numbers into
floats, and then no other record may change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from numbers import Integral, Real

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import SchemaError

# The usual words for a missing cell.
MISSING = frozenset({"", "NA", "N/A", "n/a", "?", "null", "NULL", "Null", "nan", "NaN", "NAN"})
_EXACT_INTEGERS = 2.0**53
_SHOWN = 40
# Python refuses to write longer integers out; as floats they are infinite anyway.
_LONGEST_BITS = 10_000
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.IGNORECASE
)
_CODE = re.compile(r"[+-]?0[0-9]")
_TRUTH = {"true": 1.0, "false": 0.0}


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
        whole_number = int(value)
        if whole_number.bit_length() > _LONGEST_BITS:
            return "inf" if whole_number > 0 else "-inf"
        return str(whole_number)
    if isinstance(value, Real):
        number = float(value)
        whole = number.is_integer() and abs(number) < _EXACT_INTEGERS
        return str(int(number)) if whole else repr(number)
    return str(value).strip()


def text_number(text: str) -> float:
    """Read one text as a number: NaN if it is none; a truth value is 1 or 0.

    Examples
    --------
    >>> [text_number(text) for text in ("1.50", "-2e3", "True", "007", "1,5")]
    [1.5, -2000.0, 1.0, 7.0, nan]
    """
    if _NUMBER.fullmatch(text):
        return float(text)
    return _TRUTH.get(text.lower(), math.nan)


def level_key(value: object) -> str | float:
    """What two cells share if and only if they are the same level or label.

    Numbers and truth values are compared as floating-point numbers, because a column may be stored
    as such; anything else, and codes such as "007", as text.

    Examples
    --------
    >>> [level_key(value) for value in (1, "1.0", True, "1.50", "007", " yes ")]
    [1.0, 1.0, 1.0, 1.5, '007', 'yes']
    """
    text = cell_text(value)
    number = text_number(text)
    return number if math.isfinite(number) and not _CODE.match(text) else text


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
        Position in `levels`; -1 where the cell is missing or is no level. Depends on each cell by
        itself.

    Examples
    --------
    >>> level_codes(pd.Series(["no", "yes", None, "perhaps"]), ("no", "yes")).tolist()
    [0, 1, -1, -1]
    >>> level_codes(pd.Series([1, 0.0, True, "1.0"], dtype=object), ("0", "1")).tolist()
    [1, 0, 1, 1]
    """
    position = {level_key(level): number for number, level in enumerate(levels)}
    codes, distinct = _distinct(cells)
    # The last entry answers code -1, which is how factorize marks a missing cell.
    numbers = [position.get(level_key(value), -1) for value in distinct] + [-1]
    return np.array(numbers, dtype=np.int64)[codes]


def numbers(cells: pd.Series) -> FloatArray:
    """Read every cell as a number by itself; NaN where it is missing or is no number.

    Examples
    --------
    >>> numbers(pd.Series(["1.5", "two", None, "true"])).tolist()
    [1.5, nan, nan, 1.0]
    """
    if is_numeric_dtype(cells) or is_bool_dtype(cells):
        return cells.to_numpy(dtype=np.float64, na_value=np.nan)
    codes, distinct = _distinct(cells)
    values = [text_number(cell_text(value)) for value in distinct] + [math.nan]
    return np.array(values, dtype=np.float64)[codes]


def _distinct(cells: pd.Series) -> tuple[IntArray, Iterable[object]]:
    """Number the distinct values of a column; -1 marks a missing cell."""
    if cells.dtype == object:
        # To factorize, True and 1 are equal, and the first of them would name the other.
        cells = cells.map(cell_text, na_action="ignore")
    codes, distinct = pd.factorize(cells)
    return codes, distinct
