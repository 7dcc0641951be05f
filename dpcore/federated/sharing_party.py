"""A party of a federation that deals keys to two servers, once."""

from __future__ import annotations

import numpy as np

from dpcore import _check
from dpcore.errors import FederationError
from dpcore.federated.comparison import ComparisonKeys, comparison_keys
from dpcore.federated.holding import Holding
from dpcore.federated.key_server import keys_message
from dpcore.federated.keys import KeySource
from dpcore.federated.messages import Message
from dpcore.federated.session import Plan

__all__ = ["SharingParty"]


class SharingParty:
    """Turns each record into keys when it is made, and hands either server its half.

    Parameters
    ----------
    number : int
    holding : Holding
        Private.
    plan : Plan
    capacity : int
        Public; the keys are filled up to so many records, so that their number tells nothing.
    keys : KeySource

    Privacy
        Records beyond the capacity count for nothing; an error would tell how many there are. Then
        a record that is added may push another one out, and costs what a removal and an addition
        cost together: the capacity must be one that no party exceeds.
    """

    def __init__(
        self, number: int, holding: Holding, plan: Plan, *, capacity: int, keys: KeySource
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
            raise FederationError(
                f"party {self.number} has no keys left for server {server}", "form a new federation"
            )
        # Nobody but the server may hold them; both halves in one hand give the record away.
        keys, self._dealt[server] = self._dealt[server], []
        return keys_message(keys)
