"""The generator: it is AES as stated, and its outputs are apart and uniform."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from dpcore.federated.blocks import ALL, LEFT, RIGHT, SEED, VALUES, expanded, mask_of
from dpcore.federated.keys import SystemKeys


def seeds(count: int) -> np.ndarray:
    return np.frombuffer(SystemKeys().take(16 * count), dtype=np.uint64).reshape(count, 2).copy()


@pytest.mark.parametrize("role", [LEFT, RIGHT, VALUES])
def test_a_block_is_aes_of_the_seed_plus_the_seed(role: int) -> None:
    given = seeds(5)
    before = given.copy()
    key = hashlib.sha256(f"dpcore comparison shares, block {role}".encode()).digest()[:16]
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    enciphered = np.frombuffer(encryptor.update(given.tobytes()), dtype=np.uint64).reshape(5, 2)
    assert expanded(given, role).tolist() == (enciphered ^ given).tolist()
    assert given.tolist() == before.tolist()


def test_shapes_are_kept_and_nothing_gives_nothing() -> None:
    assert expanded(seeds(6).reshape(2, 3, 2), LEFT).shape == (2, 3, 2)
    assert expanded(np.zeros((0, 2), dtype=np.uint64), LEFT).shape == (0, 2)
    strided = seeds(8)[::2]
    assert expanded(strided, LEFT).tolist() == expanded(strided.copy(), LEFT).tolist()


def test_roles_give_unrelated_blocks() -> None:
    given = seeds(4000)
    left, right = expanded(given, LEFT), expanded(given, RIGHT)
    assert (left != right).any(axis=1).all()
    for words in (left, left ^ right, left ^ given):
        low = int((words[:, 0] & np.uint64(1)).sum())
        assert abs(low - 2000) < 6 * 32


def test_masks_are_all_or_nothing() -> None:
    words = np.array([0, 1, 2**63 + 1, 2**63], dtype=np.uint64)
    assert mask_of(words).tolist() == [0, int(ALL), int(ALL), 0]
    assert int(SEED) == int(ALL) - 1
