"""Seeded noise rescales smoothly when epsilon moves."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.noise.seeded import monte_carlo, seed_from


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


def test_another_scale_keeps_the_randomness() -> None:
    narrow = SeededNoise(11).discrete_laplace(1000.0, 500)
    wide = SeededNoise(11).discrete_laplace(3000.0, 500)
    np.testing.assert_allclose(wide, 3 * narrow, atol=4)
    assert np.abs(narrow).max() > 3000


def test_it_shows_the_seed() -> None:
    assert repr(SeededNoise(11)) == "SeededNoise(11)"


def test_there_is_one_absence_of_noise() -> None:
    noise = NoiseOff()
    assert clone(noise) is noise
    assert repr(noise) == "NoiseOff()"


def test_tiny_scale_gives_zero() -> None:
    assert not SeededNoise(1).discrete_laplace(1e-3, 1000).any()


@pytest.mark.parametrize("seed", [-1, 1.5, "a"])
def test_bad_seed_is_named(seed: object) -> None:
    with pytest.raises(InvalidArgument, match="^seed must be"):
        SeededNoise(seed)  # type: ignore[arg-type]
