"""Messages over a socket: the length in four bytes, then the message."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from selectors import EVENT_READ, DefaultSelector
from time import monotonic

from dpcore.errors import DpcoreError, FederationError, TooFewParties
from dpcore.federated.messages import LONGEST, Answer, Message, Traffic, decoded, encoded

__all__ = ["Channel", "SocketWire", "connected", "serve"]

_HEAD = 4


class Channel:
    """A connection to one role.

    Parameters
    ----------
    connection : socket
    peer : str
        What the other side is called in messages of error.
    patience : float
        Seconds to wait for a message, or for room to send one.
    """

    def __init__(self, connection: socket.socket, peer: str, patience: float) -> None:
        self.connection, self.peer, self.patience = connection, peer, patience

    def send(self, message: Message) -> int:
        """Send a message; its size in bytes.

        Raises
        ------
        FederationError
            If the other side is gone.
        """
        data = encoded(message)
        try:
            self.connection.settimeout(self.patience)
            self.connection.sendall(struct.pack("<I", len(data)) + data)
        except OSError as error:
            raise FederationError(f"{self.peer} cannot be reached", "start it again") from error
        return len(data)

    def receive(self) -> tuple[Message, int]:
        """Wait for a message, and return it with its size in bytes.

        Raises
        ------
        FederationError
            If nothing comes in time, the other side is gone, or the message is damaged.
        """
        deadline = monotonic() + self.patience
        (length,) = struct.unpack("<I", self._read(_HEAD, deadline))
        if length > LONGEST:
            raise FederationError(f"{self.peer} announced {length} bytes", "nobody sends so much")
        try:
            return decoded(self._read(length, deadline)), length
        except FederationError as error:
            raise FederationError(f"from {self.peer}: {error.problem}", error.remedy) from error

    def _read(self, size: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                self.connection.settimeout(max(deadline - monotonic(), 0.001))
                part = self.connection.recv(min(size - len(data), 2**20))
            except TimeoutError as error:
                raise FederationError(
                    f"{self.peer} did not answer within {self.patience:g} s", "ask again later"
                ) from error
            except OSError as error:
                raise FederationError(f"{self.peer} is gone", "start it again") from error
            if not part:
                raise FederationError(f"{self.peer} closed the connection", "start it again")
            data += part
        return bytes(data)

    def close(self) -> None:
        """End the connection."""
        with suppress(OSError):
            self.connection.close()


def connected(address: tuple[str, int], me: str, peer: str, patience: float) -> Channel:
    """Connect to a role that listens, and say who one is."""
    try:
        connection = socket.create_connection(address, timeout=patience)
    except OSError as error:
        raise FederationError(
            f"nobody listens at {address[0]}:{address[1]}", "start the servers first"
        ) from error
    channel = Channel(connection, peer, patience)
    channel.send(Message("hello", {"role": me}))
    return channel


@dataclass(frozen=True)
class SocketWire:
    """Asks roles over their connections; who is silent, or gone, is left out from then on."""

    me: str
    channels: dict[str, Channel]
    traffic: Traffic = field(default_factory=Traffic)

    def ask(self, requests: Mapping[str, Message]) -> dict[str, Message]:
        """Send each role its message, then collect the answers.

        Raises
        ------
        FederationError, TooFewParties
            If an answer is damaged, or is a refusal; the message names the role.
        """
        asked = [role for role, message in requests.items() if self._sent(role, message)]
        found = {}
        for role in asked:
            answer = self._answer(role)
            if answer is not None:
                found[role] = answer
        return found

    def _sent(self, role: str, message: Message) -> bool:
        if role not in self.channels:
            return False
        try:
            size = self.channels[role].send(message)
        except FederationError:
            self._forget(role)
            return False
        self.traffic.add(self.me, role, message.kind, size)
        return True

    def _answer(self, role: str) -> Message | None:
        try:
            answer, size = self.channels[role].receive()
        except FederationError as error:
            self._forget(role)
            # A message that came, but changed, is no drop-out.
            if error.problem.startswith("from "):
                raise
            return None
        self.traffic.add(role, self.me, answer.kind, size)
        if answer.kind == "too few":
            raise TooFewParties(answer.fact("present"), answer.fact("threshold"))
        if answer.kind == "refused":
            problem = f"{role} refuses: {answer.fact('problem')}"
            raise FederationError(problem, answer.fact("remedy"))
        return answer

    def _forget(self, role: str) -> None:
        self.channels.pop(role).close()


def serve(
    channels: Collection[Channel], answer: Answer, *, until: Callable[[Message], bool] | None = None
) -> None:
    """Answer requests on all connections until these are closed.

    Parameters
    ----------
    channels : collection of Channel
    answer : callable
        What it raises on purpose goes back as a refusal.
    until : callable, optional
        Leave without an answer at the first message for which it is true.
    """
    with DefaultSelector() as selector:
        for channel in channels:
            selector.register(channel.connection, EVENT_READ, channel)
        while selector.get_map():
            for key, _ in selector.select():
                channel = key.data
                try:
                    request, _ = channel.receive()
                    if until is not None and until(request):
                        return
                    channel.send(_answered(request, answer))
                except FederationError:
                    selector.unregister(channel.connection)
                    channel.close()


def _answered(request: Message, answer: Answer) -> Message:
    try:
        return answer(request)
    except FederationError as error:
        return Message("refused", {"problem": error.problem, "remedy": error.remedy})
    except TooFewParties as error:
        return Message("too few", {"present": error.present, "threshold": error.threshold})
    except DpcoreError as error:
        return Message("refused", {"problem": str(error), "remedy": "begin again"})
    except (TypeError, ValueError, LookupError) as error:
        # Facts of another type than this protocol's; whoever sent them should hear of it.
        problem = f"{request.kind!r} makes no sense ({type(error).__name__})"
        return Message("refused", {"problem": problem, "remedy": "begin again"})
