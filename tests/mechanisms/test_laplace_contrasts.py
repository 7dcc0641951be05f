"""Contrasts of independent columns: zero sums, the law of a column, its variance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.laplace_contrasts import LaplaceContrasts
from tests.statistical.fit import FALSE_ALARM, continuous_p


@pytest.mark.parametrize("noise", [SeededNoise(1), SystemNoise()])
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_length_is_gamma(noise: SeededNoise | SystemNoise, n_classes: int) -> None:
    columns = LaplaceContrasts(rate=0.5, dimension=4000, n_classes=n_classes).sample(noise)
    np.testing.assert_allclose(columns.sum(axis=0), 0.0, atol=1e-9)
    # A density exp(-rate m) over shells of volume ~ m^(K - 2).
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        law = stats.gamma(n_classes - 1, scale=factor / 0.5)
        assert (continuous_p(np.abs(columns).sum(axis=0), law.cdf) > FALSE_ALARM) is fits


def test_an_entry_of_three_follows_the_density() -> None:
    """The integral over b of exp(-rate (|a| + |b| + |a + b|))."""
    entries = LaplaceContrasts(rate=1, dimension=4000, n_classes=3).sample(SeededNoise(2))
    grid = np.linspace(-30, 30, 6001)
    density = (np.abs(grid) + 1) * np.exp(-2 * np.abs(grid))
    cdf = np.cumsum(density) / density.sum()
    for entry in entries:
        assert continuous_p(entry, lambda a: np.interp(a, grid, cdf)) > FALSE_ALARM
    assert continuous_p(1.3 * entries[0], lambda a: np.interp(a, grid, cdf)) < FALSE_ALARM


@pytest.mark.parametrize("n_classes", [2, 3, 8])
def test_variance(n_classes: int) -> None:
    law = LaplaceContrasts(rate=2.0, dimension=20_000, n_classes=n_classes)
    assert (law.sample(SeededNoise(0)) ** 2).sum() == pytest.approx(law.variance, rel=0.1)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(InvalidArgument, match="n_classes"):
        LaplaceContrasts(rate=1, dimension=1, n_classes=1)
