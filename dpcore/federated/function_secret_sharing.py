"""Function secret sharing: UStat by two servers, each with one half of every record."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import FederationError, PrivateInference
from dpcore.federated.aggregator import Account, Accounted, checked_points, party_name
from dpcore.federated.holding import Holding
from dpcore.federated.key_server import KeyServer, child_noise, server_name
from dpcore.federated.keys import KeySource
from dpcore.federated.messages import LocalWire, Message, Traffic, Wire
from dpcore.federated.parties import SharingParty
from dpcore.federated.ring64 import Words, signed
from dpcore.federated.session import Plan
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors, Part

SERVERS = (0, 1)


class FunctionSecretSharing(Accounted):
    """UStat by distributed comparison functions, with m = 2 servers.

    Parameters
    ----------
    holdings : sequence of Holding
        Private, one for each party.
    plan : Plan
    capacity : int, optional
        Public number of records that every party's keys are filled up to, and that none should
        exceed: further records count for nothing (see `SharingParty`). Under replace, where numbers
        of records are public, the largest holding if left out.
    noise : NoiseSource, optional
    keys : KeySource, optional
    ledger : Ledger, optional
    part : Part, optional

    Sensitivity
        See `Plan`.
    Privacy
        One charge, "federated counts", of the plan's loss. Everybody is honest but curious, and the
        two servers do not collude; then any one server, with any of the other parties and whoever
        asks, sees counts with the full noise of the other server. The published counts hold two
        full noises, twice the variance that a curator needs. Keys hide records only as well as AES
        does: the guarantee holds against computationally bounded observers.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 4.2.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> holdings = [Holding.of_values([one], np.arange(4)) for one in range(4)]
    >>> plan = Plan(depth=2, epsilon=None)
    >>> FunctionSecretSharing(holdings, plan, noise=SeededNoise(1)).sums([0, 2, 3]).tolist()
    [[1, 3, 4]]
    """

    full_noises = 2.0

    def __init__(
        self,
        holdings: Sequence[Holding],
        plan: Plan,
        *,
        capacity: int | None = None,
        noise: NoiseSource | None = None,
        keys: KeySource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> None:
        self.plan, self.traffic = plan, Traffic()
        _check.integer_in_range(1, None, parties=len(holdings))
        filled = _capacity(holdings, plan, capacity, noise)
        self._account = Account.opened(
            plan, name="FunctionSecretSharing", noise=noise, keys=keys, ledger=ledger, part=part
        )
        account = self._account
        parties = [
            SharingParty(
                number, holding, plan, capacity=filled, keys=account.keys.child(party_name(number))
            )
            for number, holding in enumerate(holdings)
        ]
        self._servers = [
            KeyServer(number, plan, noise=child_noise(account.noise, server_name(number)))
            for number in SERVERS
        ]
        answers = {party_name(party.number): party.answer for party in parties}
        for server in self._servers:
            wire = LocalWire(server_name(server.number), answers, self.traffic)
            deal = Message("deal", {"server": server.number})
            server.take(wire.ask(dict.fromkeys(answers, deal)))
        self._wire = LocalWire(
            "analyst",
            {server_name(server.number): server.answer for server in self._servers},
            self.traffic,
        )

    @property
    def seen(self) -> dict[str, Words]:
        """Each server sees the roots of its keys, and corrections as random as these."""
        return {server_name(server.number): server.roots for server in self._servers}

    def sums(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records in the cells up to each point, shape (classes, points)."""
        return added_shares(checked_points(points, self.plan), self.plan, self._wire)


def added_shares(points: IntArray, plan: Plan, wire: Wire) -> IntArray:
    """Ask both servers, and add up, shape (classes, points).

    Raises
    ------
    FederationError
        If a server does not answer: its half is needed.
    """
    names = [server_name(number) for number in SERVERS]
    replies = wire.ask(dict.fromkeys(names, Message("evaluate", {}, {"points": points})))
    for name in names:
        if name not in replies:
            raise FederationError(f"{name} does not answer", "both servers are needed")
    shape = (plan.classes, points.size)
    return signed(
        sum(
            (replies[name].expect("share").array("words", np.uint64, shape) for name in names),
            start=np.zeros(shape, dtype=np.uint64),
        )
    )


def _capacity(
    holdings: Sequence[Holding], plan: Plan, capacity: int | None, noise: NoiseSource | None
) -> int:
    if capacity is not None:
        _check.integer_in_range(0, None, capacity=capacity)
        return capacity
    simulated = noise is not None and noise.simulated
    if plan.neighbors is Neighbors.ADD_REMOVE and not simulated:
        raise PrivateInference(
            "the number of records of a party", "pass a public capacity that none exceeds"
        )
    return max(holding.size for holding in holdings)
