"""The discrete Gaussian sampler has its law, far into the tails."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.discrete_gaussian import discrete_gaussian
from tests.statistical.fit import chi_square_p


def law_p(draws: np.ndarray, deviation: float) -> float:
    reach = int(np.ceil(8 * deviation)) + 2
    support = np.arange(-reach, reach + 1)
    mass = np.exp(-(support**2) / (2 * deviation**2))
    observed = np.bincount(np.clip(draws, -reach, reach) + reach, minlength=support.size)
    return chi_square_p(observed, mass / mass.sum())


@pytest.mark.statistical
@pytest.mark.parametrize("deviation", [0.4, 1.0, 7.3])
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_the_law_is_the_declared_one(deviation, factor, fits):
    draws = discrete_gaussian(deviation, 60_000, SeededNoise(11))
    assert bool(law_p(draws, factor * deviation) > 1e-7) is fits


@pytest.mark.statistical
def test_wide_noise_is_normal():
    draws = discrete_gaussian(1e9, 20_000, SeededNoise(1))
    assert stats.kstest(draws / 1e9, stats.norm.cdf).pvalue > 1e-7
    assert stats.kstest(draws / 0.7e9, stats.norm.cdf).pvalue < 1e-7


def test_system_noise_works_too():
    draws = discrete_gaussian(50.0, 2000, SystemNoise())
    # Seven standard errors.
    assert abs(draws.std() / 50.0 - 1.0) < 7 / np.sqrt(2 * 2000)


@pytest.mark.parametrize("size", [0, 1, 17])
def test_as_many_as_were_asked_for(size):
    assert discrete_gaussian(2.0, size, SeededNoise(0)).shape == (size,)


def test_no_width_no_noise():
    with pytest.raises(InvalidArgument, match="^deviation must be"):
        discrete_gaussian(0.0, 1, SeededNoise(0))
