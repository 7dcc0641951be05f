"""A pseudo-random generator of many seeds at once, from AES in a few large calls."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

from dpcore.federated.ring64 import Words

__all__ = ["ALL", "LEFT", "RIGHT", "SEED", "VALUES", "expanded", "mask_of"]

LEFT, RIGHT, VALUES = range(3)
# The lowest bit of a seed is its control bit, and no part of what is expanded.
SEED = ~np.uint64(1)
ALL = ~np.uint64(0)


@cache
def _key(role: int) -> bytes:
    return sha256(f"dpcore comparison shares, block {role}".encode()).digest()[:16]


def _cipher(role: int) -> CipherContext:
    # Blocks are enciphered apart on purpose: this is a permutation of each, not a way to hide text.
    return Cipher(algorithms.AES(_key(role)), modes.ECB()).encryptor()  # noqa: S305


def expanded(seeds: Words, role: int) -> Words:
    """One pseudo-random block of each seed, shape (..., 2), for one of three roles.

    Parameters
    ----------
    seeds : uint64 array, shape (..., 2)
    role : {LEFT, RIGHT, VALUES}

    Notes
    -----
    The block is AES(key, seed) xor seed, with a fixed public key for each role: the construction
    of Matyas, Meyer and Oseas, a one-way function if AES behaves like a random permutation. The
    fixed key is what lets all seeds go through the cipher in one call.

    References
    ----------
    S. M. Matyas, C. H. Meyer, J. Oseas (1985), Generating strong one-way functions with
    cryptographic algorithm, IBM Technical Disclosure Bulletin 27. C. Guo, J. Katz, X. Wang, Y. Yu
    (2020), Efficient and secure multiparty computation from fixed-key block ciphers, IEEE S&P.
    doi:10.1109/SP40000.2020.00016
    """
    text = np.ascontiguousarray(seeds)
    # The cipher asks for room for one more block than it writes.
    room = np.empty(text.nbytes + 16, dtype=np.uint8)
    if text.nbytes:
        _cipher(role).update_into(text.view(np.uint8).reshape(-1).data, room.data)
    blocks: Words = room[: text.nbytes].view(np.uint64).reshape(text.shape)
    blocks ^= text
    return blocks


def mask_of(words: Words) -> Words:
    """All bits set where the lowest bit is, none elsewhere.

    Examples
    --------
    >>> mask_of(np.array([2, 3], dtype=np.uint64)).tolist()
    [0, 18446744073709551615]
    """
    return np.asarray(np.negative(words & np.uint64(1)), dtype=np.uint64)
