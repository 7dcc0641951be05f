"""Keys on the wire: every bit, and keys that do not fit are refused."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import FederationError
from dpcore.federated import Plan
from dpcore.federated.comparison import comparison_keys, key_bits
from dpcore.federated.key_messages import keys_from_message, keys_message
from dpcore.federated.keys import SystemKeys
from dpcore.federated.messages import Message, decoded, encoded

PLAN = Plan(depth=5, classes=2, epsilon=1)


def pair(records: int) -> list:
    cells = np.arange(records) % 32
    return [comparison_keys(cells, np.ones_like(cells), 5, SystemKeys()) for _ in range(2)]


@pytest.mark.parametrize("records", [0, 1, 7])
def test_there_and_back(records: int) -> None:
    keys = [both[1] for both in pair(records)]
    again = keys_from_message(decoded(encoded(keys_message(keys))), PLAN, 1)
    for one, two in zip(keys, again, strict=True):
        assert one.roots.tolist() == two.roots.tolist()
        for left, right in zip(one.corrections, two.corrections, strict=True):
            assert left.tolist() == right.tolist()


def test_the_message_is_as_long_as_the_keys() -> None:
    size = len(encoded(keys_message([both[0] for both in pair(400)])))
    assert 0 <= size - 2 * 400 * key_bits(5) / 8 < 300


def test_keys_for_the_other_server_or_another_plan_are_refused() -> None:
    message = keys_message([both[0] for both in pair(3)])
    with pytest.raises(FederationError, match="wrong server"):
        keys_from_message(message, PLAN, 1)
    with pytest.raises(FederationError, match="'roots'"):
        keys_from_message(message, Plan(depth=5, epsilon=1), 0)
    with pytest.raises(FederationError, match="'seeds'"):
        keys_from_message(message, Plan(depth=6, classes=2, epsilon=1), 0)
    with pytest.raises(FederationError, match="was due"):
        keys_from_message(Message("hello"), PLAN, 0)
