"""Peeling: k different candidates, the exact law of the set, loss at most epsilon."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import log_softmax

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Exponential, ExponentialPeeling
from dpcore.mechanisms.samplers import exponential_noise
from tests.mechanisms._selection_loss import changes, fits, loss_between, top_set_law

utilities = hnp.arrays(np.float64, 6, elements=st.floats(-50, 50))

moves = hnp.arrays(np.float64, 6, elements=st.floats(-1, 1))


def worst_loss(mechanism: Exponential, a: np.ndarray, b: np.ndarray) -> float:
    difference = log_softmax(mechanism.log_weights(a)) - log_softmax(mechanism.log_weights(b))
    return float(np.abs(difference).max())


@given(utilities, moves, st.floats(0.01, 5), st.floats(0.1, 10))
def test_any_move_within_the_sensitivity_costs_at_most_epsilon(
    values: np.ndarray, move: np.ndarray, epsilon: float, sensitivity: float
) -> None:
    mechanism = Exponential(epsilon=epsilon, sensitivity=sensitivity)
    assert worst_loss(mechanism, values, values + sensitivity * move) <= epsilon + 1e-9


@given(utilities, moves, st.floats(0.01, 5))
def test_monotone_moves_cost_at_most_epsilon_at_twice_the_rate(
    values: np.ndarray, move: np.ndarray, epsilon: float
) -> None:
    mechanism = Exponential(epsilon=epsilon, monotone=True)
    assert worst_loss(mechanism, values, values + np.abs(move)) <= epsilon + 1e-9


def test_a_move_that_is_not_monotone_breaks_the_monotone_rate() -> None:
    """The declaration matters: one utility up and the others down costs nearly 2 epsilon."""
    mechanism = Exponential(epsilon=1, monotone=True)
    values = np.zeros(200)
    move = np.full(200, -1.0)
    move[0] = 1.0
    assert worst_loss(mechanism, values, values + move) > 1.9


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


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cell per count, so that ties matter and sums are short."""
    monkeypatch.setattr(exponential_noise, "_RESOLUTION_BITS", 0)


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
        for change in changes(base.size, monotone):
            worst = max(worst, loss_between(here, drawn_law(mechanism, base + change)))
    assert worst <= 1.2 + 1e-9
    assert worst > 0.99 * 1.2


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
