"""Counting messages, and roles that fall silent."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import FederationError
from dpcore.federated.messages import Message, encoded
from dpcore.federated.traffic import LocalWire, Traffic


def echo(request: Message) -> Message:
    return Message("echo", request.facts, {"x": np.arange(4)})


def test_both_directions_are_counted_at_their_size() -> None:
    wire = LocalWire("me", {"party 0": echo, "party 1": echo}, Traffic())
    request = Message("ask", {"n": 1})
    replies = wire.ask(dict.fromkeys(["party 0", "party 1"], request))
    assert {name: reply.fact("n") for name, reply in replies.items()} == {
        "party 0": 1,
        "party 1": 1,
    }
    there, back = len(encoded(request)), len(encoded(echo(request)))
    assert wire.traffic.by_kind() == {"ask": (2, 2 * there), "echo": (2, 2 * back)}
    assert wire.traffic.of("party") == wire.traffic.of("me") == (4, 2 * (there + back))
    assert wire.traffic.of("party 1") == (2, there + back)
    assert [one.sender for one in wire.traffic] == ["me", "party 0", "me", "party 1"]


def test_who_falls_silent_stays_silent() -> None:
    wire = LocalWire("me", {"a": echo, "b": echo}, Traffic(), {"b": "second"})
    assert set(wire.ask(dict.fromkeys("ab", Message("first")))) == {"a", "b"}
    assert set(wire.ask(dict.fromkeys("ab", Message("second")))) == {"a"}
    assert set(wire.ask(dict.fromkeys("ab", Message("third")))) == {"a"}


def test_nobody_can_be_asked_who_is_not_there() -> None:
    with pytest.raises(FederationError, match="'c'"):
        LocalWire("me", {}, Traffic()).ask({"c": Message("x")})
