"""Randomness for computing with published numbers.

This is not privacy noise, and no release may be built from it. A band or a p-value is an integral
over the known law of noise that was already drawn and published with; a pseudo-random generator
approximates that integral. Everything that enters is public, the seed too, so that anybody who
holds the release finds the same digits again. It lives here because all randomness does: see
`dpcore.noise` for the sources that protect data.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore import _check
from dpcore._typing import FloatArray

__all__ = ["Generator", "monte_carlo", "seed_from"]

# For annotations elsewhere, where a mention of numpy's random module is an error.
Generator: TypeAlias = np.random.Generator


def monte_carlo(seed: int) -> Generator:
    """A generator for integrals over public numbers, the same for the same seed.

    Parameters
    ----------
    seed : int
        Zero or positive, and public.

    Examples
    --------
    >>> monte_carlo(7).integers(0, 100, 3).tolist() == monte_carlo(7).integers(0, 100, 3).tolist()
    True
    """
    _check.integer_in_range(0, None, seed=seed)
    return np.random.default_rng(int(seed))


def seed_from(*released: NDArray[np.int64] | FloatArray) -> int:
    """A seed that is a function of released arrays, so that it is public as they are.

    Examples
    --------
    >>> seed_from(np.arange(3)) == seed_from(np.arange(3))
    True
    >>> seed_from(np.arange(3)) == seed_from(np.arange(4))
    False
    """
    digest = hashlib.sha256()
    for values in released:
        digest.update(np.ascontiguousarray(values).tobytes())
    return int.from_bytes(digest.digest()[:8], "big")
