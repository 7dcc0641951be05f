"""Losses between laws, over all neighbours of small instances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.selection.exact import Comparisons, law, loss_between, neighbors_of, worst_loss

BASES = [[-9.0, -9.0, 0.0], [0.0, 0.0, 0.0], [20.0, -3.0, 3.0], [-40.0, -40.0, 40.0]]
PROVEN = (1, 2, 4, 7)


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("algorithm", PROVEN)
def test_proven_algorithms_lose_at_most_what_they_declare(
    algorithm: int, cutoff: int, monotone: bool
) -> None:
    found = Comparisons.of(algorithm, epsilon=1.2, cutoff=cutoff, monotone=monotone)
    worst = worst_loss(lambda scores: law(found, scores), BASES, monotone=monotone)
    assert 0.2 * found.declared < worst <= found.declared + 1e-9


@pytest.mark.parametrize("algorithm", [5, 6])
def test_broken_algorithms_lose_more(algorithm: int) -> None:
    found = Comparisons.of(algorithm, epsilon=1)
    worst = worst_loss(lambda scores: law(found, scores), [[0.0, 0.0, 0.0, 0.0]], monotone=False)
    assert worst > 1.05


def test_by_hand() -> None:
    assert loss_between({1: 0.25, 2: 0.75}, {1: 0.5, 2: 0.5}) == pytest.approx(np.log(2))
    assert loss_between({1: 1.0, 2: 0.0}, {1: 0.5, 2: 0.5}) == np.inf
    assert loss_between({1: 1.0, 2: 0.0}, {1: 1.0}) == 0.0


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=4))
def test_loss_is_symmetric_and_zero_on_itself(weights: list[float]) -> None:
    here = dict(enumerate(weights))
    there = dict(enumerate(reversed(weights)))
    assert loss_between(here, there) == pytest.approx(loss_between(there, here))
    assert loss_between(here, here) == 0.0


def test_neighbours() -> None:
    rises = {tuple(there) for there in neighbors_of([1, 5], monotone=True)}
    assert rises == {(1, 5), (2, 5), (1, 6), (2, 6)}
    assert (0, 6) in {tuple(there) for there in neighbors_of([1, 5], monotone=False)}
