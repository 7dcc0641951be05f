"""The ring modulo 2^64."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.federated.ring64 import masks, signed, unsigned

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
