"""One of two servers: its own noise, its own half."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import FederationError
from dpcore.federated import Plan
from dpcore.federated.key_server import KeyServer
from dpcore.federated.keys import SeededKeys
from dpcore.federated.messages import Message
from dpcore.federated.ring64 import signed
from dpcore.federated.sharing_party import SharingParty
from tests.federated._parties import records


def pair(plan: Plan) -> list[KeyServer]:
    party = SharingParty(0, records(30), plan, capacity=30, keys=SeededKeys(1))
    servers = [KeyServer(one, plan, noise=SeededNoise(one)) for one in (0, 1)]
    for server in servers:
        server.take({"party 0": party.answer(Message("deal", {"server": server.number}))})
    return servers


def asked(servers: list[KeyServer], points: list[int]) -> np.ndarray:
    request = Message("evaluate", {}, {"points": np.array(points)})
    words = [server.answer(request).arrays["words"] for server in servers]
    return signed(words[0] + words[1])


def test_shares_add_up_to_the_counts_with_both_noises() -> None:
    exact = asked(pair(Plan(depth=5, epsilon=None)), [3, 31])
    assert (
        exact.tolist()
        == records(30).counts_up_to(np.array([3, 31]), Plan(depth=5, epsilon=None)).tolist()
    )
    plan = Plan(depth=5, epsilon=1)
    servers = pair(plan)
    added = sum(server._noise.at(np.array([3, 31]), plan) for server in servers)
    assert added.any()
    assert asked(servers, [3, 31]).tolist() == (exact + added).tolist()
    assert asked(servers, [3, 31]).tolist() == (exact + added).tolist()


@pytest.mark.parametrize("points", [[32], [-1], []])
def test_points_off_the_grid_are_refused(points: list[int]) -> None:
    server = pair(Plan(depth=5, epsilon=None))[0]
    with pytest.raises(FederationError, match="not on the grid"):
        server.answer(Message("evaluate", {}, {"points": np.array(points, dtype=np.int64)}))


def test_keys_that_do_not_fit_are_refused_by_name() -> None:
    server = KeyServer(0, Plan(depth=5, epsilon=None), noise=SeededNoise(1))
    with pytest.raises(FederationError, match="party 4: "):
        server.take({"party 4": Message("comparison keys", {"records": 1, "server": 1})})
