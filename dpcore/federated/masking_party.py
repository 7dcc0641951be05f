"""A party of a federation that adds up under masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import IntArray
from dpcore.errors import FederationError
from dpcore.federated.holding import Holding
from dpcore.federated.interval_noise import IntervalNoise
from dpcore.federated.keys import KeySource
from dpcore.federated.member import Member
from dpcore.federated.messages import Message
from dpcore.federated.session import Plan, Session
from dpcore.federated.shamir import SHARE_BYTES
from dpcore.noise import NoiseSource

__all__ = ["MaskingParty"]


class MaskingParty:
    """Answers a server's requests with its counts, noise included, under masks.

    Parameters
    ----------
    number : int
    holding : Holding
        Private.
    plan : Plan
    honest : int
        Size the share of noise for so many honest parties that stay.
    threshold : int
        Refuse to take part in sums that fewer parties' shares could open.
    noise : NoiseSource
    keys : KeySource

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
        self._noise = IntervalNoise.none(plan)
        if plan.epsilon is not None:
            share = plan.share_of_noise(honest)
            self._noise = IntervalNoise.drawn(plan, share, noise, f"party {number}")
        self._member: Member | None = None
        self._sessions: set[int] = set()
        self._circle: frozenset[int] | None = None
        self._sent = False
        self._points = np.zeros(0, dtype=np.int64)

    def answer(self, request: Message) -> Message:
        """Take the step of the protocol that is asked for."""
        steps: dict[str, Callable[[Message], Message]] = {
            "begin": self._begin,
            "roster": self._share,
            "inbox": self._mask,
            "survivors": self._open,
        }
        if request.kind not in steps:
            raise FederationError(
                f"party {self.number} does not know {request.kind!r}",
                "ask in this protocol's words",
            )
        return steps[request.kind](request)

    def _begin(self, request: Message) -> Message:
        points = request.array("points", np.int64)
        if points.ndim != 1 or not points.size or not self._on_grid(points):
            raise FederationError("the points asked for are not on the grid", "ask for others")
        session = Session(
            number=request.fact("number"),
            parties=request.fact("parties"),
            threshold=request.fact("threshold"),
            length=points.size * self._plan.classes,
        )
        if session.threshold < self._threshold or session.number in self._sessions:
            raise FederationError(
                f"party {self.number} agreed to a threshold of {self._threshold} and to every "
                "session once",
                "begin a new session with that threshold",
            )
        if self._sent and self._circle is None:
            # A sum that holds its numbers may have been opened by others.
            raise FederationError(
                f"party {self.number} never heard whose numbers were added to its own",
                "form a new federation, which draws new noise for a new charge",
            )
        self._sessions.add(session.number)
        self._points, self._member = points, Member(self.number, session, self._keys)
        sealing, masking = self._member.keys()
        return Message("keys", {}, {"public": _rows((sealing, masking))})

    def _on_grid(self, points: IntArray) -> bool:
        return bool(points.min() >= 0 and points.max() < self._plan.cells)

    def _share(self, request: Message) -> Message:
        numbers = request.fact("parties")
        public = request.array("public", np.uint8, (len(numbers), 2, 32))
        roster = {
            one: (row[0].tobytes(), row[1].tobytes())
            for one, row in zip(numbers, public, strict=True)
        }
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
            raise FederationError(
                "other parties are left than in the first sum of this federation",
                "form a new one, which draws new noise for a new charge",
            )
        of_masks, of_keys = self._present().opened(survivors)
        self._circle = survivors
        arrays = {"masks": _in_order(of_masks), "keys": _in_order(of_keys)}
        return Message("opened", {}, arrays)

    def _present(self) -> Member:
        if self._member is None:
            raise FederationError("no session has begun", "begin one")
        return self._member


def _in_order(shares: dict[int, int]) -> NDArray[np.uint8]:
    return _rows(shares[one].to_bytes(SHARE_BYTES, "big") for one in sorted(shares))


def _rows(texts: Iterable[bytes]) -> NDArray[np.uint8]:
    rows = [np.frombuffer(text, dtype=np.uint8) for text in texts]
    return np.stack(rows) if rows else np.zeros((0, SHARE_BYTES), dtype=np.uint8)
