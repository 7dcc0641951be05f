"""Samplers behind the ROC methods draw from their laws; noise 30 % off is rejected."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise, SystemNoise
from dpcore.mechanisms import HaarCounts, QuantileBins, RecursiveQuantiles, SmoothMedians
from dpcore.mechanisms.counts.tree_counts import haar
from dpcore.noise import NoiseSource
from tests.mechanisms._median_law import law
from tests.statistical.fit import FALSE_ALARM, chi_square_p, discrete_laplace_p

SOURCES = [SeededNoise(424242), SystemNoise()]
FACTORS = [(1.0, True), (0.7, False), (1.3, False)]

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("noise", SOURCES)
def test_haar_coefficients(noise: NoiseSource) -> None:
    counts = np.full((4_000, 4), 25)
    noisy = HaarCounts(epsilon=0.5).draw(counts, noise)
    # The transform of quarter-exact counts: four times each coefficient is whole again.
    draws = haar((4 * (noisy - counts)).astype(np.int64)) // 4
    for factor, fits in FACTORS:
        assert (discrete_laplace_p(draws.ravel(), factor * 6.0) > FALSE_ALARM) is fits, factor


@pytest.mark.parametrize("noise", SOURCES)
def test_haar_variance_of_long_sums(noise: NoiseSource) -> None:
    """The closed form for the first three of four cells: the row's sum weighs 3/4, the root 1/4
    and the right node 1/2."""
    noisy = HaarCounts(epsilon=1).draw(np.zeros((20_000, 4), dtype=np.int64), noise)
    ratio = np.exp(-1 / 3)
    variance = 2 * ratio / (1 - ratio) ** 2 * (9 + 1 + 4) / 16
    # The fourth moment of these sums is below 6: 20,000 draws give the variance within 1.6 %.
    assert np.var(noisy[:, :3].sum(axis=1)) == pytest.approx(variance, rel=0.1)


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", SOURCES)
def test_smooth_medians(noise: NoiseSource) -> None:
    """Every edge as often as its exact probability, with Cauchy noise 30 % off rejected."""
    grid, below = np.linspace(0, 1, 17), np.concatenate([[0], np.cumsum(np.arange(16))])
    mechanism = SmoothMedians(epsilon=0.4, positions=grid, cuts=np.array([0, 16]))
    drawn = [mechanism.draw(below, noise)[0] for _ in range(6_000)]
    observed = np.bincount(np.array(drawn) - 1, minlength=15)
    for factor, fits in FACTORS:

        class Scaled(SmoothMedians):
            @property
            def noise_factor(self) -> float:
                return factor * super().noise_factor  # noqa: B023

        expected = law(Scaled(epsilon=0.4, positions=grid, cuts=np.array([0, 16])), below)
        assert (chi_square_p(observed, expected) > FALSE_ALARM) is fits, factor


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", SOURCES)
def test_recursive_quantiles(noise: NoiseSource) -> None:
    """A single quantile against the exponential mechanism in closed form."""
    below, positions = np.array([0, 2, 9, 11, 20, 24]), np.array([0.0, 1.0, 1.5, 4.0, 5.0, 9.0])
    mechanism = RecursiveQuantiles(epsilon=0.6, levels=(0.25,), positions=positions)
    drawn = [mechanism.draw(below, noise)[0] for _ in range(10_000)]
    observed = np.bincount(np.array(drawn) - 1, minlength=4)
    widths = positions[2:] - positions[:-2]
    for factor, fits in FACTORS:
        weights = widths * np.exp(-factor * 0.6 / (2 * 0.75) * np.abs(below[1:-1] - 6.0))
        assert (chi_square_p(observed, weights / weights.sum()) > FALSE_ALARM) is fits, factor


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", SOURCES)
def test_quantile_bin_counts(noise: NoiseSource) -> None:
    """Both classes get their own scale of discrete Laplace noise, and the cuts their law."""
    grid = np.arange(4.0)
    below = np.array([0, 10, 20, 30]), np.array([0, 1, 2, 3])
    mechanism = QuantileBins(epsilon=1, levels=(0.5,), positions=grid)
    outs = [mechanism.draw(below, noise) for _ in range(3_000)]
    guide = np.concatenate([out.guide - np.diff(below[0][[0, out.cuts[0], 3]]) for out in outs])
    other = np.concatenate([out.other - np.diff(below[1][[0, out.cuts[0], 3]]) for out in outs])
    for factor, fits in FACTORS:
        assert (discrete_laplace_p(guide, factor * 10 / 7) > FALSE_ALARM) is fits, factor
        assert (discrete_laplace_p(other, factor * 1.0) > FALSE_ALARM) is fits, factor
