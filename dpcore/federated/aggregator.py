"""The one operation of a federation, and what every trust model has in common."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TypedDict

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray, NDArray
from dpcore.errors import FederationError, InvalidArgument, NotPrivate
from dpcore.federated.keys import KeySource, SeededKeys, SystemKeys, public_key
from dpcore.federated.messages import Message, Traffic, Wire
from dpcore.federated.ring64 import SHARE_BYTES, Words, combined, masks, signed
from dpcore.federated.session import SESSION_FACTS, Plan, Session, pair_mask
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Charge, Ledger, Part
from dpcore.release import open_gate

Bytes = NDArray[np.uint8]
# Both shares of one secret's owner, and the tag of 16 bytes that says who sealed them.
SEALED_BYTES = 2 * SHARE_BYTES + 16


def party_name(number: int) -> str:
    """What party `number` is called on the wire."""
    return f"party {number}"


class _Round:
    """One session as the server sees it."""

    def __init__(self, session: Session, wire: Wire) -> None:
        self.session, self._wire = session, wire
        self.public: dict[int, Bytes] = {}
        self.masked: dict[int, Words] = {}

    def ask(self, requests: Mapping[int, Message], kind: str) -> dict[int, Message]:
        """Ask parties; those who stay silent are left out, and too few end the session."""
        named = {party_name(number): message for number, message in requests.items()}
        replies = self._wire.ask(named)
        there = [number for number in requests if party_name(number) in replies]
        found = {number: replies[party_name(number)].expect(kind) for number in there}
        self.session.require(len(found))
        return found

    def advertise(self, points: IntArray) -> None:
        """Collect the public keys."""
        facts = {name: getattr(self.session, name) for name in SESSION_FACTS}
        request = Message("begin", facts, {"points": points})
        replies = self.ask(dict.fromkeys(range(self.session.parties), request), "keys")
        shape = (2, 32)
        self.public = {one: sent.array("public", np.uint8, shape) for one, sent in replies.items()}

    def share(self) -> dict[int, tuple[list[int], Bytes]]:
        """Pass sealed shares on; the inbox of each party that sent some."""
        keys = np.stack(list(self.public.values()))
        roster = Message("roster", {"parties": list(self.public)}, {"public": keys})
        replies = self.ask(dict.fromkeys(self.public, roster), "shares")
        sealed: dict[int, dict[int, Bytes]] = {}
        for one, reply in replies.items():
            others = [other for other in self.public if other != one]
            texts = reply.array("sealed", np.uint8, (len(others), SEALED_BYTES))
            if reply.fact("to") != others:
                raise FederationError(f"party {one} sent other shares", "begin again")
            sealed[one] = dict(zip(others, texts, strict=True))
        found = {}
        for one in sealed:
            others = [sender for sender in sealed if sender != one]
            found[one] = others, np.stack([sealed[sender][one] for sender in others])
        return found

    def mask(self, inboxes: Mapping[int, tuple[list[int], Bytes]]) -> None:
        """Collect the masked numbers of those who are still there."""
        requests = {
            one: Message("inbox", {"from": senders}, {"sealed": texts})
            for one, (senders, texts) in inboxes.items()
        }
        shape = (self.session.length,)
        replies = self.ask(requests, "masked").items()
        self.masked = {one: reply.array("words", np.uint64, shape) for one, reply in replies}

    def open(self, sharers: Collection[int]) -> Words:
        """Recover the masks that do not cancel, and take them off the sum."""
        stayed = list(self.masked)
        lost = [one for one in sharers if one not in self.masked]
        request = Message("survivors", {"parties": stayed})
        replies = self.ask(dict.fromkeys(stayed, request), "opened")
        total = np.zeros(self.session.length, dtype=np.uint64)
        for words in self.masked.values():
            total += words
        for place in range(len(stayed)):
            total -= masks(self._recovered(replies, "masks", place), self.session.length)
        for place, one in enumerate(sorted(lost)):
            secret = self._recovered(replies, "keys", place)
            if public_key(secret) != self.public[one][1].tobytes():
                raise FederationError(f"the key of party {one} was not recovered", "begin again")
            for other in stayed:
                public = self.public[other][1].tobytes()
                total += pair_mask(secret, one, other, public, self.session)
        return total

    def _recovered(self, replies: Mapping[int, Message], name: str, place: int) -> bytes:
        """One secret from the shares of it that came; a party's share lies at its number + 1."""
        shares = {}
        for one, reply in replies.items():
            rows = reply.array(name, np.uint8)
            if rows.ndim != 2 or rows.shape[0] <= place or rows.shape[1] != SHARE_BYTES:
                raise FederationError(f"party {one} sent other shares", "begin again")
            shares[one + 1] = int.from_bytes(rows[place].tobytes(), "big")
        return combined(shares, self.session.threshold)


def collected(session: Session, points: IntArray, wire: Wire) -> tuple[IntArray, dict[int, Words]]:
    """Carry out one secure sum.

    Parameters
    ----------
    session
        Its length fits what the parties answer for these points.
    points
        What is asked of every party, in public.

    Returns
    -------
    sums : int array, shape (session.length,)
        Over the parties that stayed.
    masked : dict of int to uint64 array
        All that was seen of each of these parties' numbers.

    Raises
    ------
    TooFewParties
        If fewer than the threshold answer at any step.
    FederationError
        If a message is damaged or does not fit.
    """
    round_ = _Round(session, wire)
    round_.advertise(points)
    inboxes = round_.share()
    round_.mask(inboxes)
    return signed(round_.open(list(inboxes))), round_.masked


class Sources(TypedDict, total=False):
    """Where noise and keys come from, the system if left out, and who is charged."""

    noise: NoiseSource | None
    keys: KeySource | None
    ledger: Ledger | None
    part: Part | None


class Aggregator(ABC):
    """UStat(phi, X, eta) of Barczewski et al., for phi "lies in a cell up to this one".

    Everything that is built on it inherits its trust model: `TrustedCurator`, `SecureAggregation`
    and `FunctionSecretSharing` are interchangeable. It has its sources of randomness, and is opened
    with its one charge: `charges` is what all evaluations together cost, `plan` the public terms,
    `traffic` every message so far, and `simulated` whether the noise can be repeated.

    Privacy
        The loss of the plan is charged to the ledger before any role draws; each role then draws
        on an account of its own, of the same size.
    """

    @property
    @abstractmethod
    def full_noises(self) -> float:
        """How many times the noise that one curator would add is in every count."""

    @property
    @abstractmethod
    def seen(self) -> dict[str, Words]:
        """What the curious would see: for each role, numbers that it got from others."""

    @abstractmethod
    def sums(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records in the cells up to each point, shape (classes, points)."""

    def __init__(
        self,
        plan: Plan,
        *,
        noise: NoiseSource | None = None,
        keys: KeySource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> None:
        """Check, charge, and keep the sources of randomness.

        Raises
        ------
        NotPrivate
            If exact counts or repeatable keys meet real noise.
        BudgetExceeded, NeighborsMismatch, MovablePart
        """
        source = noise if noise is not None else SystemNoise()
        if plan.epsilon is None and not source.simulated:
            raise NotPrivate("exact federated counts", "nothing hides a record")
        if keys is None:
            keys = SeededKeys(source.seed) if isinstance(source, SeededNoise) else SystemKeys()
        if keys.simulated and not source.simulated:
            raise NotPrivate("a federation with repeatable keys", "anyone can take the masks off")
        self.plan, self.traffic = plan, Traffic()
        self._source, self._keys, self.simulated = source, keys, source.simulated
        self.charges: tuple[Charge, ...] = ()
        if plan.epsilon is not None:
            gate = open_gate(
                plan.loss, neighbors=plan.neighbors, noise=source, ledger=ledger, part=part
            )
            charge = Charge("federated counts", type(self).__name__, plan.loss, part)
            gate.ledger.spend(charge)
            self.charges = (charge,)


# Let a trust model take what `Sources` names and no more.
takes_sources = _check.passes_on(Aggregator.__init__, *Sources.__annotations__)


def checked_points(points: Sequence[int] | IntArray, plan: Plan) -> IntArray:
    """Points as an array, or `InvalidArgument` unless they are cells of the grid."""
    asked = np.asarray(points)
    if not np.issubdtype(asked.dtype, np.integer) or not plan.has(asked):
        wanted = f"a vector of whole numbers, cells from 0 to {plan.cells - 1}"
        raise InvalidArgument("points", points, wanted)
    return asked.astype(np.int64)
