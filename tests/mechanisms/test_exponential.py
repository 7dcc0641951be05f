"""Exponential mechanism: exact loss by enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import log_softmax

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Exponential

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
