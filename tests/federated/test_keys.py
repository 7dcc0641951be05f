"""Key material: published vectors, independence, no repetition."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.federated.keys import SeededKeys, SystemKeys, derived, key_stream


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
