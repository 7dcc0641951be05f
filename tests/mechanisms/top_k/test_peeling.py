"""Permute-and-flip: exact loss of the ordered choices, and the law of the draws on both paths."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from scipy.special import log_softmax

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Exponential, ExponentialPeeling, PermuteAndFlip
from dpcore.mechanisms.top_k import peeling
from dpcore.selection.exact.laws import loss_between
from tests.mechanisms._selection_loss import fits, neighbors_of, top_set_law, worst_loss

utilities = hnp.arrays(np.float64, 6, elements=st.floats(-50, 50))

moves = hnp.arrays(np.float64, 6, elements=st.floats(-1, 1))


def exponential_loss(mechanism: Exponential, a: np.ndarray, b: np.ndarray) -> float:
    difference = log_softmax(mechanism.log_weights(a)) - log_softmax(mechanism.log_weights(b))
    return float(np.abs(difference).max())


@given(utilities, moves, st.floats(0.01, 5), st.floats(0.1, 10))
def test_any_move_within_the_sensitivity_costs_at_most_epsilon(
    values: np.ndarray, move: np.ndarray, epsilon: float, sensitivity: float
) -> None:
    mechanism = Exponential(epsilon=epsilon, sensitivity=sensitivity)
    assert exponential_loss(mechanism, values, values + sensitivity * move) <= epsilon + 1e-9


@given(utilities, moves, st.floats(0.01, 5))
def test_monotone_moves_cost_at_most_epsilon_at_twice_the_rate(
    values: np.ndarray, move: np.ndarray, epsilon: float
) -> None:
    mechanism = Exponential(epsilon=epsilon, monotone=True)
    assert exponential_loss(mechanism, values, values + np.abs(move)) <= epsilon + 1e-9


def test_a_move_that_is_not_monotone_breaks_the_monotone_rate() -> None:
    """The declaration matters: one utility up and the others down costs nearly 2 epsilon."""
    mechanism = Exponential(epsilon=1, monotone=True)
    values = np.zeros(200)
    move = np.full(200, -1.0)
    move[0] = 1.0
    assert exponential_loss(mechanism, values, values + move) > 1.9


@given(hnp.arrays(np.int64, 6, elements=st.integers(0, 4)), st.integers(0, 63))
def test_large_utilities_cost_what_small_ones_do(values: np.ndarray, moved: int) -> None:
    """At 2^52 a rate times a utility is rounded to a quarter: twice what one step may cost."""
    mechanism, move = Exponential(epsilon=0.3, monotone=True), (moved >> np.arange(6)) & 1
    here = 2.0**52 + values
    assert exponential_loss(mechanism, here, here + move) <= 0.3 + 1e-12


@pytest.mark.parametrize("epsilon", ["1/10", "0.3", "1/3", "3/7"])
@pytest.mark.parametrize("sensitivity", [1.0, 0.1, 3.0])
@pytest.mark.parametrize("monotone", [True, False])
def test_no_rate_is_rounded_to_more_than_epsilon(
    epsilon: str, sensitivity: float, monotone: bool
) -> None:
    """The double nearest to a tenth is more than a tenth."""
    mechanism = Exponential(epsilon=epsilon, sensitivity=sensitivity, monotone=monotone)
    steps = 1 if monotone else 2
    assert 0 < steps * Fraction(mechanism.rate) * Fraction(sensitivity) < Fraction(epsilon)


def test_utilities_far_apart_are_no_error() -> None:
    ends = np.array([-1.7e308, 1.7e308])
    assert Exponential(epsilon=1e9).draw(ends, SystemNoise()) == 1


def test_measure_tilts_the_choice() -> None:
    measure = np.log(np.array([1.0, 0.0001]))
    mechanism = Exponential(epsilon=0.01, log_measure=measure)
    noise = SeededNoise(2)
    assert sum(mechanism.draw(np.zeros(2), noise) for _ in range(200)) <= 2


def test_strong_utility_wins() -> None:
    noise = SeededNoise(2)
    assert Exponential(epsilon=10).draw(np.array([0.0, 100.0, 0.0]), noise) == 1


@pytest.mark.parametrize("shape", [(0,), (2, 2)])
def test_utilities_must_be_a_vector(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidArgument, match="utilities"):
        Exponential(epsilon=1).draw(np.zeros(shape), SeededNoise(0))


def test_loss() -> None:
    assert Exponential(epsilon="0.3").loss == Loss("0.3")


BASES = [[0, 0, 40, 40], [3, 1, 0, 2], [5, 5, 5, 0], [0, 40, 40, 0]]


def peeled_law(weights: np.ndarray, k: int) -> dict[tuple[int, ...], float]:
    """Exact probability of every set when candidates are drawn one after the other."""
    law: dict[tuple[int, ...], float] = {}
    for order in permutations(range(weights.size), k):
        left, probability = weights.sum(), 1.0
        for index in order:
            probability *= weights[index] / left
            left -= weights[index]
        chosen = tuple(sorted(order))
        law[chosen] = law.get(chosen, 0.0) + probability
    return law


def gumbel_tail(scale: float) -> Callable[[np.ndarray], np.ndarray]:
    """P(Z >= t) of `gumbel_cells`."""
    return lambda t: -np.expm1(-np.exp(np.minimum(-t / scale, 700.0)))


def drawn_law(mechanism: ExponentialPeeling, cells: np.ndarray) -> dict[tuple[int, ...], float]:
    """The law of what is really drawn, in whole cells with ties."""
    return top_set_law(cells, mechanism.k, gumbel_tail(mechanism.cell_scale), 800, 60)  # type: ignore[return-value]


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_loss_over_all_neighbours(k: int, monotone: bool) -> None:
    mechanism = ExponentialPeeling(epsilon=1.2, k=k, monotone=monotone, whole=True)
    worst = 0.0
    for base in map(np.array, BASES):
        here = drawn_law(mechanism, base)
        assert sum(here.values()) == pytest.approx(1.0, abs=1e-9)
        for there in neighbors_of(base, monotone=monotone):
            worst = max(worst, loss_between(here, drawn_law(mechanism, there)))
    assert worst <= 1.2 + 1e-9
    assert worst > 0.99 * 1.2


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_draws_have_the_law_of_peeling(noise: SeededNoise | SystemNoise) -> None:
    mechanism, utilities = ExponentialPeeling(epsilon=2, k=2), np.array([1.0, 0.0, 2.0, 4.0])
    draws = [tuple(mechanism.draw(utilities, noise).tolist()) for _ in range(8000)]
    rate = 2 / (2 * mechanism.k)
    assert fits(draws, peeled_law(np.exp(rate * utilities), 2))
    assert not fits(draws, peeled_law(np.exp(1.3 * rate * utilities), 2))


def test_all_candidates_are_a_permutation() -> None:
    drawn = ExponentialPeeling(epsilon=1, k=5).draw(np.zeros(5), SeededNoise(0))
    assert drawn.tolist() == [0, 1, 2, 3, 4]


def test_utilities_are_not_altered() -> None:
    utilities = np.arange(4.0)
    ExponentialPeeling(epsilon=1, k=3).draw(utilities, SeededNoise(0))
    np.testing.assert_array_equal(utilities, np.arange(4.0))


def test_many_candidates_are_quick() -> None:
    """One pass over the candidates, however many are chosen."""
    drawn = ExponentialPeeling(epsilon=1, k=5000).draw(np.arange(100_000.0), SystemNoise())
    assert np.unique(drawn).size == 5000


def test_loss_is_epsilon() -> None:
    assert ExponentialPeeling(epsilon="0.3", k=3).loss == Loss("0.3")


def test_more_than_there_are() -> None:
    with pytest.raises(InvalidArgument, match="^k must be at most the number of candidates, 2"):
        ExponentialPeeling(epsilon=1, k=3).draw(np.zeros(2), SeededNoise(0))


BASES_OF_PERMUTE_AND_FLIP = [[0, 0, 8, 9], [3, 1, 0, 2], [5, 5, 5, 0], [0, 40, 40, 0]]


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


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_permute_and_flip_loss_over_all_neighbours(k: int, monotone: bool) -> None:
    mechanism = PermuteAndFlip(epsilon=1.2, k=k, monotone=monotone, whole=True)
    scale = mechanism.cell_scale
    worst = worst_loss(
        lambda cells: ordered_law(cells, k, scale), BASES_OF_PERMUTE_AND_FLIP, monotone
    )  # type: ignore[arg-type,return-value]
    assert worst <= 1.2 + 1e-9
    assert worst > 0.99 * 1.2


@pytest.mark.few(1)
@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_draws_follow_that_law(noise: SeededNoise | SystemNoise) -> None:
    mechanism, scores = PermuteAndFlip(epsilon=2, k=2, whole=True), np.array([3, 1, 0, 6])
    draws = [tuple(mechanism.draw(scores.astype(float), noise).tolist()) for _ in range(6000)]
    assert fits(draws, ordered_law(scores, 2, mechanism.cell_scale))
    assert not fits(draws, ordered_law(scores, 2, 1.3 * mechanism.cell_scale))


@pytest.mark.usefixtures("coarse")
def test_flipping_a_few_first_does_not_change_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peeling, "_FIRST", 2)
    monkeypatch.setattr(peeling, "_HEAD", 16)
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


@pytest.mark.usefixtures("coarse")
def test_permute_and_flip_all_candidates_are_a_permutation() -> None:
    drawn = PermuteAndFlip(epsilon=1, k=5).draw(np.zeros(5), SeededNoise(0))
    assert sorted(drawn.tolist()) == [0, 1, 2, 3, 4]


@pytest.mark.usefixtures("coarse")
def test_permute_and_flip_loss_is_epsilon() -> None:
    assert PermuteAndFlip(epsilon="0.3", k=3).loss == Loss("0.3")


@pytest.mark.usefixtures("coarse")
def test_permute_and_flip_more_than_there_are() -> None:
    with pytest.raises(InvalidArgument, match="^k must be at most the number of candidates, 2"):
        PermuteAndFlip(epsilon=1, k=3).draw(np.zeros(2), SeededNoise(0))


@pytest.mark.usefixtures("coarse")
@pytest.mark.statistical
def test_low_scores_show_heads_as_often_as_their_gap_says() -> None:
    """Ranks beyond the first flips are thinned."""
    scale, noise = 100.0, SeededNoise(5)
    ranked = np.concatenate([np.zeros(3000, dtype=np.int64), np.full(100_000, -350)])
    ranked[2000:3000] = -300
    heads = peeling._heads(ranked, scale, noise)
    assert np.isin(np.arange(2000), heads).all()
    for low, high, gap in ((2000, 3000, 3.0), (3000, 103_000, 3.5)):
        seen, n = int(((heads >= low) & (heads < high)).sum()), high - low
        expected = n * np.exp(-gap)
        assert abs(seen - expected) < 6 * np.sqrt(expected)
    assert abs(int((heads >= 3000).sum()) - 100_000 * np.exp(-3.5 / 1.3)) > 1000


@pytest.mark.usefixtures("coarse")
@pytest.mark.statistical
def test_heads_are_thinned_where_all_others_are_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peeling, "_HEAD", 16)
    ranked = np.concatenate([[0], np.full(200_000, -350)])
    heads = peeling._heads(ranked, 100.0, SeededNoise(6))
    expected = 200_000 * np.exp(-3.5)
    assert heads[0] == 0
    assert abs(heads.size - 1 - expected) < 6 * np.sqrt(expected)
