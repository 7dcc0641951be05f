"""Keys for shares of a comparison: two servers evaluate it, and neither knows with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpcore._typing import BoolArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.federated.blocks import LEFT, RIGHT, VALUES, Child, child, expanded
from dpcore.federated.keys import KeySource
from dpcore.federated.words import Words

__all__ = ["ComparisonKeys", "Corrections", "comparison_keys", "key_bits"]

_SEED_BITS = 128
_WORD_BITS = 64


class Corrections(NamedTuple):
    """What both servers hold of every record, level by level.

    ``seeds`` uint64 (depth, records, 2); ``bits`` bool (depth, records, 2), for left and right;
    ``values`` uint64 (depth, records); ``last`` uint64 (records,).
    """

    seeds: Words
    bits: BoolArray
    values: Words
    last: Words


@dataclass(frozen=True, eq=False)
class ComparisonKeys:
    """One server's keys for many records.

    Parameters
    ----------
    server : {0, 1}
    roots : uint64 array, shape (records, 2)
    corrections : Corrections
        The same for both servers.
    """

    server: int
    roots: Words
    corrections: Corrections

    @property
    def depth(self) -> int:
        """Number of bits of a cell."""
        return int(self.corrections.seeds.shape[0])

    @property
    def records(self) -> int:
        """Number of records, those included that count for nothing."""
        return int(self.roots.shape[0])

    def joined(self, other: ComparisonKeys) -> ComparisonKeys:
        """These keys, and those of more records."""
        mine, theirs = self.corrections, other.corrections
        if (self.server, self.depth) != (other.server, other.depth):
            raise InvalidArgument("other", (other.server, other.depth), "keys of the same kind")
        return ComparisonKeys(
            self.server,
            np.concatenate([self.roots, other.roots]),
            Corrections(
                np.concatenate([mine.seeds, theirs.seeds], axis=1),
                np.concatenate([mine.bits, theirs.bits], axis=1),
                np.concatenate([mine.values, theirs.values], axis=1),
                np.concatenate([mine.last, theirs.last]),
            ),
        )


def key_bits(depth: int) -> int:
    """Length in bits of one server's key for one record.

    The root, then for each level a seed, two control bits and a value; and the last value.

    Examples
    --------
    >>> key_bits(16)
    3296
    """
    return _SEED_BITS + depth * (_SEED_BITS + 2 + _WORD_BITS) + _WORD_BITS


def comparison_keys(
    cells: IntArray, weights: IntArray, depth: int, keys: KeySource
) -> tuple[ComparisonKeys, ComparisonKeys]:
    """Split the functions "weight if the point is at or above the cell, else zero".

    Parameters
    ----------
    cells : int array, shape (records,)
        Private; below 2^depth.
    weights : int array, shape (records,)
        Private; a weight of zero makes a key that counts for nothing and looks like any other.
    depth : int
    keys : KeySource

    Returns
    -------
    pair of ComparisonKeys
        Whoever holds one of the two learns nothing about cells or weights, if AES is a good
        permutation: it is computationally indistinguishable from random bytes.

    Notes
    -----
    Both servers walk down a binary tree. Off the path of the cell their seeds agree and their
    control bits too, so that what they add cancels; on it both differ, and the corrections see to
    it that on leaving the path to the right the weight remains, and on leaving it to the left
    nothing. Each level of generation takes six blocks of AES for each record: three for each
    server's seed.

    References
    ----------
    E. Boyle, N. Gilboa, Y. Ishai (2015), Function secret sharing, EUROCRYPT.
    doi:10.1007/978-3-662-46803-6_12. E. Boyle et al. (2021), Function secret sharing for mixed-mode
    and fixed-point secure computation, EUROCRYPT, Figure 1 (here for "at or above").
    doi:10.1007/978-3-030-77886-6_30
    """
    records = cells.size
    if weights.shape != cells.shape or (
        records and not 0 <= cells.min() <= cells.max() < 1 << depth
    ):
        raise InvalidArgument("cells", cells.shape, f"below 2^{depth}, with one weight each")
    random = np.frombuffer(keys.take(32 * records), dtype="<u8").astype(np.uint64)
    path = _Path.begun(random.reshape(2, records, 2), weights.astype(np.int64).view(np.uint64))
    roots = path.seeds[0].copy(), path.seeds[1].copy()
    corrections = Corrections(
        np.empty((depth, records, 2), dtype=np.uint64),
        np.empty((depth, records, 2), dtype=np.bool_),
        np.empty((depth, records), dtype=np.uint64),
        np.empty(records, dtype=np.uint64),
    )
    for level in range(depth):
        right = (cells >> (depth - 1 - level) & 1).astype(np.bool_)
        seeds, bits, values = path.step(right)
        corrections.seeds[level], corrections.bits[level] = seeds, bits
        corrections.values[level] = values
    corrections.last[:] = path.rest()
    return ComparisonKeys(0, roots[0], corrections), ComparisonKeys(1, roots[1], corrections)


@dataclass
class _Path:
    """Where both servers are on the way to the cell.

    ``seeds`` (2, records, 2), ``bits`` (2, records); ``gathered`` is the difference of what the
    servers have added so far if the path goes on.
    """

    seeds: Words
    bits: BoolArray
    gathered: Words
    weights: Words

    @classmethod
    def begun(cls, random: Words, weights: Words) -> _Path:
        """At the root: random seeds, control bits 0 and 1."""
        random[..., 0] &= ~np.uint64(1)
        bits = np.zeros(random.shape[:2], dtype=np.bool_)
        bits[1] = True
        return cls(random, bits, np.zeros_like(weights), weights)

    def step(self, right: BoolArray) -> tuple[Words, BoolArray, Words]:
        """Go down one level, and return its correction."""
        left, on_right = child(self.seeds, LEFT), child(self.seeds, RIGHT)
        values = expanded(self.seeds, VALUES)
        keep, lose = _chosen(left, on_right, right), _chosen(left, on_right, ~right)
        kept, lost = _halves(values, right), _halves(values, ~right)
        seeds = lose.seeds[0] ^ lose.seeds[1]
        bits = np.stack(
            [
                left.bits[0] ^ left.bits[1] ^ ~right,
                on_right.bits[0] ^ on_right.bits[1] ^ right,
            ],
            axis=-1,
        )
        wanted = lost[1] - lost[0] - self.gathered + np.where(right, np.uint64(0), self.weights)
        value = self._signed(wanted)
        self.gathered += kept[0] - kept[1] + self._signed(value)
        corrects = self.bits
        kept_bit = np.where(right, bits[:, 1], bits[:, 0])
        self.seeds = keep.seeds ^ np.where(corrects[..., np.newaxis], seeds, np.uint64(0))
        self.bits = keep.bits ^ (corrects & kept_bit)
        return seeds, bits, value

    def rest(self) -> Words:
        """The last correction: at the cell itself the weight counts."""
        return self._signed(
            self.seeds[1, :, 1] - self.seeds[0, :, 1] - self.gathered + self.weights
        )

    def _signed(self, words: Words) -> Words:
        """Turned around where server 1 applies the correction, whose sum is subtracted."""
        return np.where(self.bits[1], np.negative(words), words)


def _chosen(left: Child, right: Child, go_right: BoolArray) -> Child:
    return Child(
        np.where(go_right[:, np.newaxis], right.seeds, left.seeds),
        np.where(go_right, right.bits, left.bits),
    )


def _halves(values: Words, right: BoolArray) -> Words:
    """The left or the right number of each block, shape (2, records)."""
    return np.where(right, values[..., 1], values[..., 0])
