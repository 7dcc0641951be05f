"""Who sent how much to whom, and the wire inside one process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from dpcore.errors import FederationError
from dpcore.federated.messages import Message, decoded, encoded

__all__ = ["Answer", "LocalWire", "Sent", "Traffic", "Wire"]

Answer = Callable[[Message], Message]


class Sent(NamedTuple):
    """One message on the wire; `size` in bytes."""

    sender: str
    receiver: str
    kind: str
    size: int


@dataclass(frozen=True)
class Traffic:
    """All messages of a federation, in order."""

    sent: list[Sent] = field(default_factory=list)

    def __iter__(self) -> Iterator[Sent]:
        return iter(self.sent)

    def add(self, sender: str, receiver: str, kind: str, size: int) -> None:
        """Take down one message."""
        self.sent.append(Sent(sender, receiver, kind, size))

    def of(self, role: str) -> tuple[int, int]:
        """Messages and bytes that roles of this name, such as "party", sent or received."""
        mine = [
            one for one in self.sent if one.sender.startswith(role) or one.receiver.startswith(role)
        ]
        return len(mine), sum(one.size for one in mine)

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """Messages and bytes of each kind, in the order of their first message."""
        messages = Counter(one.kind for one in self.sent)
        sizes: Counter[str] = Counter()
        for one in self.sent:
            sizes[one.kind] += one.size
        return {kind: (number, sizes[kind]) for kind, number in messages.items()}


class Wire(Protocol):
    """A way to ask several roles at once."""

    def ask(self, requests: Mapping[str, Message]) -> dict[str, Message]:
        """Send each role its message; whoever does not answer in time is missing in the result."""


@dataclass(frozen=True)
class LocalWire:
    """Roles in one process. Messages are encoded and decoded all the same, and counted.

    Parameters
    ----------
    me : str
        The role that asks.
    answers : mapping of str to callable
        The other roles.
    traffic : Traffic
    lost : mapping of str to str
        Roles that fall silent, and the kind of message that they are the first not to answer.
    """

    me: str
    answers: Mapping[str, Answer]
    traffic: Traffic
    lost: Mapping[str, str] = field(default_factory=dict)
    _silent: set[str] = field(default_factory=set)

    def ask(self, requests: Mapping[str, Message]) -> dict[str, Message]:
        """Send each role its message, one after the other."""
        found = {}
        for role, message in requests.items():
            if role not in self.answers:
                raise FederationError(f"nobody here is called {role!r}", "ask a role that exists")
            sent = encoded(message)
            self.traffic.add(self.me, role, message.kind, len(sent))
            if self.lost.get(role) == message.kind:
                self._silent.add(role)
            if role not in self._silent:
                reply = encoded(self.answers[role](decoded(sent)))
                answer = decoded(reply)
                self.traffic.add(role, self.me, answer.kind, len(reply))
                found[role] = answer
        return found
