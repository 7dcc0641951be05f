"""Key material: fresh or repeatable, and what two parties agree on through a third.

Every secret byte of the federation comes from here. Fresh bytes are the key stream of ChaCha20
under a key that the package generated, so no other source of randomness is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Protocol, TypeAlias

import numpy as np
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy.typing import NDArray

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import FederationError, InvalidArgument, TooFewParties

KEY_BYTES = 32


class KeySource(Protocol):
    """Where secret bytes come from."""

    @property
    def simulated(self) -> bool:
        """Whether someone could repeat them."""

    def take(self, size: int) -> bytes:
        """So many bytes that were never handed out before."""

    def child(self, owner: str) -> KeySource:
        """A source for one role."""


class SystemKeys:
    """Secret bytes that nobody can repeat.

    Examples
    --------
    >>> keys = SystemKeys()
    >>> len(keys.take(5)), keys.take(16) == keys.take(16)
    (5, False)
    """

    simulated = False

    def take(self, size: int) -> bytes:
        """So many bytes that were never handed out before."""
        return key_stream(ChaCha20Poly1305.generate_key(), size)

    def child(self, owner: str) -> SystemKeys:
        """The system's entropy is one for all roles."""
        return self


class SeededKeys:
    """Repeatable bytes from a seed, for teaching and tests: they hide nothing.

    Examples
    --------
    >>> SeededKeys(1).take(4) == SeededKeys(1).take(4)
    True
    >>> SeededKeys(1).child("party 0").take(4) == SeededKeys(1).child("party 1").take(4)
    False
    """

    simulated = True

    def __init__(self, seed: int, owner: str = "") -> None:
        _check.integer_in_range(0, None, seed=seed)
        self.seed, self.owner = int(seed), owner
        self._taken = 0

    def take(self, size: int) -> bytes:
        """So many bytes that were never handed out before."""
        self._taken += 1
        context = f"simulated keys/{self.owner}/{self._taken}"
        return key_stream(derived(str(self.seed).encode(), context.encode()), size)

    def child(self, owner: str) -> SeededKeys:
        """An independent source, the same for the same seed and role."""
        return SeededKeys(self.seed, f"{self.owner}/{owner}")


def derived(secret: bytes, context: bytes) -> bytes:
    """A key of 32 bytes from a shared secret, for one purpose (HKDF with SHA-256, RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=context).derive(secret)


def key_stream(key: bytes, size: int) -> bytes:
    """Pseudo-random bytes that a key stands for (ChaCha20, RFC 8439).

    A key must serve one purpose only: the stream begins at the same place every time.
    """
    return Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(size))


def public_key(secret: bytes) -> bytes:
    """The public half of a secret of 32 bytes (X25519, RFC 7748)."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def agreed(secret: bytes, other: bytes, purpose: bytes) -> bytes:
    """The key that two parties share, from the secret of one and the public key of the other.

    Raises
    ------
    FederationError
        If the other's public key is none.

    Examples
    --------
    >>> one, two = b"1" * 32, b"2" * 32
    >>> agreed(one, public_key(two), b"mask") == agreed(two, public_key(one), b"mask")
    True
    """
    try:
        shared = X25519PrivateKey.from_private_bytes(secret).exchange(
            X25519PublicKey.from_public_bytes(other)
        )
    except ValueError as error:
        raise FederationError("a public key is damaged", "ask its owner for another") from error
    return derived(shared, purpose)


def sealed(key: bytes, text: bytes, *, sender: int, context: bytes) -> bytes:
    """Text that only the owner of the key can read or could have written (RFC 8439).

    The key must be fresh for every session: the nonce says no more than who sends.
    """
    return ChaCha20Poly1305(key).encrypt(sender.to_bytes(12, "big"), text, context)


def opened(key: bytes, text: bytes, *, sender: int, context: bytes) -> bytes:
    """Read what `sealed` wrote, or `FederationError` if it was changed on the way."""
    try:
        return ChaCha20Poly1305(key).decrypt(sender.to_bytes(12, "big"), text, context)
    except InvalidTag as error:
        raise FederationError(
            f"the shares from party {sender} were changed on the way", "begin again"
        ) from error


# The smallest prime above 2^256: every key of 32 bytes is an element of its field.
PRIME = 2**256 + 297

SHARE_BYTES = 33

# So many bytes modulo the prime are uniform up to 2^-64.
_COEFFICIENT_BYTES = 41


def split(secret: bytes, parties: int, threshold: int, keys: KeySource) -> list[int]:
    """Values at 1, ..., parties of a random polynomial whose value at 0 is the secret.

    Parameters
    ----------
    secret : bytes
        32 of them.
    threshold
        So many shares give the secret back; any fewer are independent of it.

    References
    ----------
    A. Shamir (1979), How to share a secret, Communications of the ACM 22.
    doi:10.1145/359168.359176

    Examples
    --------
    >>> from dpcore.federated.keys import SystemKeys
    >>> shares = split(b"a" * 32, 5, 3, SystemKeys())
    >>> combined({2: shares[1], 4: shares[3], 5: shares[4]}, 3) == b"a" * 32
    True
    """
    _check.integer_in_range(1, parties, threshold=threshold)
    if len(secret) != KEY_BYTES:
        raise InvalidArgument("secret", f"{len(secret)} bytes", f"{KEY_BYTES} bytes long")
    random = keys.take(_COEFFICIENT_BYTES * (threshold - 1))
    places = range(0, len(random), _COEFFICIENT_BYTES)
    chunks = (random[place : place + _COEFFICIENT_BYTES] for place in places)
    coefficients = [int.from_bytes(chunk, "big") % PRIME for chunk in chunks]
    coefficients.append(int.from_bytes(secret, "big"))
    return [_value(coefficients, x) for x in range(1, parties + 1)]


def _value(coefficients: list[int], x: int) -> int:
    """A polynomial by Horner's rule, highest coefficient first."""
    total = 0
    for coefficient in coefficients:
        total = (total * x + coefficient) % PRIME
    return total


def combined(shares: Mapping[int, int], threshold: int) -> bytes:
    """The secret, from shares by their place 1, 2, ....

    Raises
    ------
    TooFewParties
        If there are fewer than `threshold`.
    FederationError
        If the shares do not belong together; with exactly `threshold` of them this goes unnoticed
        unless the result is no key.
    """
    if len(shares) < threshold:
        raise TooFewParties(len(shares), threshold)
    chosen = dict(islice(sorted(shares.items()), threshold))
    secret = _interpolated(chosen, 0)
    stray = any(_interpolated(chosen, x) != y for x, y in shares.items() if x not in chosen)
    if stray or secret >= 2 ** (8 * KEY_BYTES):
        raise FederationError("shares of a key do not belong together", "begin again")
    return secret.to_bytes(KEY_BYTES, "big")


def _interpolated(shares: Mapping[int, int], place: int) -> int:
    total = 0
    for x, y in shares.items():
        above = below = 1
        for other in shares:
            if other != x:
                above = above * (place - other) % PRIME
                below = below * (x - other) % PRIME
        total += y * above * pow(below, -1, PRIME)
    return total % PRIME


Words: TypeAlias = NDArray[np.uint64]


def unsigned(numbers: IntArray) -> Words:
    """Whole numbers as elements of the ring.

    Examples
    --------
    >>> unsigned(np.array([1, -1])).tolist()
    [1, 18446744073709551615]
    """
    return np.ascontiguousarray(numbers, dtype=np.int64).view(np.uint64)


def signed(words: Words) -> IntArray:
    """Elements of the ring as the whole numbers nearest to zero that they stand for.

    Examples
    --------
    >>> signed(unsigned(np.array([1, -1])) + unsigned(np.array([2, -3]))).tolist()
    [3, -4]
    """
    return np.ascontiguousarray(words, dtype=np.uint64).view(np.int64)


def masks(key: bytes, size: int) -> Words:
    """Pseudo-random elements of the ring that a key stands for, shape (size,)."""
    return np.frombuffer(key_stream(key, 8 * size), dtype="<u8").astype(np.uint64)
