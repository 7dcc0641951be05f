"""System noise cannot be repeated and holds no state."""

from __future__ import annotations

import copy
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import chisquare
from sklearn.base import clone

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource, system
from dpcore.noise.system import LARGEST_SCALE, ceil_to_float, checked_scale


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_smallest_double_not_below(value: Fraction) -> None:
    rounded = ceil_to_float(value)
    assert Fraction(rounded) >= value
    assert Fraction(math.nextafter(rounded, 0.0)) < value


@pytest.mark.parametrize("scale", [2.0**53, Fraction(10) ** 30])
def test_scales_that_would_saturate_are_refused(scale: Fraction | float) -> None:
    """Epsilon 1e-20 once gave the sign of a count away: the sampler saturated and wrapped."""
    assert checked_scale(LARGEST_SCALE) == LARGEST_SCALE
    with pytest.raises(InvalidArgument, match="ask for a larger epsilon"):
        checked_scale(scale)


SOURCES = [SeededNoise(3), SystemNoise()]


@pytest.mark.parametrize("noise", SOURCES)
def test_protocol_and_shapes(noise: NoiseSource) -> None:
    assert isinstance(noise, NoiseSource)
    assert noise.discrete_laplace(2.0, 5).dtype == np.int64
    assert noise.discrete_laplace(2.0, 0).shape == (0,)
    assert noise.uniform(7).shape == (7,)
    assert noise.coins(9, 0.5).dtype == np.bool_


@pytest.mark.parametrize("noise", SOURCES)
def test_uniform_is_open(noise: NoiseSource) -> None:
    draws = noise.uniform(10_000)
    assert 0.0 < draws.min() < draws.max() < 1.0


@pytest.mark.parametrize("noise", SOURCES)
def test_certain_coins(noise: NoiseSource) -> None:
    assert not noise.coins(100, 0.0).any()
    assert noise.coins(100, 1.0).all()


@pytest.mark.parametrize("noise", SOURCES)
def test_choose_skips_zero_weight(noise: NoiseSource) -> None:
    weights = np.array([-np.inf, 0.0, -np.inf])
    assert {noise.choose(weights) for _ in range(20)} == {1}


@pytest.mark.parametrize("noise", SOURCES)
@pytest.mark.parametrize("bad", [[-np.inf], [np.nan, 0.0], [np.inf, 0.0], []])
def test_choose_refuses_impossible_weights(noise: NoiseSource, bad: list[float]) -> None:
    with pytest.raises(InvalidArgument, match="log_weights"):
        noise.choose(np.array(bad))


@pytest.mark.parametrize("noise", SOURCES)
def test_bad_scale_and_probability_are_named(noise: NoiseSource) -> None:
    with pytest.raises(InvalidArgument, match="scale"):
        noise.discrete_laplace(0.0, 1)
    with pytest.raises(InvalidArgument, match="probability"):
        noise.coins(1, 1.5)


@pytest.mark.parametrize("noise", SOURCES)
def test_clones_share_the_stream(noise: NoiseSource) -> None:
    assert clone(noise) is noise


def test_only_the_seed_is_simulated() -> None:
    assert SeededNoise(0).simulated
    assert not SystemNoise().simulated


def test_a_copied_seed_repeats_and_a_child_is_another_stream() -> None:
    one, two = SeededNoise(5), copy.deepcopy(SeededNoise(5))
    np.testing.assert_array_equal(one.uniform(4), two.uniform(4))
    first = SeededNoise(5).child("roc").uniform(4)
    np.testing.assert_array_equal(first, SeededNoise(5).child("roc").uniform(4))
    assert not np.array_equal(first, SeededNoise(5).child("train").uniform(4))
    assert not np.array_equal(first, SeededNoise(5).uniform(4))


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
    assert groups.shape == (4, 256)
    np.testing.assert_array_equal(groups.ravel()[:1_000], log_weights)
    expected = [logsumexp(group) for group in groups]
    np.testing.assert_allclose(system._log_sums(groups), expected, rtol=0, atol=1e-12)


def test_large_log_weights_keep_their_law() -> None:
    """Of 257 equal ones the last group holds one: rounded at 1e17, all groups weigh the same."""
    equal = np.full(257, 1e17)
    last = sum(SystemNoise().choose(equal) >= 255 for _ in range(1_000))
    # Binomial with mean 7.8: 30 or more with a chance below 1e-8. One group in 9 would be 111.
    assert last < 30


def test_the_farthest_weight_is_not_lost_and_nothing_overflows() -> None:
    log_weights = np.full(300, -1.7e308)
    log_weights[7] = 1.7e308
    with np.errstate(over="raise", invalid="raise"):
        groups = system._in_groups(system._below_largest(log_weights))
        assert SystemNoise().choose(log_weights) == 7
    assert np.isfinite(groups.ravel()[:300]).all()


NEAR = -np.abs(np.arange(1_200) - 580) / 180.0
# Together the far ones weigh nearly as much as the likeliest one.
FAR = np.where(np.arange(1_200) == 580, 0.0, NEAR - 6.1)


@pytest.mark.parametrize("log_weights", [NEAR, FAR, FAR[480:700]], ids=["runs", "far", "few"])
def test_a_choice_in_steps_keeps_its_law(log_weights: np.ndarray) -> None:
    """Of 1,200 candidates or 220, by the forties or twenties that the draws fall into."""
    together = log_weights.size // 30 if log_weights.size > 300 else 20
    source, draws = SystemNoise(), 2_500
    seen = np.bincount(
        [source.choose(log_weights) // together for _ in range(draws)],
        minlength=log_weights.size // together,
    )
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        share = np.exp(factor * log_weights).reshape(-1, together).sum(axis=1)
        assert bool(chisquare(seen, draws * share / share.sum()).pvalue > 1e-7) is fits


@pytest.mark.parametrize("size", [32, 256, 257, 1_025, 10_001])
def test_every_place_can_be_chosen(size: int) -> None:
    for place in (0, size // 2, size - 1):
        log_weights = np.full(size, -900.0)
        log_weights[place] = 700.0
        assert SystemNoise().choose(log_weights) == place


def test_many_weights_of_zero_are_passed_over() -> None:
    log_weights = np.full(5_000, -np.inf)
    log_weights[[3, 4_000]] = 0.0
    assert {SystemNoise().choose(log_weights) for _ in range(60)} == {3, 4_000}
