"""Key material: fresh or repeatable, and what two parties agree on through a third.

Every secret byte of the federation comes from here. Fresh bytes are the key stream of ChaCha20
under a key that the package generated, so no other source of randomness is needed.
"""

from __future__ import annotations

from typing import TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from dpcore import _check
from dpcore.errors import FederationError

KEY_BYTES = 32


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


KeySource: TypeAlias = SystemKeys | SeededKeys
"""Where secret bytes come from; `simulated` if someone could repeat them."""


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
