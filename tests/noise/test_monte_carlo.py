"""The generator for integrals over published numbers."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.noise.monte_carlo import monte_carlo, seed_from


def test_the_same_seed_gives_the_same_numbers() -> None:
    once, again, other = (monte_carlo(seed).normal(size=5) for seed in (3, 3, 4))
    np.testing.assert_array_equal(once, again)
    assert not np.array_equal(once, other)


@pytest.mark.parametrize("seed", [-1, 0.5, True])
def test_a_seed_is_a_whole_number(seed: int) -> None:
    with pytest.raises(InvalidArgument, match="seed"):
        monte_carlo(seed)


def test_it_cannot_stand_in_for_privacy_noise() -> None:
    assert not isinstance(monte_carlo(0), NoiseSource)


def test_the_seed_follows_every_released_number() -> None:
    base = [np.array([1, 2, 3]), np.array([0.5, 0.25])]
    seeds = {seed_from(*base), seed_from(base[0]), seed_from(base[1], base[0])}
    for position in range(2):
        for index in range(base[position].size):
            changed = [values.copy() for values in base]
            changed[position][index] += 1
            seeds.add(seed_from(*changed))
    assert len(seeds) == 3 + 5


def test_the_seed_does_not_depend_on_memory_layout() -> None:
    table = np.arange(6.0).reshape(2, 3)
    assert seed_from(table) == seed_from(np.asfortranarray(table))
