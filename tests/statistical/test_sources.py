"""The primitives of both noise sources follow their laws, and a scale 30 % off is rejected."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise, SystemNoise
from dpcore.noise import NoiseSource
from tests.statistical.fit import FALSE_ALARM, chi_square_p, continuous_p, discrete_laplace_p

SOURCES = [SeededNoise(20261121), SystemNoise()]
FACTORS = [(1.0, True), (0.7, False), (1.3, False)]

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("noise", SOURCES)
@pytest.mark.parametrize("scale", [0.8, 5.0, 60.0])
def test_discrete_laplace(noise: NoiseSource, scale: float) -> None:
    draws = noise.discrete_laplace(scale, 20_000)
    for factor, fits in FACTORS:
        assert (discrete_laplace_p(draws, factor * scale) > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize("noise", SOURCES)
def test_discrete_laplace_on_a_fine_grid_is_laplace(noise: NoiseSource) -> None:
    scale = 2.0**30
    draws = noise.discrete_laplace(scale, 20_000) / scale
    for factor, fits in FACTORS:
        p = continuous_p(draws, stats.laplace(scale=factor).cdf)
        assert (p > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize("noise", SOURCES)
def test_uniform(noise: NoiseSource) -> None:
    draws = noise.uniform(20_000)
    assert continuous_p(draws, stats.uniform().cdf) > FALSE_ALARM
    assert continuous_p(draws**1.3, stats.uniform().cdf) < FALSE_ALARM


@pytest.mark.parametrize("noise", SOURCES)
def test_choose(noise: NoiseSource) -> None:
    weights = np.array([0.05, 0.15, 0.3, 0.5])
    chosen = np.bincount([noise.choose(np.log(weights)) for _ in range(10_000)], minlength=4)
    assert chi_square_p(chosen, weights) > FALSE_ALARM
    sharper = weights**1.3
    assert chi_square_p(chosen, sharper / sharper.sum()) < FALSE_ALARM


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", SOURCES)
def test_choose_among_many(noise: NoiseSource) -> None:
    """302 candidates, so that system noise goes by groups: uneven ones, the last not full."""
    place = np.arange(302)
    log_weights = np.sin(place / 9) * 2 - place / 80
    log_weights[[5, 60, 61]] = -np.inf
    weights = np.exp(log_weights)
    chosen = np.bincount([noise.choose(log_weights) for _ in range(6_000)], minlength=302)
    assert chi_square_p(chosen, weights / weights.sum()) > FALSE_ALARM
    sharper = weights**1.3
    assert chi_square_p(chosen, sharper / sharper.sum()) < FALSE_ALARM


@pytest.mark.parametrize("noise", SOURCES)
def test_coins(noise: NoiseSource) -> None:
    heads = int(noise.coins(20_000, 0.3).sum())
    assert stats.binomtest(heads, 20_000, 0.3).pvalue > FALSE_ALARM
    assert stats.binomtest(heads, 20_000, 0.3 * 1.3).pvalue < FALSE_ALARM
