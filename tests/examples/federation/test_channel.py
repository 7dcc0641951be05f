"""Messages over sockets: whole, in time, from who is there."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from threading import Thread

import numpy as np
import pytest

from dpcore.errors import FederationError, InvalidArgument, TooFewParties
from dpcore.federated.messages import LONGEST, Message, encoded
from examples.federation.channel import Channel, SocketWire, connected, serve

Pair = tuple[Channel, Channel]


@pytest.fixture
def pair() -> Iterator[Pair]:
    one, two = socket.socketpair()
    channels = Channel(one, "party 7", 0.3), Channel(two, "server 0", 0.3)
    yield channels
    for channel in channels:
        channel.close()


def test_messages_arrive_whole(pair: Pair) -> None:
    mine, other = pair
    message = Message("sums", {"n": 1}, {"x": np.arange(50_000)})
    thread = Thread(target=mine.send, args=(message,))
    thread.start()
    found, size = other.receive()
    thread.join()
    assert size == len(encoded(message))
    assert found.array("x", np.int64).tolist() == list(range(50_000))


def test_silence_ends_in_time(pair: Pair) -> None:
    with pytest.raises(FederationError, match="party 7 did not answer within 0.3 s"):
        pair[0].receive()


def test_a_trickle_does_not_prolong_the_wait(pair: Pair) -> None:
    pair[1].connection.sendall(b"\x08\0\0\0ab")
    with pytest.raises(FederationError, match="did not answer"):
        pair[0].receive()


def test_a_closed_connection_is_said_to_be_closed(pair: Pair) -> None:
    pair[1].connection.sendall(b"\x08\0")
    pair[1].close()
    with pytest.raises(FederationError, match="party 7 closed the connection"):
        pair[0].receive()
    with pytest.raises(FederationError, match="party 7 cannot be reached"):
        pair[0].send(Message("x", {}, {"x": np.arange(1_000_000)}))


def test_damaged_and_endless_messages_are_refused(pair: Pair) -> None:
    mine, other = pair
    data = bytearray(encoded(Message("x")))
    data[6] ^= 1
    other.connection.sendall(struct.pack("<I", len(data)) + data)
    with pytest.raises(FederationError, match="from party 7: a message is damaged"):
        mine.receive()
    other.connection.sendall(struct.pack("<I", LONGEST + 1))
    with pytest.raises(FederationError, match="announced"):
        mine.receive()


def refusing(error: Exception) -> object:
    def answer(_: Message) -> Message:
        raise error

    return answer


def asked(pair: Pair, answer: object) -> dict[str, Message]:
    mine, other = pair
    thread = Thread(target=serve, args=([other], answer))
    thread.start()
    wire = SocketWire("server 0", {"party 7": mine})
    try:
        return wire.ask({"party 7": Message("ask"), "party 8": Message("ask")})
    finally:
        mine.close()
        thread.join()


def test_roles_answer_and_those_who_are_not_there_are_left_out(pair: Pair) -> None:
    found = asked(pair, lambda request: Message(f"{request.kind}ed"))
    assert {name: message.kind for name, message in found.items()} == {"party 7": "asked"}


@pytest.mark.parametrize(
    "error, kind, says",
    [
        (FederationError("too soon", "wait"), FederationError, "party 7 refuses: too soon; wait"),
        (InvalidArgument("n", 1, "2"), FederationError, "party 7 refuses: n must be 2"),
        (KeyError("to"), FederationError, "party 7 refuses: 'ask' makes no sense"),
        (TooFewParties(1, 3), TooFewParties, "1 parties are left and the threshold is 3"),
    ],
)
def test_refusals_come_back(pair: Pair, error: Exception, kind: type, says: str) -> None:
    with pytest.raises(kind, match=says):
        asked(pair, refusing(error))


def test_who_is_silent_is_left_out_from_then_on(pair: Pair) -> None:
    wire = SocketWire("server 0", {"party 7": pair[0]})
    assert wire.ask({"party 7": Message("ask")}) == {}
    assert wire.channels == {}
    assert wire.ask({"party 7": Message("ask")}) == {}


def test_a_damaged_answer_is_no_drop_out(pair: Pair) -> None:
    pair[1].connection.sendall(b"\x08\0\0\0garbage!")
    wire = SocketWire("server 0", {"party 7": pair[0]})
    with pytest.raises(FederationError, match="from party 7"):
        wire.ask({"party 7": Message("ask")})


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
        with pytest.raises(FederationError, match="nobody listens"):
            connected(address, "party 0", "server 0", 0.3)
