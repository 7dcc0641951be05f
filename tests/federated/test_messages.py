"""Messages: canonical, read back exactly, every changed byte noticed."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import FederationError
from dpcore.federated.messages import LocalWire, Message, Traffic, decoded, encoded


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
    assert [(one.sender, one.receiver, one.size) for one in wire.traffic] == [
        ("me", "party 0", there),
        ("party 0", "me", back),
        ("me", "party 1", there),
        ("party 1", "me", back),
    ]
    assert [one.sender for one in wire.traffic] == ["me", "party 0", "me", "party 1"]


def test_who_falls_silent_stays_silent() -> None:
    wire = LocalWire("me", {"a": echo, "b": echo}, Traffic(), {"b": "second"})
    assert set(wire.ask(dict.fromkeys("ab", Message("first")))) == {"a", "b"}
    assert set(wire.ask(dict.fromkeys("ab", Message("second")))) == {"a"}
    assert set(wire.ask(dict.fromkeys("ab", Message("third")))) == {"a"}


def test_nobody_can_be_asked_who_is_not_there() -> None:
    with pytest.raises(FederationError, match="'c'"):
        LocalWire("me", {}, Traffic()).ask({"c": Message("x")})


WORDS = st.lists(st.integers(0, 2**64 - 1), max_size=6)


@given(st.text(max_size=8), st.dictionaries(st.text(max_size=4), st.integers(-5, 5)), WORDS)
def test_there_and_back(kind: str, facts: dict[str, int], words: list[int]) -> None:
    arrays = {"words": np.array(words, dtype=np.uint64), "none": np.zeros((0, 3), dtype=np.uint8)}
    again = decoded(encoded(Message(kind, facts, arrays)))
    assert (again.kind, again.facts) == (kind, facts)
    assert again.array("words", np.uint64, (len(words),)).tolist() == words
    assert again.array("none", np.uint8).shape == (0, 3)


def test_the_bytes_do_not_hang_on_the_order_of_fields() -> None:
    one = Message("k", {"a": 1, "b": 2}, {"x": np.arange(2), "y": np.arange(3)})
    two = Message("k", {"b": 2, "a": 1}, {"y": np.arange(3), "x": np.arange(2)})
    assert encoded(one) == encoded(two)


def test_every_changed_missing_or_spare_byte_is_noticed() -> None:
    data = encoded(Message("sums", {"n": 1}, {"x": np.arange(3)}))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(FederationError):
            decoded(bytes(changed))
        with pytest.raises(FederationError):
            decoded(data[:place])
    with pytest.raises(FederationError, match="damaged"):
        decoded(data + b"\0")


@pytest.mark.parametrize(
    "header",
    [
        b"no json",
        b'{"kind":"k","facts":{}}',
        b'{"kind":"k","facts":[],"arrays":[]}',
        b'{"kind":"k","facts":{},"arrays":[["x","f8",[1]]]}',
        b'{"kind":"k","facts":{},"arrays":[["x","i8",[-1]]]}',
        b'{"kind":"k","facts":{},"arrays":[["x","i8",[99999999999,99999999999]]]}',
        b'{"kind":"k","facts":{},"arrays":[["x","i8",[1e400]]]}',
        b"[" * 100_000,
    ],
)
def test_a_header_that_lies_is_refused_even_with_a_good_checksum(header: bytes) -> None:
    body = struct.pack("<I", len(header)) + header
    with pytest.raises(FederationError, match="does not say what it holds"):
        decoded(body + struct.pack("<I", zlib.crc32(body)))


def test_what_a_reader_misses_is_named() -> None:
    message = Message("sums", {}, {"x": np.arange(3)})
    with pytest.raises(FederationError, match="lacks 'n'"):
        message.fact("n")
    with pytest.raises(FederationError, match="'y' is missing"):
        message.array("y", np.int64)
    with pytest.raises(FederationError, match=r"'x' is int64 \(3,\)"):
        message.array("x", np.int64, (4,))
    with pytest.raises(FederationError, match="'sums' came where 'keys' was due"):
        message.expect("keys")
