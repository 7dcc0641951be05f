"""Peeling: k different candidates, exact joint probabilities, loss at most epsilon."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import ExponentialPeeling


def probabilities(
    mechanism: ExponentialPeeling, utilities: np.ndarray
) -> dict[tuple[int, ...], float]:
    """Exact probability of every ordered choice."""
    weights = np.exp(mechanism.one_choice.log_weights(utilities))
    result = {}
    for order in permutations(range(utilities.size), mechanism.k):
        left, probability = weights.sum(), 1.0
        for index in order:
            probability *= weights[index] / left
            left -= weights[index]
        result[order] = probability
    return result


@pytest.mark.parametrize("monotone, steps", [(True, (0, 1)), (False, (-1, 0, 1))])
def test_loss_over_all_neighbours(monotone: bool, steps: tuple[int, ...]) -> None:
    mechanism = ExponentialPeeling(epsilon=1.2, k=2, monotone=monotone)
    utilities = np.array([3.0, 1.0, 0.0, 2.0])
    here = probabilities(mechanism, utilities)
    worst = 0.0
    for change in product(steps, repeat=4):
        there = probabilities(mechanism, utilities + np.array(change))
        worst = max(worst, *(abs(np.log(here[order] / there[order])) for order in here))
    assert worst <= 1.2 + 1e-9
    assert worst > 0.6, "the test would not notice half the noise"


def test_draws_follow_those_probabilities() -> None:
    mechanism, noise = ExponentialPeeling(epsilon=2, k=2, monotone=True), SeededNoise(0)
    utilities = np.array([1.0, 0.0, 2.0])
    expected = probabilities(mechanism, utilities)
    draws = [tuple(mechanism.draw(utilities, noise).tolist()) for _ in range(20_000)]
    for order, probability in expected.items():
        error = 6 * np.sqrt(probability * (1 - probability) / 20_000)
        assert abs(draws.count(order) / 20_000 - probability) < error


def test_all_candidates_are_a_permutation() -> None:
    drawn = ExponentialPeeling(epsilon=1, k=5).draw(np.zeros(5), SeededNoise(0))
    assert sorted(drawn.tolist()) == [0, 1, 2, 3, 4]


def test_utilities_are_not_altered() -> None:
    utilities = np.arange(4.0)
    ExponentialPeeling(epsilon=1, k=3).draw(utilities, SeededNoise(0))
    np.testing.assert_array_equal(utilities, np.arange(4.0))


def test_loss_is_epsilon() -> None:
    assert ExponentialPeeling(epsilon="0.3", k=3).loss == Loss("0.3")


def test_more_than_there_are() -> None:
    with pytest.raises(InvalidArgument, match="^k must be at most the number of candidates, 2"):
        ExponentialPeeling(epsilon=1, k=3).draw(np.zeros(2), SeededNoise(0))
