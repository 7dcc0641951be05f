"""Bands as functions of released values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Neighbors, SeededNoise
from dpcore.evaluation import CellCounts, ecdf_methods, private_ecdf, uniform_grid
from dpcore.evaluation.ecdf.bands import band_around, sampling_reach
from dpcore.evaluation.ecdf.noise_law import noise_reach
from tests.evaluation.roc._coverage import fewest

VALUES = np.random.default_rng(2).beta(2, 5, 3000)
NOISY = st.lists(st.floats(-1e4, 1e4), min_size=2, max_size=50)


@given(NOISY, st.floats(-10, 1e4), st.floats(0, 1e4), st.floats(0, 1))
def test_bounds_are_distribution_functions(noisy, total, reach, sampling):
    lower, upper = band_around(np.array(noisy), total, reach, sampling)
    assert (lower <= upper).all()
    for bound in (lower, upper):
        assert (np.diff(bound) >= 0.0).all()
        assert bound[0] >= 0.0
        assert bound[-1] == 1.0


@given(st.lists(st.integers(0, 9), min_size=2, max_size=30), st.integers(0, 99))
def test_the_truth_lies_inside_if_the_noise_is_within_reach(counts, seed):
    below = np.cumsum(counts).astype(float)
    below[-1] = max(below[-1], 1.0)
    noise = np.random.default_rng(seed).laplace(size=below.size)
    noisy = below + noise
    truth = below / below[-1]
    reach = np.abs(noise - truth * noise[-1]).max() + 1e-9
    lower, upper = band_around(noisy, noisy[-1], reach, 0.0)
    assert ((lower <= truth + 1e-12) & (truth <= upper + 1e-12)).all()


def test_without_a_positive_total_nothing_is_known():
    lower, upper = band_around(np.array([0.0, -3.0, -2.0]), -2.0, 1.0, 0.0)
    assert lower.tolist() == [0.0, 0.0, 1.0]
    assert upper.tolist() == [1.0, 1.0, 1.0]


def test_sampling_widens_the_band():
    noisy = np.array([10.0, 40.0, 100.0])
    narrow, wide = (band_around(noisy, 100.0, 5.0, extra) for extra in (0.0, 0.1))
    assert narrow[:, 1].tolist() == pytest.approx([0.35, 0.45])
    assert wide[:, 1].tolist() == pytest.approx([0.25, 0.55])


def test_the_sampling_band_covers():
    """Kolmogorov's law: 90 % within 1.2239 / sqrt(n), which the bound must not undercut."""
    assert sampling_reach(400, 0.9) == pytest.approx(math.sqrt(math.log(20) / 800))
    generator = np.random.default_rng(3)
    ranks = np.arange(1, 401) / 400
    reached = []
    for _ in range(1000):
        sample = np.sort(generator.random(400))
        reached.append(max(np.abs(sample - ranks).max(), np.abs(sample - ranks + 1 / 400).max()))
    assert np.mean(np.array(reached) <= sampling_reach(400, 0.9)) > 0.87
    assert np.mean(np.array(reached) <= 0.7 * sampling_reach(400, 0.9)) < 0.87


@pytest.mark.parametrize("records", [-3.0, 0.0, 0.01])
def test_few_records_tell_nothing(records):
    assert sampling_reach(records, 0.9) == 1.0


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("method", ecdf_methods())
def test_bands_cover_and_narrower_ones_do_not(method, neighbors):
    """Nominal 90 % of 200 draws; the same noisy curves in a band 30 % narrower fall short.

    Under replace: under add-remove the band is made for the worst of all curves, which this one is
    not, and may have more room than that.
    """
    cells = CellCounts.from_values(VALUES, uniform_grid(0, 1, 65))
    declared = ecdf_methods()[method]
    reach = noise_reach(
        declared, declared.check({}), points=65, neighbors=neighbors, confidence=0.9
    )
    covered = narrow_covered = 0
    for seed in range(200):
        release = private_ecdf(
            cells, epsilon=0.5, method=method, neighbors=neighbors, noise=SeededNoise(seed)
        )
        narrow = band_around(release.noisy, release.total, 0.7 * reach / 0.5, 0.0)
        covered += holds(release.band, cells.cdf)
        narrow_covered += holds(narrow, cells.cdf)
    assert covered >= fewest(200)
    assert narrow_covered < fewest(200) or neighbors is Neighbors.ADD_REMOVE


def holds(band, truth):
    return bool(((band[0] <= truth + 1e-12) & (truth <= band[1] + 1e-12)).all())
