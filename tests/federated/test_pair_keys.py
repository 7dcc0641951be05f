"""Agreement and sealing: published vector, both sides alike, changes noticed."""

from __future__ import annotations

import pytest

from dpcore.errors import FederationError
from dpcore.federated.keys import SystemKeys
from dpcore.federated.pair_keys import agreed, opened, public_key, sealed


def test_public_keys_are_x25519() -> None:
    # RFC 7748, section 5.2, after one iteration: the scalar nine times the base point.
    expected = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
    assert public_key(b"\x09" + bytes(31)).hex() == expected


def test_both_sides_agree_and_others_do_not() -> None:
    one, two, three = (SystemKeys().take(32) for _ in range(3))
    shared = agreed(one, public_key(two), b"mask")
    assert shared == agreed(two, public_key(one), b"mask")
    assert shared != agreed(two, public_key(one), b"shares")
    assert shared != agreed(three, public_key(one), b"mask")


def test_a_public_key_that_is_none_is_refused() -> None:
    with pytest.raises(FederationError, match="public key is damaged"):
        agreed(SystemKeys().take(32), bytes(32), b"mask")
    with pytest.raises(FederationError, match="public key is damaged"):
        agreed(SystemKeys().take(32), b"short", b"mask")


def test_sealed_text_is_opened_only_as_it_was_sealed() -> None:
    key = SystemKeys().take(32)
    text = sealed(key, b"shares", sender=3, context=b"session 1")
    assert opened(key, text, sender=3, context=b"session 1") == b"shares"
    changed = text[:-1] + bytes([text[-1] ^ 1])
    for wrong, sender, context in [
        (changed, 3, b"session 1"),
        (text, 4, b"session 1"),
        (text, 3, b"session 2"),
    ]:
        with pytest.raises(FederationError, match=f"party {sender} were changed"):
            opened(key, wrong, sender=sender, context=context)
