"""Whole numbers drawn exactly from a range."""

from __future__ import annotations

import numpy as np

from dpcore._typing import IntArray
from dpcore.noise import NoiseSource

_WORDS = 2**52


def zero_to(end: int, size: int, noise: NoiseSource) -> IntArray:
    """Draw whole numbers uniformly from 0 to end - 1, shape (size,).

    A uniform number is one of 2^52 equally likely ones; the last few, which do not fill a whole
    turn of the range, are drawn again, so that no number is likelier than another.

    Parameters
    ----------
    end : int
        1 to 2^51.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> sorted(set(zero_to(3, 100, SeededNoise(0)).tolist()))
    [0, 1, 2]
    """
    words = (noise.uniform(size) * _WORDS).astype(np.int64)
    late = np.flatnonzero(words >= _WORDS - _WORDS % end)
    while late.size:
        words[late] = (noise.uniform(late.size) * _WORDS).astype(np.int64)
        late = late[words[late] >= _WORDS - _WORDS % end]
    return np.asarray(words % end, dtype=np.int64)
