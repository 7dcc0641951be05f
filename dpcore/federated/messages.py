"""Messages between roles: one canonical byte string for each, read without executing anything.

Four bytes give the length of the header, which is JSON text; then come the integers that it
describes, little-endian, one array after the other, and a checksum over all of it.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import FederationError

__all__ = ["LONGEST", "Message", "decoded", "encoded"]

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
    kind : str
    facts : mapping of str to int, str or list of int
    arrays : mapping of str to array
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
            raise FederationError(
                f"in the message {self.kind!r} the array {name!r} is {given}", _REMEDY
            )
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
    described = [
        (name, _NAMES[array.dtype], list(array.shape))
        for name, array in sorted(message.arrays.items())
    ]
    header = json.dumps(
        {"kind": message.kind, "facts": dict(message.facts), "arrays": described},
        sort_keys=True,
        separators=(",", ":"),
    ).encode()
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
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
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
