"""One of two servers that count with keys and never meet a record."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpcore._typing import IntArray
from dpcore.errors import FederationError
from dpcore.federated.comparison import ComparisonKeys
from dpcore.federated.evaluation_tree import share_of_counts
from dpcore.federated.interval_noise import IntervalNoise
from dpcore.federated.key_messages import keys_from_message
from dpcore.federated.messages import Message
from dpcore.federated.ring64 import Words, unsigned
from dpcore.federated.session import Plan
from dpcore.noise import NoiseSource

__all__ = ["KeyServer", "server_name"]


def server_name(number: int) -> str:
    """What server `number` is called on the wire."""
    return f"server {number}"


class KeyServer:
    """Keeps one half of all keys, and answers with its share of the noisy counts.

    Parameters
    ----------
    number : {0, 1}
    plan : Plan
    noise : NoiseSource

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
