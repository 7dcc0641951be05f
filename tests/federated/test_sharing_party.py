"""A party that deals keys: once to each server, filled up to the capacity."""

from __future__ import annotations

import pytest

from dpcore.errors import FederationError, InvalidArgument
from dpcore.federated import Plan
from dpcore.federated.keys import SeededKeys
from dpcore.federated.messages import Message
from dpcore.federated.sharing_party import SharingParty
from tests.federated._parties import records

PLAN = Plan(depth=5, epsilon=1)


def party(count: int = 10, capacity: int = 25) -> SharingParty:
    return SharingParty(3, records(count), PLAN, capacity=capacity, keys=SeededKeys(1))


def deal(server: object) -> Message:
    return Message("deal", {"server": server})


def test_the_number_of_keys_is_the_capacity() -> None:
    for count in (0, 10, 25, 26, 1000):
        assert party(count).answer(deal(0)).fact("records") == 25
    with pytest.raises(InvalidArgument, match="^capacity must be a whole number, at least 0, got"):
        party(10, capacity=-1)


def test_each_server_gets_its_half_and_only_once() -> None:
    one = party()
    halves = [one.answer(deal(server)) for server in (0, 1)]
    roots = [half.arrays["roots"].tolist() for half in halves]
    assert roots[0] != roots[1]
    with pytest.raises(FederationError, match="party 3 has no keys left for server 0"):
        one.answer(deal(0))


@pytest.mark.parametrize("server", [2, -1, "0", None])
def test_there_is_no_third_server(server: object) -> None:
    with pytest.raises(FederationError, match="no keys left"):
        party().answer(deal(server))
