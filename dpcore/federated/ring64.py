"""Arithmetic modulo 2^64, in which masked numbers and their sums live.

NumPy's unsigned 64-bit arrays wrap around, so sums are exact in this ring whatever their size.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import IntArray
from dpcore.federated.keys import key_stream

Words: TypeAlias = NDArray[np.uint64]


def unsigned(numbers: IntArray) -> Words:
    """Whole numbers as elements of the ring.

    Examples
    --------
    >>> unsigned(np.array([1, -1])).tolist()
    [1, 18446744073709551615]
    """
    return np.ascontiguousarray(numbers, dtype=np.int64).view(np.uint64)


def signed(words: Words) -> IntArray:
    """Elements of the ring as the whole numbers nearest to zero that they stand for.

    Examples
    --------
    >>> signed(unsigned(np.array([1, -1])) + unsigned(np.array([2, -3]))).tolist()
    [3, -4]
    """
    return np.ascontiguousarray(words, dtype=np.uint64).view(np.int64)


def masks(key: bytes, size: int) -> Words:
    """Pseudo-random elements of the ring that a key stands for, shape (size,)."""
    return np.frombuffer(key_stream(key, 8 * size), dtype="<u8").astype(np.uint64)
