"""What can be asked of training and holdout records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.errors import InvalidArgument

# From records to one number for each of them.
Query: TypeAlias = Callable[[Any], ArrayLike]


def size_of(records: Any) -> int:
    """Number of records of an array, a frame, a sparse matrix or a sequence.

    Examples
    --------
    >>> size_of([1, 2, 3]), size_of(np.zeros((5, 2)))
    (3, 5)
    """
    shape = getattr(records, "shape", None)
    return int(shape[0]) if shape else len(records)


def values_of(query: Query, records: Any) -> NDArray[np.generic]:
    """What a query says of each record, shape (1, records).

    Raises
    ------
    InvalidArgument
        If it does not give one number for each record.
    """
    return values_per_record(np.asarray(query(records))[None], size_of(records), "query")


def values_per_record(values: ArrayLike, records: int, name: str) -> NDArray[np.generic]:
    """Check that values have the shape (questions, records).

    Examples
    --------
    >>> values_per_record([[True, False]], 2, "train").shape
    (1, 2)
    """
    given = np.asarray(values)
    if given.ndim != 2 or given.shape[1] != records or given.dtype.kind not in "biuf":
        wanted = f"one number for each of the {records} records"
        raise InvalidArgument(name, f"{given.dtype} {given.shape}", wanted)
    return given
