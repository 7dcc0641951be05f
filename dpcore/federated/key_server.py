"""One of two servers that count with keys and never meet a record, and the keys themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import ClassVar, NamedTuple

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import FederationError, InvalidArgument
from dpcore.federated.keys import KeySource
from dpcore.federated.messages import Message
from dpcore.federated.ring64 import Words, unsigned
from dpcore.federated.session import Plan
from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Ledger
from dpcore.privacy.ledger import OneProcess
from dpcore.release import release

LEFT, RIGHT, VALUES = range(3)

# The lowest bit of a seed is its control bit, and no part of what is expanded.
SEED = ~np.uint64(1)

ALL = ~np.uint64(0)


@cache
def _key(role: int) -> bytes:
    return sha256(f"dpcore comparison shares, block {role}".encode()).digest()[:16]


def _cipher(role: int) -> CipherContext:
    # Blocks are enciphered apart on purpose: this is a permutation of each, not a way to hide text.
    return Cipher(algorithms.AES(_key(role)), modes.ECB()).encryptor()  # noqa: S305


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
        _cipher(role).update_into(text.view(np.uint8).reshape(-1).data, room.data)
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
_RECORDS_AT_ONCE = 2**13


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
    for start in range(0, records, _RECORDS_AT_ONCE):
        some = slice(start, start + _RECORDS_AT_ONCE)
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


@dataclass(frozen=True, eq=False)
class IntervalNoise(OneProcess):
    """Noise drawn once, kept secret by its owner, and added to every count that is evaluated.

    The paper's eta: because an interval's noise stays the same however often it is asked for, all
    evaluations together cost what was charged once.

    Parameters
    ----------
    numbers : int array, shape (classes, intervals)
        Intervals of one cell first, then those of two, and so on.
    """

    numbers: IntArray

    _called: ClassVar[str] = "the noise of a federation"

    @classmethod
    def drawn(
        cls, plan: Plan, mechanism: Mechanism[IntArray, IntArray], noise: NoiseSource, owner: str
    ) -> IntervalNoise:
        """Charge an account of the owner, and draw.

        Privacy
            The charge is for what the noise will hide: every count evaluated with it.
        """
        zeros = np.zeros((plan.classes, plan.intervals), dtype=np.int64)
        ledger = Ledger(plan.loss, plan.neighbors)
        drawn = release(
            mechanism, zeros, label=f"interval noise of {owner}", ledger=ledger, noise=noise
        )
        return cls(drawn.value)

    @classmethod
    def none(cls, plan: Plan) -> IntervalNoise:
        """No noise at all: for simulations of exact counts."""
        return cls(np.zeros((plan.classes, plan.intervals), dtype=np.int64))

    def at(self, points: IntArray, plan: Plan) -> IntArray:
        """Noise of the counts up to each cell, shape (classes, points)."""
        self._require_own_process()
        noise = self.numbers[:, intervals_of(points, plan.depth)]
        return np.asarray(noise.sum(axis=2), dtype=np.int64)


def intervals_of(points: IntArray, depth: int) -> IntArray:
    """Indices of the intervals that hold each cell, shape (points, depth + 1).

    Examples
    --------
    >>> intervals_of(np.array([0, 3]), 2).tolist()
    [[0, 4, 6], [3, 5, 6]]
    """
    levels = np.arange(depth + 1)
    starts = (2 << depth) - (2 << (depth - levels))
    return np.asarray(starts + (points[:, np.newaxis] >> levels), dtype=np.int64)


def shared_intervals(points: IntArray, depth: int) -> FloatArray:
    """How many intervals two cells have in common, shape (points, points).

    Times the variance of one interval's noise, this is the covariance of the counts' noise.

    Examples
    --------
    >>> shared_intervals(np.array([0, 1, 3]), 2).tolist()
    [[3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [1.0, 1.0, 3.0]]
    """
    mine = intervals_of(points, depth)
    return np.asarray((mine[:, np.newaxis] == mine).sum(axis=2), dtype=np.float64)


def child_noise(noise: NoiseSource, owner: str) -> NoiseSource:
    """A source of one's own for each role: the system's is that anyway, a seed is divided."""
    return noise.child(owner) if isinstance(noise, SeededNoise) else noise


def keys_message(keys: Sequence[ComparisonKeys]) -> Message:
    """One server's keys of one party, a set for each class."""
    first = keys[0]
    parts = [one.corrections for one in keys]
    return Message(
        "comparison keys",
        {"server": first.server, "records": first.records},
        {
            "roots": np.stack([one.roots for one in keys]),
            "seeds": np.stack([part.seeds for part in parts]),
            "bits": np.packbits(np.stack([part.bits for part in parts])),
            "values": np.stack([part.values for part in parts]),
            "last": np.stack([part.last for part in parts]),
        },
    )


def keys_from_message(message: Message, plan: Plan, server: int) -> tuple[ComparisonKeys, ...]:
    """Read what `keys_message` wrote.

    Raises
    ------
    FederationError
        If the keys are for the other server, or do not fit the plan.
    """
    message.expect("comparison keys")
    records, classes, depth = message.fact("records"), plan.classes, plan.depth
    if message.fact("server") != server or not isinstance(records, int) or records < 0:
        raise FederationError("keys came to the wrong server", "deal them again")
    roots = message.array("roots", np.uint64, (classes, records, 2))
    seeds = message.array("seeds", np.uint64, (classes, depth, records, 2))
    values = message.array("values", np.uint64, (classes, depth, records))
    last = message.array("last", np.uint64, (classes, records))
    count = classes * depth * records * 2
    packed = message.array("bits", np.uint8, (-(-count // 8),))
    bits = np.unpackbits(packed, count=count).astype(np.bool_).reshape(seeds.shape)
    return tuple(
        ComparisonKeys(
            server, roots[one], Corrections(seeds[one], bits[one], values[one], last[one])
        )
        for one in range(classes)
    )


# Seeds in memory at a time.
_AT_ONCE = 2**15


def share_of_counts(keys: ComparisonKeys, points: IntArray) -> Words:
    """Shares of the sums of all functions at each point.

    Parameters
    ----------
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
    >>> from dpcore.federated.key_server import comparison_keys
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


def server_name(number: int) -> str:
    """What server `number` is called on the wire."""
    return f"server {number}"


class KeyServer:
    """Keeps one half of all keys, and answers with its share of the noisy counts.

    Parameters
    ----------
    number : {0, 1}

    Privacy
        The server adds one full noise, drawn once after its charge to the server's own account. It
        knows that noise, but not the other server's.
    """

    def __init__(self, number: int, plan: Plan, *, noise: NoiseSource) -> None:
        self.number, self._plan = number, plan
        self._keys: tuple[ComparisonKeys, ...] = ()
        self._noise = IntervalNoise.none(plan)
        if plan.epsilon is not None:
            owner = server_name(number)
            self._noise = IntervalNoise.drawn(plan, plan.whole_noise(), noise, owner)

    @property
    def roots(self) -> Words:
        """The seeds that the server was given: what it saw."""
        return np.concatenate([one.roots.reshape(-1) for one in self._keys])

    def take(self, replies: Mapping[str, Message]) -> None:
        """Keep the keys that parties dealt, those of each class together.

        Raises
        ------
        FederationError
            If a party's keys do not fit; the message names it.
        """
        for party, reply in replies.items():
            try:
                dealt = keys_from_message(reply, self._plan, self.number)
            except FederationError as error:
                raise FederationError(f"{party}: {error.problem}", error.remedy) from error
            held = zip(self._keys, dealt, strict=True)
            self._keys = tuple(one.joined(more) for one, more in held) if self._keys else dealt

    def answer(self, request: Message) -> Message:
        """The server's share of the counts at the points asked for."""
        points: IntArray = request.expect("evaluate").array("points", np.int64)
        on_grid = points.ndim == 1 and points.size and points.min() >= 0
        if not on_grid or points.max() >= self._plan.cells or not self._keys:
            raise FederationError("the points asked for are not on the grid", "ask for others")
        shares = np.stack([share_of_counts(one, points) for one in self._keys])
        noisy = shares + unsigned(self._noise.at(points, self._plan))
        return Message("share", {"server": self.number}, {"words": noisy})
