"""Comparison keys: right everywhere, and one half alone says nothing."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.federated.comparison import (
    ALL,
    LEFT,
    RIGHT,
    SEED,
    VALUES,
    ComparisonKeys,
    comparison_keys,
    expanded,
    key_bits,
    mask_of,
)
from dpcore.federated.key_server import share_of_counts
from dpcore.federated.keys import KeySource, SeededKeys, SystemKeys
from dpcore.federated.ring64 import signed


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


def opened(halves: tuple[ComparisonKeys, ComparisonKeys], points: np.ndarray) -> list[int]:
    return signed(sum(share_of_counts(half, points) for half in halves)).tolist()


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_every_cell_against_every_point(depth: int) -> None:
    points = np.arange(1 << depth)
    for cell in points:
        halves = comparison_keys(np.array([cell]), np.array([5]), depth, SystemKeys())
        assert opened(halves, points) == [5 * int(cell <= point) for point in points]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 20), st.data())
def test_sums_over_records_with_any_weights(depth: int, data: st.DataObject) -> None:
    cell = st.integers(0, (1 << depth) - 1)
    cells = np.array(data.draw(st.lists(cell, min_size=1, max_size=8)), dtype=np.int64)
    number = st.integers(-(2**62), 2**62)
    size = cells.size
    weights = np.array(data.draw(st.lists(number, min_size=size, max_size=size)), dtype=np.int64)
    points = np.array(data.draw(st.lists(cell, min_size=1, max_size=5)), dtype=np.int64)
    halves = comparison_keys(cells, weights, depth, SystemKeys())
    sums = [int(weights[cells <= point].view(np.uint64).sum()) % 2**64 for point in points]
    assert [one % 2**64 for one in opened(halves, points)] == sums


def test_keys_of_more_records_are_joined() -> None:
    cells, weights, points = np.arange(6), np.ones(6, dtype=np.int64), np.arange(8)
    first = comparison_keys(cells[:2], weights[:2], 3, SystemKeys())
    second = comparison_keys(cells[2:], weights[2:], 3, SystemKeys())
    both = tuple(one.joined(two) for one, two in zip(first, second, strict=True))
    assert both[0].records == 6
    assert opened(both, points) == [1, 2, 3, 4, 5, 6, 6, 6]
    with pytest.raises(InvalidArgument, match="same kind"):
        first[0].joined(second[1])


def test_the_length_of_a_key_is_what_the_arrays_hold() -> None:
    half = comparison_keys(np.arange(4), np.ones(4, dtype=np.int64), 9, SystemKeys())[0]
    parts = half.corrections
    words = half.roots.nbytes + parts.seeds.nbytes + parts.values.nbytes + parts.last.nbytes
    assert 4 * key_bits(9) == 8 * words + parts.bits.size


@pytest.mark.parametrize("cells", [[4], [-1], [0, 1]])
def test_cells_off_the_grid_are_refused(cells: list[int]) -> None:
    with pytest.raises(InvalidArgument, match="below 2\\^2"):
        comparison_keys(np.array(cells), np.array([1]), 2, SystemKeys())


# --- distinguishing tests: what one server sees ------------------------------------------------

RECORDS, DEPTH = 4000, 4


class Leaking:
    """Key material that is zero in every second root: one server's seeds are known."""

    simulated = True

    def __init__(self, seed: int) -> None:
        self._inner = SeededKeys(seed)

    def take(self, size: int) -> bytes:
        words = np.frombuffer(self._inner.take(size), dtype=np.uint64).copy()
        words[: words.size // 2] = 0
        return words.tobytes()

    def child(self, owner: str) -> KeySource:
        return self


def view(server: int, cell: int, weight: int, keys: KeySource) -> np.ndarray:
    """All words that one server holds, one row for each record."""
    cells = np.full(RECORDS, cell)
    weights = np.full(RECORDS, weight)
    half = comparison_keys(cells, weights, DEPTH, keys)[server]
    parts = half.corrections
    columns = [half.roots, *parts.seeds, *(level[:, np.newaxis] for level in parts.values)]
    return np.hstack([*columns, parts.last[:, np.newaxis]])


def control_bits(server: int, cell: int, keys: KeySource) -> np.ndarray:
    half = comparison_keys(np.full(RECORDS, cell), np.ones(RECORDS, dtype=np.int64), DEPTH, keys)
    return np.hstack(list(half[server].corrections.bits)).astype(np.int64)


def uneven(words: np.ndarray) -> bool:
    """Whether any bit, or any nibble of a column, is not uniform; odds below 1e-6 in all."""
    count = words.shape[0]
    for column in words.T:
        set_ = np.array([int((column >> np.uint64(bit) & np.uint64(1)).sum()) for bit in range(64)])
        # The lowest bit of a seed is never used, and always zero.
        set_ = set_[1:] if set_[0] == 0 else set_
        # Some 1,000 bits, each at 6.5 standard deviations: 8e-8.
        if np.abs(set_ - count / 2).max() > 6.5 * np.sqrt(count) / 2:
            return True
        nibbles = np.bincount((column >> np.uint64(4) & np.uint64(15)).astype(int), minlength=16)
        if np.square(nibbles - count / 16).sum() / (count / 16) > 66:  # 15 degrees: 2e-8
            return True
    return False


def differ(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether two views have another law in any column (chi-square on nibbles, odds 2e-8 each)."""
    for left, right in zip(one.T, two.T, strict=True):
        a, b = (
            np.bincount((column >> np.uint64(4) & np.uint64(15)).astype(int), minlength=16)
            for column in (left, right)
        )
        if (np.square(a - b) / np.maximum(a + b, 1)).sum() > 66:
            return True
    return False


INPUTS = [(0, 1), (15, 1), (6, 0)]


@pytest.mark.parametrize("server", [0, 1])
def test_one_server_sees_uniform_words_whatever_the_record(server: int) -> None:
    seen = [view(server, *one, SeededKeys(place)) for place, one in enumerate(INPUTS)]
    assert not any(uneven(one) for one in seen)
    assert not differ(seen[0], seen[1])
    assert not differ(seen[0], seen[2])


@pytest.mark.parametrize("server", [0, 1])
def test_control_bits_say_nothing_either(server: int) -> None:
    for place, cell in enumerate((0, 9, 15)):
        bits = control_bits(server, cell, SeededKeys(20 + place))
        assert np.abs(bits.sum(axis=0) - RECORDS / 2).max() < 6 * np.sqrt(RECORDS) / 2
        pairs = np.corrcoef(bits.T) - np.eye(bits.shape[1])
        assert np.abs(pairs).max() < 6.5 / np.sqrt(RECORDS)


def test_a_server_cannot_tell_by_evaluating() -> None:
    """Its shares at each point are uniform, at the record's own cell and beyond it too."""
    cells = np.arange(16).repeat(250)
    half = comparison_keys(cells, np.ones(RECORDS, dtype=np.int64), DEPTH, SeededKeys(5))[1]
    ones = [
        ComparisonKeys(
            1,
            half.roots[row : row + 1],
            type(half.corrections)(
                half.corrections.seeds[:, row : row + 1],
                half.corrections.bits[:, row : row + 1],
                half.corrections.values[:, row : row + 1],
                half.corrections.last[row : row + 1],
            ),
        )
        for row in range(0, RECORDS, 4)
    ]
    shares = np.array([share_of_counts(one, np.array([7]))[0] for one in ones])
    assert not uneven(shares[:, np.newaxis])


def test_broken_keys_are_caught() -> None:
    assert uneven(view(0, 3, 1, Leaking(1)))
    # With the other server's roots at hand, corrections lead to the cell: both halves say all.
    one, two = comparison_keys(np.array([11]), np.array([1]), DEPTH, SystemKeys())
    assert opened((one, two), np.arange(16)).index(1) == 11
