"""Key material: published vectors, independence, no repetition."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import FederationError, InvalidArgument
from dpcore.federated.keys import (
    SeededKeys,
    SystemKeys,
    agreed,
    derived,
    key_stream,
    opened,
    public_key,
    sealed,
)


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


def test_the_key_stream_is_chacha20() -> None:
    # RFC 8439, appendix A.1, test vector 1: zero key, zero nonce, counter zero.
    assert key_stream(bytes(32), 16).hex() == "76b8e0ada0f13d90405d6ae55386bd28"
    assert key_stream(bytes(32), 40)[:16] == key_stream(bytes(32), 16)


def test_derivation_is_hkdf_with_sha_256() -> None:
    # RFC 5869, appendix A.3, first 32 bytes: no salt, no context.
    expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert derived(b"\x0b" * 22, b"").hex() == expected
    assert derived(b"a", b"one") != derived(b"a", b"two")


def test_system_keys_never_repeat_and_look_uniform() -> None:
    keys = SystemKeys()
    assert not keys.simulated
    assert keys.child("x") is keys
    assert len({keys.take(16) for _ in range(1000)}) == 1000
    counts = np.bincount(np.frombuffer(keys.take(2**16), dtype=np.uint8), minlength=256)
    assert np.square(counts - 256.0).sum() / 256.0 < 255 + 6 * np.sqrt(510)


def test_seeded_keys_repeat_but_not_within_a_source() -> None:
    first, again = SeededKeys(3), SeededKeys(3)
    assert first.simulated
    assert [first.take(8), first.take(8)] == [again.take(8), again.take(8)]
    assert first.take(8) != first.take(8)
    assert SeededKeys(3).child("a").take(8) != SeededKeys(3).child("b").take(8)
    assert SeededKeys(3).child("a").child("b").take(8) != SeededKeys(3).child("b").take(8)


def test_a_seed_is_not_negative() -> None:
    with pytest.raises(InvalidArgument, match="seed"):
        SeededKeys(-1)
