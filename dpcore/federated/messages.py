"""Messages between roles: one canonical byte string for each, read without executing anything.

Four bytes give the length of the header, which is JSON text; then come the integers that it
describes, little-endian, one array after the other, and a checksum over all of it.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from dpcore._typing import NDArray
from dpcore.errors import FederationError

LONGEST = 2**31

_KINDS = {"u1": np.uint8, "u8": np.uint64, "i8": np.int64}

_NAMES = {np.dtype(kind): name for name, kind in _KINDS.items()}

_REMEDY = "send it again, or leave its sender out"

Integers = NDArray[np.uint8] | NDArray[np.uint64] | NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Message:
    """A kind, a few public facts as JSON values, and arrays of integers.

    Parameters
    ----------
    arrays
        Of unsigned bytes, unsigned or signed 64-bit integers.
    """

    kind: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, Integers] = field(default_factory=dict)

    def fact(self, name: str) -> Any:
        """One fact, or `FederationError` if it is missing."""
        if name not in self.facts:
            raise FederationError(f"the message {self.kind!r} lacks {name!r}", _REMEDY)
        return self.facts[name]

    def array(self, name: str, kind: type, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
        """One array of that type and shape, or `FederationError`."""
        found = self.arrays.get(name)
        if found is None or found.dtype != kind or (shape is not None and found.shape != shape):
            given = "missing" if found is None else f"{found.dtype} {found.shape}"
            what = f"in the message {self.kind!r} the array {name!r} is {given}"
            raise FederationError(what, _REMEDY)
        return found

    def expect(self, kind: str) -> Message:
        """The message itself, or `FederationError` if it is of another kind."""
        if self.kind != kind:
            raise FederationError(f"{self.kind!r} came where {kind!r} was due", _REMEDY)
        return self


def encoded(message: Message) -> bytes:
    """The message as bytes; the same message gives the same bytes.

    Examples
    --------
    >>> text = encoded(Message("total", {"session": 3}, {"sums": np.array([5])}))
    >>> decoded(text).array("sums", np.int64).tolist()
    [5]
    """
    arrays = sorted(message.arrays.items())
    described = [(name, _NAMES[array.dtype], list(array.shape)) for name, array in arrays]
    told = {"kind": message.kind, "facts": dict(message.facts), "arrays": described}
    header = json.dumps(told, sort_keys=True, separators=(",", ":")).encode()
    parts = [struct.pack("<I", len(header)), header]
    for name, code, _ in described:
        parts.append(message.arrays[name].astype(f"<{code}", order="C", copy=False).tobytes())
    body = b"".join(parts)
    return body + struct.pack("<I", zlib.crc32(body))


def decoded(data: bytes) -> Message:
    """Read what `encoded` wrote.

    Raises
    ------
    FederationError
        If a byte was changed, or bytes are missing or left over.
    """
    body, checksum = data[:-4], data[-4:]
    if len(data) < 8 or struct.pack("<I", zlib.crc32(body)) != checksum:
        raise FederationError("a message is damaged", _REMEDY)
    try:
        return _parsed(body)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise FederationError("a message does not say what it holds", _REMEDY) from error


def _parsed(body: bytes) -> Message:
    (length,) = struct.unpack_from("<I", body)
    header = json.loads(body[4 : 4 + length])
    place, arrays = 4 + length, {}
    for name, code, shape in header["arrays"]:
        kind = np.dtype(_KINDS[code])
        count = int(np.prod(shape, dtype=object)) if all(side >= 0 for side in shape) else -1
        end = place + count * kind.itemsize
        if count < 0 or end > len(body):
            raise ValueError(name)
        array = np.frombuffer(body[place:end], dtype=kind.newbyteorder("<"))
        arrays[str(name)] = array.astype(kind).reshape(shape)
        place = end
    if place != len(body) or not isinstance(header["facts"], dict):
        raise ValueError("length")
    return Message(str(header["kind"]), header["facts"], arrays)


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
    me
        The role that asks.
    answers
        The other roles.
    lost
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
