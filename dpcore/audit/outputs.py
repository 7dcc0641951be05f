"""What a method releases, as rows of numbers that an attacker can compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore._typing import FloatArray

__all__ = ["ABSENT", "numbers", "table"]

# Stands for "nothing here" in rows shorter than the longest.
ABSENT = -1e18
_LARGEST = 1e300


def numbers(output: Any) -> FloatArray:
    """All numbers in an output, in a fixed order, shape (numbers,).

    Parameters
    ----------
    output : object
        Numbers, arrays, sequences, mappings, dataclasses, and any nesting of them. Text and
        anything else counts as nothing.

    Examples
    --------
    >>> numbers({"scores": np.array([1.5, 2.0]), "found": True, "name": "x"}).tolist()
    [1.0, 1.5, 2.0]
    """
    pieces: list[FloatArray] = []
    _collect(output, pieces)
    return np.concatenate(pieces) if pieces else np.zeros(0)


def _collect(output: Any, pieces: list[FloatArray]) -> None:
    if isinstance(output, int | float | Fraction | np.generic):
        pieces.append(np.array([float(output)]))
    elif isinstance(output, np.ndarray):
        if output.dtype.kind in "biuf":
            pieces.append(np.asarray(output, dtype=np.float64).ravel())
    elif isinstance(output, Mapping):
        for key in sorted(output, key=str):
            _collect(output[key], pieces)
    elif is_dataclass(output):
        for field in fields(output):
            _collect(getattr(output, field.name), pieces)
    elif isinstance(output, Sequence) and not isinstance(output, str | bytes):
        for item in output:
            _collect(item, pieces)


def table(rows: Sequence[FloatArray]) -> FloatArray:
    """Rows of one width, shape (outputs, numbers); shorter ones are filled up.

    Infinite numbers become the largest finite ones, and missing ones a number of their own.

    Examples
    --------
    >>> table([np.array([1.0, np.inf]), np.array([2.0])])[0].tolist()
    [1.0, 1e+300]
    """
    width = max((row.size for row in rows), default=0)
    filled = np.full((len(rows), max(width, 1)), ABSENT)
    for place, row in enumerate(rows):
        filled[place, : row.size] = row
    return np.asarray(np.clip(np.nan_to_num(filled, nan=ABSENT), -_LARGEST, _LARGEST))
