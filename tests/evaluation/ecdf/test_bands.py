"""Bands as functions of released values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.evaluation.ecdf.bands import band_around, sampling_reach

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
