"""Public terms of one secure sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore.errors import TooFewParties
from dpcore.federated.pair_keys import agreed
from dpcore.federated.words import Words, masks

__all__ = ["Session", "pair_mask"]


@dataclass(frozen=True, kw_only=True)
class Session:
    """One secure sum: its number, and who may take part.

    Parameters
    ----------
    number : int
        Never the same twice in a federation.
    parties : int
        They are called 0, ..., parties - 1.
    threshold : int
        The sum is opened for so many parties or more; fewer learn nothing of one another.
    length : int
        How many numbers are added up, entry by entry.
    """

    number: int
    parties: int
    threshold: int
    length: int

    def __post_init__(self) -> None:
        _check.integer_in_range(0, 2**62, number=self.number)
        _check.integer_in_range(2, 10_000, parties=self.parties)
        _check.integer_in_range(2, self.parties, threshold=self.threshold)
        _check.integer_in_range(1, 2**24, length=self.length)

    @property
    def context(self) -> bytes:
        """Text that ties keys and messages to this session."""
        return f"dpcore federated sum {self.number}".encode()

    def require(self, present: int) -> None:
        """Raise `TooFewParties` if so few parties are left."""
        if present < self.threshold:
            raise TooFewParties(present, self.threshold)


def pair_mask(secret: bytes, mine: int, other: int, public: bytes, session: Session) -> Words:
    """What party `mine` adds for party `other`: the two contributions cancel in the sum."""
    mask = masks(agreed(secret, public, session.context + b" mask"), session.length)
    return mask if mine < other else np.negative(mask)
