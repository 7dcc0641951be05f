"""One-shot selection: exact loss of the set on every neighbour, and the law of its draws."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import BestTop, OneShot, top_k
from tests.mechanisms._selection_loss import (
    exponential_tail,
    fits,
    neighbors_of,
    top_set_law,
    worst_loss,
)

BASES_OF_BEST = [[0, 0, 8, 9], [3, 1, 0, 2], [60, 5, 5, 0], [30, 2, 0, 0]]


def exact_law(mechanism: BestTop, cells: np.ndarray) -> dict[tuple[int, ...], float]:
    """The law of what is released: number, blocks and random rest, summed out."""
    weights = np.exp(mechanism.log_weights(cells))
    everything = range(cells.size)
    law = dict.fromkeys(combinations(everything, mechanism.k), 0.0)
    for number, chance in zip(mechanism.numbers, weights / weights.sum(), strict=True):
        picked = {(): 1.0}
        for size, scale in mechanism.blocks(int(number)):
            picked = add_block(picked, cells, size, scale)
        more = mechanism.k - int(number)
        for chosen, p in picked.items():
            rest = [i for i in everything if i not in chosen]
            for filled in combinations(rest, more):
                whole = tuple(sorted((*chosen, *filled)))
                law[whole] += chance * p / comb(len(rest), more)
    return law


def add_block(
    before: dict[tuple[int, ...], float], cells: np.ndarray, size: int, scale: float
) -> dict[tuple[int, ...], float]:
    after: dict[tuple[int, ...], float] = {}
    for chosen, p in before.items():
        rest = [i for i in range(cells.size) if i not in chosen]
        block = top_set_law(cells[rest], size, exponential_tail(scale), 800)
        for places, q in block.items():
            whole = tuple(sorted((*chosen, *(rest[place] for place in places))))  # type: ignore[union-attr]
            after[whole] = after.get(whole, 0.0) + p * q
    return after


@pytest.mark.spanning
@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_best_loss_over_all_neighbours(k: int, monotone: bool) -> None:
    mechanism = BestTop(epsilon=1.2, k=k, monotone=monotone, whole=True)
    worst = worst_loss(lambda cells: exact_law(mechanism, cells), BASES_OF_BEST, monotone)  # type: ignore[arg-type,return-value]
    assert worst <= 1.2 + 1e-9
    assert worst > 0.8 * 1.2


@pytest.mark.few(1)
@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("share", [Fraction(1, 20), Fraction(1, 2)])
def test_best_draws_follow_that_law(share: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "_SHARE_OF_THE_NUMBER", share)
    mechanism, scores = BestTop(epsilon=4, k=3, whole=True), np.array([3, 1, 0, 6])
    noise = SeededNoise(0)
    draws = [tuple(mechanism.draw(scores.astype(float), noise).tolist()) for _ in range(2500)]
    assert fits(draws, exact_law(mechanism, scores))
    assert not fits(draws, exact_law(BestTop(epsilon=1.2, k=3, whole=True), scores))


@given(
    st.lists(st.integers(0, 40), min_size=3, max_size=4),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(["0.1", "0.5", "1", "2", "9"]),
)
def test_the_utility_moves_by_one_step(
    scores: list[int], k: int, monotone: bool, epsilon: str
) -> None:
    mechanism = BestTop(epsilon=epsilon, k=k, monotone=monotone, whole=True)
    steps, rate = mechanism.grid.steps, mechanism.for_the_number / 2
    here = mechanism.log_weights(np.array(scores) * steps)
    for moved in neighbors_of(scores, monotone=monotone):
        there = mechanism.log_weights(moved * steps)
        assert Fraction(np.abs(there - here).max()) <= rate


@pytest.mark.parametrize("k", [1, 2, 7, 50, 300])
def test_the_blocks_spend_the_rest_exactly(k: int) -> None:
    mechanism = BestTop(epsilon="0.1", k=k, monotone=True, whole=True)
    assert mechanism.numbers[0] == k
    assert mechanism.numbers[-1] == 1
    assert (np.diff(mechanism.numbers) < 0).all()
    for number in mechanism.numbers.tolist():
        blocks = mechanism.blocks(number)
        assert sum(size for size, _ in blocks) == number
        spent = sum(size * mechanism.grid.steps / scale for size, scale in blocks)
        assert spent == pytest.approx(0.095, rel=1e-6)
        assert spent <= 0.095


def test_high_scores_are_all_picked_and_low_ones_are_random() -> None:
    clear = np.arange(1000) * 10_000.0
    drawn = BestTop(epsilon=1, k=20, monotone=True).draw(clear, SeededNoise(0))
    assert drawn.tolist() == list(range(980, 1000))
    drawn = BestTop(epsilon=1, k=20, monotone=True).draw(np.zeros(1000), SeededNoise(0))
    assert np.unique(drawn).size == 20


def test_with_real_noise() -> None:
    drawn = BestTop(epsilon=1, k=30).draw(np.arange(200.0) ** 2, SystemNoise())
    assert np.unique(drawn).size == 30
    assert (np.diff(drawn) > 0).all()


def test_best_loss_is_epsilon() -> None:
    assert BestTop(epsilon="0.3", k=3).loss == Loss("0.3")


def test_more_than_there_are() -> None:
    with pytest.raises(InvalidArgument, match="^k must be at most the number of candidates, 2"):
        BestTop(epsilon=1, k=3).draw(np.zeros(2), SeededNoise(0))


BASES = [[0, 0, 8, 9], [3, 1, 0, 2], [5, 5, 5, 0], [0, 40, 40, 0]]


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_loss_over_all_neighbours(k: int, monotone: bool) -> None:
    mechanism = OneShot(epsilon=1.2, k=k, monotone=monotone, whole=True)

    def law(cells: np.ndarray) -> object:
        return top_set_law(cells, k, exponential_tail(mechanism.cell_scale), 400)

    worst = worst_loss(law, BASES, monotone)  # type: ignore[arg-type]
    assert worst <= 1.2 + 1e-9
    assert worst > 0.99 * 1.2


@pytest.mark.few(1)
@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_draws_follow_that_law(noise: SeededNoise | SystemNoise) -> None:
    mechanism, scores = OneShot(epsilon=1, k=2, whole=True), np.array([3, 1, 0, 6])
    draws = [tuple(mechanism.draw(scores.astype(float), noise).tolist()) for _ in range(8000)]
    assert fits(draws, top_set_law(scores, 2, exponential_tail(mechanism.cell_scale), 400))


def test_the_order_is_not_released() -> None:
    drawn = OneShot(epsilon=100, k=3).draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0))
    assert drawn.tolist() == [0, 1, 2]


def test_general_scores_need_twice_the_noise() -> None:
    once, twice = (OneShot(epsilon=1, k=5, monotone=m, whole=True).scale for m in (True, False))
    assert twice == pytest.approx(2 * once, rel=1e-9)
    assert once == pytest.approx(5, rel=1e-9)


def test_loss_is_epsilon() -> None:
    assert OneShot(epsilon=Fraction(1, 3), k=3).loss == Loss(Fraction(1, 3))


@pytest.mark.parametrize("arguments", [{"epsilon": 0}, {"k": 0}, {"sensitivity": -1}])
def test_bad_arguments(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        OneShot(**({"epsilon": 1, "k": 1} | arguments))  # type: ignore[arg-type]
