"""Keys that two parties agree on through a third who learns nothing of them."""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from dpcore.errors import FederationError
from dpcore.federated.keys import derived

__all__ = ["agreed", "opened", "public_key", "sealed"]

_TAG_BYTES = 16


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
