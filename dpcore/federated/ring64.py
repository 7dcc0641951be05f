"""Arithmetic modulo 2^64, of masked numbers and their sums, and secrets shared by polynomials.

NumPy's unsigned 64-bit arrays wrap around, so sums are exact in this ring whatever their size.
"""

from collections.abc import Mapping
from itertools import islice
from typing import TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray, NDArray
from dpcore.errors import FederationError, InvalidArgument, TooFewParties
from dpcore.federated.keys import KEY_BYTES, KeySource, key_stream

# The smallest prime above 2^256: every key of 32 bytes is an element of its field.
PRIME = 2**256 + 297

SHARE_BYTES = 33

# So many bytes modulo the prime are uniform up to 2^-64.
_COEFFICIENT_BYTES = 41


def split(secret: bytes, parties: int, threshold: int, keys: KeySource) -> list[int]:
    """Values at 1, ..., parties of a random polynomial whose value at 0 is the secret.

    Parameters
    ----------
    secret
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
