"""The vector laws inside objective perturbation follow their densities; 30 % off is rejected."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise, SystemNoise
from dpcore.mechanisms.samplers.norm_noise import GammaCube, GammaSphere, LaplaceVector, erlang
from dpcore.noise import NoiseSource
from tests.statistical.fit import FALSE_ALARM, continuous_p

SOURCES = [SeededNoise(11), SystemNoise()]
FACTORS = [(1.0, True), (0.7, False), (1.3, False)]
DRAWS, RATE, DIMENSION = 4_000, 0.25, 3

pytestmark = pytest.mark.statistical


def check(draws: np.ndarray, law: stats.rv_continuous, scale: float, shape: float = 1.0) -> None:
    arguments = (shape,) if law.shapes else ()
    for factor, fits in FACTORS:
        p = continuous_p(draws, law(*arguments, scale=scale * factor).cdf)
        assert (p > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize("noise", SOURCES)
def test_erlang_is_gamma(noise: NoiseSource) -> None:
    check(np.array([erlang(5, noise) for _ in range(DRAWS)]), stats.gamma, 1.0, 5)


@pytest.mark.parametrize("noise", SOURCES)
def test_sphere_has_gamma_length_and_uniform_direction(noise: NoiseSource) -> None:
    law = GammaSphere(rate=RATE, dimension=DIMENSION)
    draws = np.array([law.sample(noise) for _ in range(DRAWS)])
    lengths = np.linalg.norm(draws, axis=1)
    check(lengths, stats.gamma, 1 / RATE, DIMENSION)
    square = stats.gamma(DIMENSION, scale=1 / RATE).moment(2)
    assert law.variance == law.column_variances.sum() == pytest.approx(square)
    # Archimedes: each coordinate of a uniform direction in three dimensions is uniform.
    for coordinate in (draws / lengths[:, np.newaxis]).T:
        assert continuous_p(coordinate, stats.uniform(-1, 2).cdf) > FALSE_ALARM
    assert continuous_p(draws[:, 0] / np.abs(draws).max(axis=1), stats.uniform(-1, 2).cdf) < 1e-9


@pytest.mark.parametrize("noise", SOURCES)
def test_cube_has_gamma_largest_entry_and_uniform_others(noise: NoiseSource) -> None:
    law = GammaCube(rate=RATE, dimension=DIMENSION)
    draws = np.array([law.sample(noise) for _ in range(DRAWS)])
    largest = np.abs(draws).max(axis=1)
    # The density exp(-rate m) over shells of volume ~ m^(d-1) gives Gamma(d).
    check(largest, stats.gamma, 1 / RATE, DIMENSION)
    ratios = np.sort(np.abs(draws), axis=1)[:, :-1] / largest[:, np.newaxis]
    order = np.random.default_rng(0).integers(0, DIMENSION - 1, DRAWS)
    assert continuous_p(ratios[np.arange(DRAWS), order], stats.uniform.cdf) > FALSE_ALARM


@pytest.mark.parametrize("noise", SOURCES)
def test_laplace_vector(noise: NoiseSource) -> None:
    draws = LaplaceVector(rate=RATE, dimension=20_000).sample(noise)
    check(draws, stats.laplace, 1 / RATE)
