"""Permute-and-flip: exact loss of the ordered choices, and the law of the draws on both paths."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import stats

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PermuteAndFlip
from dpcore.mechanisms.samplers import exponential_noise
from dpcore.mechanisms.top_k import permute_and_flip
from tests.mechanisms._selection_loss import fits, worst_loss

BASES = [[0, 0, 8, 9], [3, 1, 0, 2], [5, 5, 5, 0], [0, 40, 40, 0]]


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cell per count."""
    monkeypatch.setattr(exponential_noise, "_RESOLUTION_BITS", 0)


@cache
def one_choice(below: tuple[int, ...], scale: float) -> np.ndarray:
    """Heads are independent coins; the chosen one is any of the heads."""
    cells = -np.array(below)
    heads = np.exp(-(cells.max() - cells) / scale)
    chances = np.zeros(cells.size)
    for size in range(1, cells.size + 1):
        for up in combinations(range(cells.size), size):
            is_up = np.isin(np.arange(cells.size), up)
            chances[is_up] += np.prod(np.where(is_up, heads, 1 - heads)) / size
    return chances


def ordered_law(cells: np.ndarray, k: int, scale: float) -> dict[tuple[int, ...], float]:
    law = {}
    for order in permutations(range(cells.size), k):
        left, chance = list(range(cells.size)), 1.0
        for index in order:
            below = tuple((cells[left].max() - cells[left]).tolist())
            chance *= one_choice(below, scale)[left.index(index)]
            left.remove(index)
        law[order] = chance
    return law


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_loss_over_all_neighbours(k: int, monotone: bool) -> None:
    mechanism = PermuteAndFlip(epsilon=1.2, k=k, monotone=monotone, whole=True)
    scale = mechanism.cell_scale
    worst = worst_loss(lambda cells: ordered_law(cells, k, scale), BASES, monotone)  # type: ignore[arg-type,return-value]
    assert worst <= 1.2 + 1e-9
    assert worst > 0.99 * 1.2


@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_draws_follow_that_law(noise: SeededNoise | SystemNoise) -> None:
    mechanism, scores = PermuteAndFlip(epsilon=2, k=2, whole=True), np.array([3, 1, 0, 6])
    draws = [tuple(mechanism.draw(scores.astype(float), noise).tolist()) for _ in range(6000)]
    assert fits(draws, ordered_law(scores, 2, mechanism.cell_scale))
    assert not fits(draws, ordered_law(scores, 2, 1.3 * mechanism.cell_scale))


def test_flipping_a_few_first_does_not_change_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permute_and_flip, "_FIRST", 2)
    monkeypatch.setattr(permute_and_flip, "_HEAD", 16)
    mechanism, noise = PermuteAndFlip(epsilon=1, k=1, whole=True, monotone=True), SeededNoise(0)
    scores = np.array([3.0, 0.0, *[2.0] * 31])
    draws = [min(int(mechanism.draw(scores, noise)[0]), 2) for _ in range(6000)]
    # Equal scores share a class: which of them is drawn is told apart no further.
    heads = np.exp(-1.0)
    numbers, zero = np.arange(32), np.exp(-3.0)
    at_2 = stats.binom.pmf(numbers, 31, heads)
    top = float((at_2 * ((1 - zero) / (1 + numbers) + zero / (2 + numbers))).sum())
    last = float((at_2 * zero / (2 + numbers)).sum())
    assert fits(draws, {0: top, 1: last, 2: 1 - top - last})


def test_all_candidates_are_a_permutation() -> None:
    drawn = PermuteAndFlip(epsilon=1, k=5).draw(np.zeros(5), SeededNoise(0))
    assert sorted(drawn.tolist()) == [0, 1, 2, 3, 4]


def test_loss_is_epsilon() -> None:
    assert PermuteAndFlip(epsilon="0.3", k=3).loss == Loss("0.3")


def test_more_than_there_are() -> None:
    with pytest.raises(InvalidArgument, match="^k must be at most the number of candidates, 2"):
        PermuteAndFlip(epsilon=1, k=3).draw(np.zeros(2), SeededNoise(0))


@pytest.mark.statistical
def test_low_scores_show_heads_as_often_as_their_gap_says() -> None:
    """Ranks beyond the first flips are thinned."""
    scale, noise = 100.0, SeededNoise(5)
    ranked = np.concatenate([np.zeros(3000, dtype=np.int64), np.full(100_000, -350)])
    ranked[2000:3000] = -300
    heads = permute_and_flip._heads(ranked, scale, noise)
    assert np.isin(np.arange(2000), heads).all()
    for low, high, gap in ((2000, 3000, 3.0), (3000, 103_000, 3.5)):
        seen, n = int(((heads >= low) & (heads < high)).sum()), high - low
        expected = n * np.exp(-gap)
        assert abs(seen - expected) < 6 * np.sqrt(expected)
    assert abs(int((heads >= 3000).sum()) - 100_000 * np.exp(-3.5 / 1.3)) > 1000


@pytest.mark.statistical
def test_heads_are_thinned_where_all_others_are_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permute_and_flip, "_HEAD", 16)
    ranked = np.concatenate([[0], np.full(200_000, -350)])
    heads = permute_and_flip._heads(ranked, 100.0, SeededNoise(6))
    expected = 200_000 * np.exp(-3.5)
    assert heads[0] == 0
    assert abs(heads.size - 1 - expected) < 6 * np.sqrt(expected)
