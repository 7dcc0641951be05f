"""The ring modulo 2^64."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.errors import FederationError, InvalidArgument, TooFewParties
from dpcore.federated.keys import SeededKeys, SystemKeys
from dpcore.federated.ring64 import PRIME, combined, masks, signed, split, unsigned


def test_the_field_is_one() -> None:
    """Miller-Rabin: a composite number passes one base with odds below a quarter."""
    odd, halvings = PRIME - 1, 0
    while odd % 2 == 0:
        odd, halvings = odd // 2, halvings + 1
    for base in range(2, 42):
        x = pow(base, odd, PRIME)
        assert x in (1, PRIME - 1) or any(
            (x := x * x % PRIME) == PRIME - 1 for _ in range(halvings - 1)
        )


@settings(max_examples=30)
@given(st.binary(min_size=32, max_size=32), st.integers(1, 6), st.integers(0, 4))
def test_every_large_enough_group_recovers_it(secret: bytes, threshold: int, spare: int) -> None:
    shares = dict(enumerate(split(secret, threshold + spare, threshold, SystemKeys()), start=1))
    for group in itertools.combinations(shares, threshold):
        assert combined({one: shares[one] for one in group}, threshold) == secret
    assert combined(shares, threshold) == secret


def test_one_share_too_few_fits_every_secret() -> None:
    """For any other secret there is a polynomial through the same shares: they say nothing."""
    shares = split(b"s" * 32, 5, 3, SystemKeys())
    known = {1: shares[0], 2: shares[1]}
    with pytest.raises(TooFewParties):
        combined(known, 3)
    # Through (0, other), (1, y1), (2, y2) there is one parabola; its value at 3 is some share.
    for other in (0, 1, int.from_bytes(b"t" * 32, "big")):
        third = (other - 3 * known[1] + 3 * known[2]) % PRIME
        assert combined({**known, 3: third}, 3) == other.to_bytes(32, "big")


def test_shares_below_the_threshold_have_the_same_law_for_two_secrets() -> None:
    def lows(secret: bytes) -> np.ndarray:
        drawn = [split(secret, 3, 2, SeededKeys(seed))[0] % 16 for seed in range(4000)]
        return np.bincount(drawn, minlength=16)

    one, two = lows(bytes(32)), lows(b"\xff" * 32)
    assert (np.square(one - two) / (one + two)).sum() < 60  # chi-square, 15 degrees: odds 2e-7
    leaking = np.bincount([(7 * seed) % 4 for seed in range(4000)], minlength=16)
    assert (np.square(one - leaking) / (one + leaking)).sum() > 60


def test_a_changed_share_among_spare_ones_is_noticed() -> None:
    shares = dict(enumerate(split(b"s" * 32, 5, 3, SystemKeys()), start=1))
    for place in shares:
        with pytest.raises(FederationError, match="do not belong together"):
            combined({**shares, place: (shares[place] + 1) % PRIME}, 3)


@pytest.mark.parametrize("secret, threshold", [(b"short", 2), (b"s" * 32, 4), (b"s" * 32, 0)])
def test_impossible_terms_are_refused(secret: bytes, threshold: int) -> None:
    with pytest.raises(InvalidArgument):
        split(secret, 3, threshold, SystemKeys())


NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20)


@given(NUMBERS)
def test_there_and_back(numbers: list[int]) -> None:
    array = np.array(numbers, dtype=np.int64)
    assert signed(unsigned(array)).tolist() == numbers
    assert [int(word) for word in unsigned(array)] == [number % 2**64 for number in numbers]


@given(NUMBERS, st.binary(min_size=32, max_size=32))
def test_masks_cancel_whatever_the_size(numbers: list[int], key: bytes) -> None:
    array = np.array(numbers, dtype=np.int64)
    mask = masks(key, array.size)
    assert signed((unsigned(array) + mask) - mask).tolist() == numbers
    assert ((unsigned(array) + mask) + np.negative(mask)).tolist() == unsigned(array).tolist()


def test_masks_fill_the_ring_evenly() -> None:
    words = masks(b"k" * 32, 40_000)
    for shift in (0, 30, 60):
        counts = np.bincount((words >> np.uint64(shift) & np.uint64(15)).astype(int), minlength=16)
        assert np.square(counts - 2500.0).sum() / 2500.0 < 60
