"""System noise cannot be repeated and holds no state."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from dpcore import SystemNoise
from dpcore.noise import system


def test_it_shows_no_address() -> None:
    assert repr(SystemNoise()) == "SystemNoise()"


def test_two_sources_differ() -> None:
    assert not np.array_equal(SystemNoise().uniform(8), SystemNoise().uniform(8))


def test_a_rational_scale_is_accepted() -> None:
    from fractions import Fraction

    assert SystemNoise().discrete_laplace(Fraction(10, 3), 4).shape == (4,)


def test_groups_hold_every_weight_once_and_add_it_up() -> None:
    log_weights = np.random.default_rng(1).normal(0, 30, 1_000)
    groups = system._in_groups(log_weights)
    assert groups.shape == (32, 32)
    np.testing.assert_array_equal(groups.ravel()[:1_000], log_weights)
    expected = [logsumexp(group) for group in groups]
    np.testing.assert_allclose(system._log_sums(groups), expected, rtol=0, atol=1e-12)


def test_large_log_weights_keep_their_law() -> None:
    """Of 257 equal ones two lie in the last group: rounded at 1e17, all groups weigh the same."""
    equal = np.full(257, 1e17)
    last = sum(SystemNoise().choose(equal) >= 255 for _ in range(1_000))
    # Binomial with mean 7.8: 30 or more with a chance below 1e-8. One group in 16 would be 62.
    assert last < 30


def test_the_farthest_weight_is_not_lost_and_nothing_overflows() -> None:
    log_weights = np.full(300, -1.7e308)
    log_weights[7] = 1.7e308
    with np.errstate(over="raise", invalid="raise"):
        groups = system._in_groups(system._below_largest(log_weights))
        assert SystemNoise().choose(log_weights) == 7
    assert np.isfinite(groups.ravel()[:300]).all()


@pytest.mark.parametrize("size", [256, 257, 289, 290, 10_001])
def test_every_place_can_be_chosen(size: int) -> None:
    for place in (0, size // 2, size - 1):
        log_weights = np.full(size, -900.0)
        log_weights[place] = 700.0
        assert SystemNoise().choose(log_weights) == place


def test_many_weights_of_zero_are_passed_over() -> None:
    log_weights = np.full(5_000, -np.inf)
    log_weights[[3, 4_000]] = 0.0
    assert {SystemNoise().choose(log_weights) for _ in range(60)} == {3, 4_000}
