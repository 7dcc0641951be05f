"""A party's side of one secure sum (Bonawitz et al. 2017, Figure 4, honest but curious)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

from dpcore._typing import IntArray
from dpcore.errors import FederationError
from dpcore.federated.keys import KEY_BYTES, KeySource
from dpcore.federated.pair_keys import agreed, opened, public_key, sealed
from dpcore.federated.ring64 import Words, masks, unsigned
from dpcore.federated.session import Session, pair_mask
from dpcore.federated.shamir import SHARE_BYTES, split
from dpcore.privacy.one_process import OneProcess

__all__ = ["Member", "PublicKeys"]

# Of one party: for sealing shares, and for masks.
PublicKeys = tuple[bytes, bytes]


class Member(OneProcess):
    """One party in one session; its four steps are taken once and in order.

    Parameters
    ----------
    number : int
        Which of the session's parties this is.
    session : Session
    keys : KeySource

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
            other: b"".join(
                value[other].to_bytes(SHARE_BYTES, "big") for value in (of_mask, of_key)
            )
            for other in roster
        }
        self._kept[self.number] = texts.pop(self.number)
        return {
            other: sealed(
                self._sealing_key(other), text, sender=self.number, context=self._way(other)
            )
            for other, text in texts.items()
        }

    def masked(self, numbers: IntArray, inbox: Mapping[int, bytes]) -> Words:
        """Third step: the numbers under all masks, from the sealed shares of the others."""
        self._take_step("masked")
        self.session.require(len(inbox) + 1)
        for sender, text in inbox.items():
            if sender not in self._roster:
                raise FederationError(f"party {sender} is not on the list", "begin again")
            self._kept[sender] = opened(
                self._sealing_key(sender), text, sender=sender, context=self._way(sender)
            )
        total = unsigned(numbers) + masks(self._own_mask, self.session.length)
        for other in inbox:
            total += pair_mask(
                self._masking, self.number, other, self._roster[other][1], self.session
            )
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
            raise FederationError(
                f"party {self.number} was asked for {step!r} out of turn", "begin a new session"
            )
        self._next = next(self._steps, "nothing")
