"""Both sources of noise keep the same protocol."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from sklearn.base import clone

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource

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
