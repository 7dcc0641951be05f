"""Geometric, Laplace and Exponential draw from the law that they state; 30 % off is rejected."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise, SystemNoise
from dpcore.mechanisms import Exponential, Geometric, Laplace
from dpcore.noise import NoiseSource
from tests.statistical.fit import FALSE_ALARM, chi_square_p, continuous_p, discrete_laplace_p

SOURCES = [SeededNoise(42), SystemNoise()]
FACTORS = [(1.0, True), (0.7, False), (1.3, False)]

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("noise", SOURCES)
def test_geometric(noise: NoiseSource) -> None:
    draws = Geometric(epsilon=0.4, l1_sensitivity=2).draw(np.full(20_000, 7), noise) - 7
    for factor, fits in FACTORS:
        assert (discrete_laplace_p(draws, factor * 5.0) > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize("noise", SOURCES)
def test_laplace(noise: NoiseSource) -> None:
    draws = Laplace(epsilon=0.5, l1_sensitivity=3.0).draw(np.full(20_000, 1.25), noise) - 1.25
    for factor, fits in FACTORS:
        p = continuous_p(draws, stats.laplace(scale=6.0 * factor).cdf)
        assert (p > FALSE_ALARM) is fits, factor


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", SOURCES)
def test_exponential(noise: NoiseSource) -> None:
    mechanism = Exponential(epsilon=1.5)
    utilities = np.array([0.0, 1.0, 2.0, 3.0])
    chosen = np.bincount([mechanism.draw(utilities, noise) for _ in range(10_000)], minlength=4)
    for factor, fits in FACTORS:
        weights = np.exp(0.75 * factor * utilities)
        assert (chi_square_p(chosen, weights / weights.sum()) > FALSE_ALARM) is fits, factor
