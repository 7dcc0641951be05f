"""Keys for shares of a comparison: two servers evaluate it, and neither knows with what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from dpcore._typing import BoolArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.federated.keys import KeySource
from dpcore.federated.ring64 import Words

LEFT, RIGHT, VALUES = range(3)

# The lowest bit of a seed is its control bit, and no part of what is expanded.
SEED = ~np.uint64(1)

ALL = ~np.uint64(0)


@cache
def _key(role: int) -> bytes:
    return sha256(f"dpcore comparison shares, block {role}".encode()).digest()[:16]


def expanded(seeds: Words, role: int) -> Words:
    """One pseudo-random block of each seed, shape (..., 2), for one of three roles.

    Parameters
    ----------
    seeds : uint64 array, shape (..., 2)
    role : {LEFT, RIGHT, VALUES}

    Notes
    -----
    The block is AES(key, seed) xor seed, with a fixed public key for each role: the construction
    of Matyas, Meyer and Oseas, a one-way function if AES behaves like a random permutation. The
    fixed key is what lets all seeds go through the cipher in one call.

    References
    ----------
    S. M. Matyas, C. H. Meyer, J. Oseas (1985), Generating strong one-way functions with
    cryptographic algorithm, IBM Technical Disclosure Bulletin 27. C. Guo, J. Katz, X. Wang, Y. Yu
    (2020), Efficient and secure multiparty computation from fixed-key block ciphers, IEEE S&P.
    doi:10.1109/SP40000.2020.00016
    """
    text = np.ascontiguousarray(seeds)
    # The cipher asks for room for one more block than it writes.
    room = np.empty(text.nbytes + 16, dtype=np.uint8)
    if text.nbytes:
        # Blocks are enciphered apart on purpose: a permutation of each, not a way to hide text.
        cipher = Cipher(algorithms.AES(_key(role)), modes.ECB()).encryptor()  # noqa: S305
        cipher.update_into(text.view(np.uint8).reshape(-1).data, room.data)
    blocks: Words = room[: text.nbytes].view(np.uint64).reshape(text.shape)
    blocks ^= text
    return blocks


def mask_of(words: Words) -> Words:
    """All bits set where the lowest bit is, none elsewhere.

    Examples
    --------
    >>> mask_of(np.array([2, 3], dtype=np.uint64)).tolist()
    [0, 18446744073709551615]
    """
    return np.asarray(np.negative(words & np.uint64(1)), dtype=np.uint64)


_SEED_BITS = 128

_WORD_BITS = 64

# Records at a time: what belongs to them stays in the processor's cache from level to level.
_AT_ONCE = 2**13


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
    corrections
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
        pairs = zip(mine[:3], theirs[:3], strict=True)
        seeds, bits, values = (np.concatenate(pair, axis=1) for pair in pairs)
        last = np.concatenate([mine.last, theirs.last])
        corrections = Corrections(seeds, bits, values, last)
        return ComparisonKeys(self.server, np.concatenate([self.roots, other.roots]), corrections)


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
    and fixed-point secure computation, EUROCRYPT (here for "at or above").
    doi:10.1007/978-3-030-77886-6_30
    """
    records = cells.size
    if weights.shape != cells.shape or (
        records and not 0 <= cells.min() <= cells.max() < 1 << depth
    ):
        raise InvalidArgument("cells", cells.shape, f"below 2^{depth}, with one weight each")
    random = np.frombuffer(keys.take(32 * records), dtype="<u8").astype(np.uint64)
    roots = random.reshape(2, records, 2)
    roots[..., 0] &= ~np.uint64(1)
    corrections = Corrections(
        np.empty((depth, records, 2), dtype=np.uint64),
        np.empty((depth, records, 2), dtype=np.bool_),
        np.empty((depth, records), dtype=np.uint64),
        np.empty(records, dtype=np.uint64),
    )
    words = weights.astype(np.int64).view(np.uint64)
    for start in range(0, records, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        path = _Path.begun(roots[:, some], words[some])
        for level in range(depth):
            right = mask_of((cells[some] >> (depth - 1 - level)).view(np.uint64))
            seeds, bits, corrections.values[level, some] = path.step(right)
            corrections.seeds[level, some], corrections.bits[level, some] = seeds, bits.T
        corrections.last[some] = path.rest()
    return ComparisonKeys(0, roots[0], corrections), ComparisonKeys(1, roots[1], corrections)


@dataclass
class _Path:
    """Where both servers are on the way to the cell.

    ``seeds`` (2, records, 2); ``bits`` (2, records), control bits as masks; ``gathered`` is the
    difference of what the servers have added so far if the path goes on.
    """

    seeds: Words
    bits: Words
    gathered: Words
    weights: Words

    @classmethod
    def begun(cls, roots: Words, weights: Words) -> _Path:
        """At the root: random seeds, control bits 0 and 1."""
        bits = np.zeros(roots.shape[:2], dtype=np.uint64)
        bits[1] = ALL
        return cls(roots, bits, np.zeros_like(weights), weights)

    def step(self, right: Words) -> tuple[Words, Words, Words]:
        """Go down one level, to the right where the mask is set, and return its correction."""
        left, over = (expanded(self.seeds, role) for role in (LEFT, RIGHT))
        values = expanded(self.seeds, VALUES)
        # Control bits of the children, corrected so that they differ on the path alone.
        bits = np.stack(
            [left[0, :, 0] ^ left[1, :, 0] ^ ~right, over[0, :, 0] ^ over[1, :, 0] ^ right]
        )
        bits &= np.uint64(1)
        keep, lose = _sorted(left, over, right[:, np.newaxis])
        kept, lost = _sorted(values[..., 0], values[..., 1], right)
        seeds = lose[0] ^ lose[1]
        seeds[:, 0] &= SEED
        wanted = lost[1] - lost[0] - self.gathered + (self.weights & ~right)
        value = self._signed(wanted)
        self.gathered += kept[0] - kept[1] + wanted
        kept_bit = bits[0] ^ ((bits[0] ^ bits[1]) & right)
        next_bits = mask_of(keep[..., 0] ^ (kept_bit & self.bits))
        keep[..., 0] &= SEED
        keep ^= seeds & self.bits[..., np.newaxis]
        self.seeds, self.bits = keep, next_bits
        return seeds, bits, value

    def rest(self) -> Words:
        """The last correction: at the cell itself the weight counts."""
        difference = self.seeds[1, :, 1] - self.seeds[0, :, 1]
        return self._signed(difference - self.gathered + self.weights)

    def _signed(self, words: Words) -> Words:
        """Turned around where server 1 applies the correction, whose sum is subtracted."""
        return np.asarray((words ^ self.bits[1]) - self.bits[1], dtype=np.uint64)


def _sorted(left: Words, right: Words, go_right: Words) -> tuple[Words, Words]:
    """What is kept, and what is left behind."""
    difference = left ^ right
    keep = left ^ (difference & go_right)
    return keep, keep ^ difference
