"""Parties of a federation: one that adds up under masks (Bonawitz et al.), one that deals keys."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray, NDArray
from dpcore.errors import FederationError
from dpcore.federated.comparison import ComparisonKeys, comparison_keys
from dpcore.federated.key_server import IntervalNoise, keys_message
from dpcore.federated.keys import KEY_BYTES, KeySource, agreed, opened, public_key, sealed
from dpcore.federated.messages import Message
from dpcore.federated.ring64 import SHARE_BYTES, Words, masks, split, unsigned
from dpcore.federated.session import SESSION_FACTS, Holding, Plan, Session, pair_mask
from dpcore.noise import NoiseSource
from dpcore.privacy.ledger import OneProcess

# Of one party: for sealing shares, and for masks.
PublicKeys = tuple[bytes, bytes]

_FORM_ANEW = "form a new federation, which draws new noise for a new charge"


class Member(OneProcess):
    """One party in one session; its four steps are taken once and in order.

    Parameters
    ----------
    number
        Which of the session's parties this is.

    Notes
    -----
    What is sent is the party's numbers, plus a mask of its own, plus a mask shared with each other
    party, which that one subtracts. The secrets behind both kinds of mask are split among all
    parties. At the end the own masks of those who stayed are recovered, and the shared masks of
    those who were lost. For no party are both recovered: that is why an own mask is there at all.
    Without it a message that arrives after its sender was declared lost would be uncovered.

    References
    ----------
    K. Bonawitz et al. (2017), Practical secure aggregation for privacy-preserving machine learning,
    CCS, Figure 4. doi:10.1145/3133956.3133982
    """

    _called: ClassVar[str] = "a party of a secure sum"
    _danger: ClassVar[str] = "send other numbers under the same masks"

    def __init__(self, number: int, session: Session, keys: KeySource) -> None:
        self.number, self.session, self._keys = number, session, keys
        self._sealing, self._masking = keys.take(KEY_BYTES), keys.take(KEY_BYTES)
        self._own_mask = keys.take(KEY_BYTES)
        self._roster: dict[int, PublicKeys] = {}
        self._kept: dict[int, bytes] = {}
        self._steps = iter(("keys", "shares", "masked", "opened"))
        self._next = next(self._steps)

    def keys(self) -> PublicKeys:
        """First step: publish two fresh public keys."""
        self._take_step("keys")
        return public_key(self._sealing), public_key(self._masking)

    def shares(self, roster: Mapping[int, PublicKeys]) -> dict[int, bytes]:
        """Second step: split both secrets, one sealed share of each for every other party."""
        self._take_step("shares")
        self.session.require(len(roster))
        if self.number not in roster or not all(0 <= one < self.session.parties for one in roster):
            raise FederationError("the list of parties is not this session's", "begin again")
        self._roster = dict(roster)
        count, threshold = self.session.parties, self.session.threshold
        of_mask = split(self._own_mask, count, threshold, self._keys)
        of_key = split(self._masking, count, threshold, self._keys)
        texts = {
            other: b"".join(one[other].to_bytes(SHARE_BYTES, "big") for one in (of_mask, of_key))
            for other in roster
        }
        self._kept[self.number] = texts.pop(self.number)
        found = {}
        for other, text in texts.items():
            key, way = self._sealing_key(other), self._way(other)
            found[other] = sealed(key, text, sender=self.number, context=way)
        return found

    def masked(self, numbers: IntArray, inbox: Mapping[int, bytes]) -> Words:
        """Third step: the numbers under all masks, from the sealed shares of the others."""
        self._take_step("masked")
        self.session.require(len(inbox) + 1)
        for sender, text in inbox.items():
            if sender not in self._roster:
                raise FederationError(f"party {sender} is not on the list", "begin again")
            key, way = self._sealing_key(sender), self._way(sender)
            self._kept[sender] = opened(key, text, sender=sender, context=way)
        total = unsigned(numbers) + masks(self._own_mask, self.session.length)
        for other in inbox:
            public = self._roster[other][1]
            total += pair_mask(self._masking, self.number, other, public, self.session)
        return total

    def opened(self, survivors: Collection[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Last step: shares of the own masks of survivors, and of the keys of the lost.

        Raises
        ------
        TooFewParties
            If fewer than the threshold survived. Nothing is given away.
        FederationError
            If the survivors are not among those who shared, or this step was taken before: a
            second list of survivors could uncover a party.
        """
        self._take_step("opened")
        stayed = set(survivors)
        self.session.require(len(stayed))
        if self.number not in stayed or not stayed <= set(self._kept):
            raise FederationError("the list of survivors is not this session's", "begin again")
        of_masks = {one: self._share(one, 0) for one in stayed}
        of_keys = {one: self._share(one, SHARE_BYTES) for one in set(self._kept) - stayed}
        return of_masks, of_keys

    def _share(self, owner: int, start: int) -> int:
        return int.from_bytes(self._kept[owner][start : start + SHARE_BYTES], "big")

    def _sealing_key(self, other: int) -> bytes:
        purpose = self.session.context + b" shares " + self._way(other)
        return agreed(self._sealing, self._roster[other][0], purpose)

    def _way(self, other: int) -> bytes:
        """Text that is the same on both sides of a pair."""
        low, high = sorted((self.number, other))
        return f"{self.session.number}: {low}, {high}".encode()

    def _take_step(self, step: str) -> None:
        self._require_own_process()
        if step != self._next:
            what = f"party {self.number} was asked for {step!r} out of turn"
            raise FederationError(what, "begin a new session")
        self._next = next(self._steps, "nothing")


class MaskingParty:
    """Answers a server's requests with its counts, noise included, under masks.

    Parameters
    ----------
    holding
        Private.
    honest
        Size the share of noise for so many parties that stay and that no observer is one of: see
        `honest_shares`.
    threshold
        Refuse to take part in sums that fewer parties' shares could open.

    Privacy
        The share of noise is drawn once, after its charge to the party's own account. The server
        sees the sum over all parties that stay; see `PolyaShare` for what that needs. The parties
        of the first sum are those of every later one: else two sums with the same noise could be
        subtracted, and leave one party's counts with its own share of noise alone. A party that
        sent its numbers and was not told who is in the sum takes part in no other.
    """

    def __init__(
        self,
        number: int,
        holding: Holding,
        plan: Plan,
        *,
        honest: int,
        threshold: int,
        noise: NoiseSource,
        keys: KeySource,
    ) -> None:
        self.number, self._plan, self._keys = number, plan, keys
        self._holding, self._threshold = holding.as_counted(plan), threshold
        self._noise = IntervalNoise.drawn(plan, noise, f"party {number}", shares=honest)
        self._member: Member | None = None
        self._sessions: set[int] = set()
        self._circle: frozenset[int] | None = None
        self._sent = False
        self._points = np.zeros(0, dtype=np.int64)

    def answer(self, request: Message) -> Message:
        """Take the step of the protocol that is asked for."""
        steps: dict[str, Callable[[Message], Message]] = {
            "begin": self._join,
            "roster": self._share,
            "inbox": self._mask,
            "survivors": self._open,
        }
        if request.kind not in steps:
            what = f"party {self.number} does not know {request.kind!r}"
            raise FederationError(what, "ask in this protocol's words")
        return steps[request.kind](request)

    def _join(self, request: Message) -> Message:
        points = self._plan.asked(request)
        facts = {name: request.fact(name) for name in SESSION_FACTS}
        session = Session(length=points.size * self._plan.classes, **facts)
        if session.threshold < self._threshold or session.number in self._sessions:
            raise FederationError(
                f"party {self.number} agreed to a threshold of {self._threshold} and to every "
                "session once",
                "begin a new session with that threshold",
            )
        if self._sent and self._circle is None:
            # A sum that holds its numbers may have been opened by others.
            what = f"party {self.number} never heard whose numbers were added to its own"
            raise FederationError(what, _FORM_ANEW)
        self._sessions.add(session.number)
        self._points, self._member = points, Member(self.number, session, self._keys)
        return Message("keys", {}, {"public": _rows(self._member.keys())})

    def _share(self, request: Message) -> Message:
        numbers = request.fact("parties")
        public = request.array("public", np.uint8, (len(numbers), 2, 32))
        rows = zip(numbers, public, strict=True)
        roster = {one: (row[0].tobytes(), row[1].tobytes()) for one, row in rows}
        shares = self._present().shares(roster)
        return Message("shares", {"to": list(shares)}, {"sealed": _rows(shares.values())})

    def _mask(self, request: Message) -> Message:
        senders, texts = request.fact("from"), request.array("sealed", np.uint8)
        inbox = {one: text.tobytes() for one, text in zip(senders, texts, strict=True)}
        exact = self._holding.counts_up_to(self._points, self._plan)
        counts = exact + self._noise.at(self._points, self._plan)
        self._sent = True
        return Message("masked", {}, {"words": self._present().masked(counts.ravel(), inbox)})

    def _open(self, request: Message) -> Message:
        survivors = frozenset(request.fact("parties"))
        if self._circle is not None and survivors != self._circle:
            # Two sums that differ by one party, with the same noise, would uncover its counts.
            what = "other parties are left than in the first sum of this federation"
            raise FederationError(what, _FORM_ANEW)
        of_masks, of_keys = self._present().opened(survivors)
        self._circle = survivors
        return Message("opened", {}, {"masks": _in_order(of_masks), "keys": _in_order(of_keys)})

    def _present(self) -> Member:
        if self._member is None:
            raise FederationError("no session has begun", "begin one")
        return self._member


def _in_order(shares: dict[int, int]) -> NDArray[np.uint8]:
    return _rows(shares[one].to_bytes(SHARE_BYTES, "big") for one in sorted(shares))


def _rows(texts: Iterable[bytes]) -> NDArray[np.uint8]:
    rows = [np.frombuffer(text, dtype=np.uint8) for text in texts]
    return np.stack(rows) if rows else np.zeros((0, SHARE_BYTES), dtype=np.uint8)


class SharingParty:
    """Turns each record into keys when it is made, and hands either server its half.

    Parameters
    ----------
    holding
        Private.
    capacity
        Public; the keys are filled up to so many records, so that their number tells nothing.

    Privacy
        Records beyond the capacity count for nothing; an error would tell how many there are. Then
        a record that is added may push another one out, and costs what a removal and an addition
        cost together: the capacity must be one that no party exceeds.
    """

    def __init__(
        self, number: int, holding: Holding, plan: Plan, capacity: int, keys: KeySource
    ) -> None:
        self.number = number
        _check.integer_in_range(0, None, capacity=capacity)
        held = holding.as_counted(plan)
        count = min(held.size, capacity)
        cells = np.zeros(capacity, dtype=np.int64)
        cells[:count] = held.cells[:count]
        pairs = []
        for one in range(plan.classes):
            weights = np.zeros(capacity, dtype=np.int64)
            weights[:count] = held.classes[:count] == one
            pairs.append(comparison_keys(cells, weights, plan.depth, keys))
        self._dealt: list[list[ComparisonKeys]] = [list(half) for half in zip(*pairs, strict=True)]

    def answer(self, request: Message) -> Message:
        """The keys for the server that asks, one time only."""
        server = request.expect("deal").fact("server")
        if server not in (0, 1) or not self._dealt[server]:
            what = f"party {self.number} has no keys left for server {server}"
            raise FederationError(what, "form a new federation")
        # Nobody but the server may hold them; both halves in one hand give the record away.
        keys, self._dealt[server] = self._dealt[server], []
        return keys_message(keys)
