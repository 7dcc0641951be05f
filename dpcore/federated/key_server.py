"""One of two servers that count with keys and never meet a record: messages, evaluation, sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import FederationError
from dpcore.federated import comparison
from dpcore.federated.messages import Message
from dpcore.federated.ring64 import Words, unsigned
from dpcore.federated.session import Plan
from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Ledger
from dpcore.privacy.ledger import OneProcess
from dpcore.release import release


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
        cls, plan: Plan, noise: NoiseSource, owner: str, *, shares: int | None = None
    ) -> IntervalNoise:
        """Charge an account of the owner, and draw: all of the noise, or one of so many shares.

        Of exact counts, for simulations, there is no noise and no charge.

        Privacy
            The charge is for what the noise will hide: every count evaluated with it.
        """
        zeros = np.zeros((plan.classes, plan.intervals), dtype=np.int64)
        if plan.epsilon is None:
            return cls(zeros)
        mechanism: Mechanism[IntArray, IntArray] = (
            plan.whole_noise() if shares is None else plan.share_of_noise(shares)
        )
        ledger, label = Ledger(plan.loss, plan.neighbors), f"interval noise of {owner}"
        return cls(release(mechanism, zeros, label=label, ledger=ledger, noise=noise).value)

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


def keys_message(keys: Sequence[comparison.ComparisonKeys]) -> Message:
    """One server's keys of one party, a set for each class."""
    parts = zip(*(one.corrections for one in keys), strict=True)
    arrays = dict(zip(comparison.Corrections._fields, map(np.stack, parts), strict=True))
    arrays |= {"roots": np.stack([one.roots for one in keys]), "bits": np.packbits(arrays["bits"])}
    facts = {"server": keys[0].server, "records": keys[0].records}
    return Message("comparison keys", facts, arrays)


def keys_from_message(
    message: Message, plan: Plan, server: int
) -> tuple[comparison.ComparisonKeys, ...]:
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
    parts = map(comparison.Corrections, seeds, bits, values, last)
    return tuple(comparison.ComparisonKeys(server, *one) for one in zip(roots, parts, strict=True))


# Seeds in memory at a time.
_AT_ONCE = 2**15


def share_of_counts(keys: comparison.ComparisonKeys, points: IntArray) -> Words:
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

    def __init__(self, keys: comparison.ComparisonKeys, records: slice) -> None:
        every = keys.corrections
        self.depth = keys.depth
        some = (every.seeds[:, records], every.bits[:, records], every.values[:, records])
        self.corrections = comparison.Corrections(*some, every.last[records])
        self.prefixes: IntArray = np.zeros(1, dtype=np.int64)
        self.seeds: Words = keys.roots[np.newaxis, records].copy()
        start = comparison.ALL if keys.server == 1 else np.uint64(0)
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
        values = comparison.expanded(self.seeds, comparison.VALUES)
        seeds = np.empty((prefixes.size, *self.seeds.shape[1:]), dtype=np.uint64)
        bits = np.empty(seeds.shape[:2], dtype=np.uint64)
        totals = self.totals[parents]
        fix = self.corrections
        for side in (comparison.LEFT, comparison.RIGHT):
            here = np.flatnonzero((prefixes & 1) == side)
            from_ = parents[here]
            corrects = self.bits[from_]
            below = comparison.expanded(self.seeds[from_], side)
            fixed = fix.bits[level, :, side].astype(np.uint64)
            bits[here] = comparison.mask_of(below[..., 0] ^ (fixed & corrects))
            below[..., 0] &= comparison.SEED
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
        self._keys: tuple[comparison.ComparisonKeys, ...] = ()
        self._noise = IntervalNoise.drawn(plan, noise, server_name(number))

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
        points = self._plan.asked(request.expect("evaluate"))
        if not self._keys:
            raise FederationError("no party has sent its keys", "ask once they are here")
        shares = np.stack([share_of_counts(one, points) for one in self._keys])
        noisy = shares + unsigned(self._noise.at(points, self._plan))
        return Message("share", {"server": self.number}, {"words": noisy})
