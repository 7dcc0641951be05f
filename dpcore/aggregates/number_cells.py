"""Numbers as callers hand them over, each read by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore.errors import InvalidArgument
from dpcore.schema.cells import numbers

__all__ = ["numbers_of"]


def numbers_of(values: ArrayLike, name: str) -> NDArray[Any]:
    """Values as floats; NaN where one is missing or no number.

    Parameters
    ----------
    values : array-like, shape (n,)
    name : str
        How an error calls them.

    Returns
    -------
    float array, shape (n,)
        In their own precision.

    Raises
    ------
    InvalidArgument
        If they are no vector, or of a type whose values are no numbers, such as dates. No value
        decides: NumPy finds the type of a list in its values, so those of a list are read one by
        one unless all are numbers.

    Examples
    --------
    >>> numbers_of([0.5, None, "0.25", "high"], "y_score").tolist()
    [0.5, nan, 0.25, nan]
    """
    array = _array(values)
    if array.ndim != 1:
        raise InvalidArgument(name, f"{array.ndim} dimensions", "a vector of numbers")
    if array.dtype.kind in "biuf":
        return array if array.dtype.kind == "f" else array.astype(np.float64)
    if array.dtype.kind not in "OUT":
        raise InvalidArgument(name, str(array.dtype), "a vector of numbers")
    return numbers(pd.Series(array, dtype=object))


def _array(values: ArrayLike) -> NDArray[Any]:
    if hasattr(values, "dtype"):
        return np.asarray(values)
    try:
        array = np.asarray(values)
    except ValueError:  # one value is a list
        return np.array(values, dtype=object)
    return array if array.dtype.kind in "biuf" else np.array(values, dtype=object)
