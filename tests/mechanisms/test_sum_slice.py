"""Slices of an octahedron: volumes against brute force, points inside and uniform."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise, SystemNoise
from dpcore.mechanisms.sum_slice import log_volume, point_of_slice
from tests.statistical.fit import FALSE_ALARM, chi_square_p, continuous_p


def octahedron(size: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    magnitudes = rng.dirichlet(np.ones(size + 1), count)[:, :size]
    return magnitudes * rng.choice([-1.0, 1.0], size=(count, size))


@pytest.mark.parametrize("size", [2, 3, 5, 12])
def test_volume_is_the_density_of_the_sum(size: int) -> None:
    sums = octahedron(size, 40_000).sum(axis=1)
    edges = np.linspace(-1, 1, 41)
    fine = np.linspace(-1, 1, 4001)[1:-1]
    density = np.exp(log_volume(size, fine))
    mass = np.histogram(fine, edges, weights=density)[0]
    observed = np.histogram(sums, edges)[0]
    assert chi_square_p(observed, mass / mass.sum()) > FALSE_ALARM
    other = np.histogram(fine, edges, weights=np.exp(log_volume(size + 1, fine)))[0]
    assert chi_square_p(observed, other / other.sum()) < FALSE_ALARM


@pytest.mark.parametrize("size", [2, 7, 60])
def test_volume_is_even_log_concave_and_largest_at_zero(size: int) -> None:
    logs = log_volume(size, np.linspace(-0.9, 0.9, 37))
    np.testing.assert_allclose(logs, logs[::-1], atol=1e-9)
    assert logs.argmax() == 18 or size == 2
    assert (np.diff(logs, 2) <= 1e-9).all()


@pytest.mark.parametrize("total", [-0.4, 0.0, 0.3, 0.9])
@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_points_lie_in_the_slice(size: int, total: float) -> None:
    noise = SeededNoise(1)
    for _ in range(20):
        point = point_of_slice(size, total, noise)
        assert point.sum() == pytest.approx(total)
        assert np.abs(point).sum() <= 1 + 1e-12


@pytest.mark.parametrize("noise", [SeededNoise(2), SystemNoise()])
@pytest.mark.parametrize("total", [-0.6, 0.2])
def test_points_of_three_entries_are_uniform(
    noise: SeededNoise | SystemNoise, total: float
) -> None:
    """Given its first entry, the other two of a point fill an interval: its length, by a grid."""
    draws = np.array([point_of_slice(3, total, noise) for _ in range(4000)])
    grid = np.linspace(-1, 1, 2001)
    # |b| + |t - a - b| <= 1 - |a| has length 1 - |a| where |t - a| fits in it.
    length = np.where(np.abs(total - grid) <= 1 - np.abs(grid), 1 - np.abs(grid), 0.0)
    cdf = np.cumsum(length) / length.sum()
    for entry in draws.T:
        assert continuous_p(entry, lambda a: np.interp(a, grid, cdf)) > FALSE_ALARM
    assert continuous_p(1.3 * draws[:, 0], lambda a: np.interp(a, grid, cdf)) < FALSE_ALARM
