"""One stream of random draws, by inverse CDF from uniforms only.

NumPy promises that the raw 64-bit integers of PCG64 stay the same from release to release, and does
not promise it for its normal or categorical draws, so everything here is computed from the former.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

__all__ = ["Stream"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Stream:
    """A PCG64 stream whose draws depend on the seed and the order of calls only."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def uniform(self, size: int) -> Floats:
        """Return `size` uniforms strictly between 0 and 1: the odd multiples of 2**-53."""
        top_52_bits = self._bits.random_raw(size) >> np.uint64(12)
        return np.asarray((2.0 * top_52_bits.astype(np.float64) + 1.0) * 2.0**-53)

    def normal(self, size: int, mean: Floats | float = 0.0, scale: Floats | float = 1.0) -> Floats:
        """Return normal draws; `mean` and `scale` are scalars or shape (size,)."""
        return np.asarray(mean + scale * ndtri(self.uniform(size)))

    def exponential(self, size: int, mean: Floats | float = 1.0) -> Floats:
        """Return exponential draws with the given mean, a scalar or shape (size,)."""
        return np.asarray(-mean * np.log(self.uniform(size)))

    def coin(self, log_odds: Floats | float, size: int) -> NDArray[np.bool_]:
        """Return one coin per row that falls True with probability expit(log_odds)."""
        return np.asarray(self.uniform(size) < expit(log_odds))

    def pick(self, weights: Sequence[float], size: int) -> Ints:
        """Return `size` indices, index j with probability proportional to ``weights[j]``."""
        cumulative = np.cumsum(np.asarray(weights, dtype=np.float64))
        return np.asarray(np.searchsorted(cumulative[:-1], self.uniform(size) * cumulative[-1]))

    def pick_by_row(self, logits: Sequence[Floats | float], size: int) -> Ints:
        """Return an index per row, with softmax probabilities of the rows' logits.

        `logits` holds one entry per index, each a scalar or shape (size,).
        """
        columns = [np.broadcast_to(np.asarray(column, dtype=float), size) for column in logits]
        cumulative = np.cumsum(np.exp(np.stack(columns)), axis=0)
        return np.asarray((cumulative[:-1] < self.uniform(size) * cumulative[-1]).sum(axis=0))
