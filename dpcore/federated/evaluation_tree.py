"""One server's share of a count: all its keys, evaluated at some points at once."""

from __future__ import annotations

import numpy as np

from dpcore._typing import IntArray
from dpcore.federated.blocks import ALL, LEFT, RIGHT, SEED, VALUES, expanded, mask_of
from dpcore.federated.comparison import ComparisonKeys, Corrections
from dpcore.federated.ring64 import Words

__all__ = ["blocks_needed", "share_of_counts"]

# Seeds in memory at a time.
_AT_ONCE = 2**15


def share_of_counts(keys: ComparisonKeys, points: IntArray) -> Words:
    """Shares of the sums of all functions at each point.

    Parameters
    ----------
    keys : ComparisonKeys
    points : int array, shape (points,)
        Public, below 2^depth, in any order.

    Returns
    -------
    uint64 array, shape (points,)
        Pseudo-random; added to the other server's share, modulo 2^64, it is the sum of the weights
        of the records whose cell is at most the point.

    Notes
    -----
    Points that share their leading bits share the walk down to there, so all points of the grid
    take twice as many steps as the last level has points, not the depth times as many.

    Examples
    --------
    >>> from dpcore.federated.comparison import comparison_keys
    >>> from dpcore.federated.keys import SystemKeys
    >>> cells, weights = np.array([1, 2, 2]), np.array([1, 1, 0])
    >>> one, two = comparison_keys(cells, weights, 2, SystemKeys())
    >>> everywhere = np.arange(4)
    >>> (share_of_counts(one, everywhere) + share_of_counts(two, everywhere)).tolist()
    [0, 1, 2, 2]
    """
    asked, back = np.unique(points, return_inverse=True)
    total = np.zeros(asked.size, dtype=np.uint64)
    step = max(_AT_ONCE // max(asked.size, 1), 1)
    for start in range(0, keys.records, step):
        total += _Walk(keys, slice(start, start + step)).to(asked)
    signed = total if keys.server == 0 else np.negative(total)
    return np.asarray(signed[back.reshape(-1)], dtype=np.uint64)


def blocks_needed(points: IntArray, depth: int) -> int:
    """How many blocks of AES one server takes for one record at these points.

    Examples
    --------
    >>> blocks_needed(np.array([5]), 16), blocks_needed(np.arange(4), 2)
    (32, 9)
    """
    prefixes = [np.unique(points >> (depth - level)).size for level in range(depth + 1)]
    # Each prefix gives one block of values, unless it is a leaf; each but the root is one block.
    return sum(prefixes[:-1]) + sum(prefixes[1:])


class _Walk:
    """Some of the records, on the way down to the points."""

    def __init__(self, keys: ComparisonKeys, records: slice) -> None:
        every = keys.corrections
        self.depth = keys.depth
        self.corrections = Corrections(
            every.seeds[:, records],
            every.bits[:, records],
            every.values[:, records],
            every.last[records],
        )
        self.prefixes: IntArray = np.zeros(1, dtype=np.int64)
        self.seeds: Words = keys.roots[np.newaxis, records].copy()
        start = ALL if keys.server == 1 else np.uint64(0)
        self.bits: Words = np.full(self.seeds.shape[:2], start, dtype=np.uint64)
        self.totals: Words = np.zeros(1, dtype=np.uint64)

    def to(self, points: IntArray) -> Words:
        """Walk down all levels; the sums at the points, before the sign of the server."""
        for level in range(self.depth):
            self._down(level, np.unique(points >> (self.depth - 1 - level)))
        last = self.seeds[..., 1] + (self.corrections.last & self.bits)
        return np.asarray(self.totals + last.sum(axis=1, dtype=np.uint64), dtype=np.uint64)

    def _down(self, level: int, prefixes: IntArray) -> None:
        """From the nodes of one level to those of the next that lead to a point."""
        parents = np.searchsorted(self.prefixes, prefixes >> 1)
        values = expanded(self.seeds, VALUES)
        seeds = np.empty((prefixes.size, *self.seeds.shape[1:]), dtype=np.uint64)
        bits = np.empty(seeds.shape[:2], dtype=np.uint64)
        totals = self.totals[parents]
        fix = self.corrections
        for side in (LEFT, RIGHT):
            here = np.flatnonzero((prefixes & 1) == side)
            from_ = parents[here]
            corrects = self.bits[from_]
            below = expanded(self.seeds[from_], side)
            fixed = fix.bits[level, :, side].astype(np.uint64)
            bits[here] = mask_of(below[..., 0] ^ (fixed & corrects))
            below[..., 0] &= SEED
            below ^= fix.seeds[level] & corrects[..., np.newaxis]
            seeds[here] = below
            added = values[from_, :, side] + (fix.values[level] & corrects)
            totals[here] += added.sum(axis=1, dtype=np.uint64)
        self.prefixes, self.seeds, self.bits, self.totals = prefixes, seeds, bits, totals
