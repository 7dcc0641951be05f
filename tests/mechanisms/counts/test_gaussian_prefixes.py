"""Gaussian noise along dyadic intervals: calibration by exact laws, and the published variance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import DyadicPrefixes, GaussianPrefixes
from dpcore.mechanisms.counts.gaussian_prefixes import concentrated_loss, discrete_gaussian
from tests.mechanisms.counts.test_dyadic_prefixes import fewest_intervals
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


@given(st.floats(0.001, 50), st.floats(1e-12, 0.5))
def test_rho_is_the_largest_that_implies_the_two(epsilon, delta):
    rho = concentrated_loss(epsilon, delta)

    def implied(given: float) -> float:
        return given + 2 * math.sqrt(given * math.log(1 / delta))

    assert implied(rho) <= epsilon
    assert implied(rho * (1 + 1e-9)) > epsilon * (1 - 1e-12)


@pytest.mark.parametrize("points", [1, 2, 3, 8, 100, 256, 300])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_the_noise_covers_the_longest_move(points, neighbors):
    """Shortest signed sums of intervals, and the (epsilon, delta) curve of the Gaussian law."""
    mechanism = GaussianPrefixes(epsilon=0.7, delta=1e-5, neighbors=neighbors)
    distance = fewest_intervals(points)
    moved = neighbors.pick(
        add_remove=distance[:points, points], replace=distance[:points, :points]
    ).max()
    assert moved <= mechanism.moved(points)
    # Moving so many variables by one: Balle and Wang 2018, Theorem 8.
    shift = math.sqrt(mechanism.moved(points)) / mechanism.deviation(points)
    needed = stats.norm.cdf(shift / 2 - 0.7 / shift) - math.exp(0.7) * stats.norm.cdf(
        -shift / 2 - 0.7 / shift
    )
    assert 0 < needed <= 1e-5
    # With 30 % less noise it would not.
    shift /= 0.7
    assert stats.norm.cdf(shift / 2 - 0.7 / shift) > 1e-5


@pytest.mark.statistical
@pytest.mark.parametrize("neighbors, moved", [("replace", 4), ("add-remove", 2)])
def test_noise_has_the_published_variance(neighbors, moved):
    """(L + 1) m / (2 rho) at each of 8 points, L = 3."""
    mechanism = GaussianPrefixes(epsilon=0.1, delta=1e-6, neighbors=Neighbors.of(neighbors))
    noise, nothing = SeededNoise(0), np.zeros(8, dtype=np.int64)
    drawn = np.array([mechanism.draw(nothing, noise) for _ in range(3000)], dtype=np.float64)
    rho = concentrated_loss(0.1, 1e-6)
    ratio = (drawn**2).mean(axis=0) / (4 * moved / (2 * rho))
    assert ((ratio > 0.85) & (ratio < 1.15)).all()
    for factor in (0.7, 1.3):
        assert not ((ratio * factor**2 > 0.85) & (ratio * factor**2 < 1.15)).any()


def test_at_a_small_delta_it_beats_laplace_noise_on_long_streams():
    """The spread grows with the square root of the moves, not with the moves."""
    gaussian = GaussianPrefixes(epsilon=1, delta=1e-6)
    laplace = DyadicPrefixes(epsilon=1)
    short, long = (
        gaussian.deviation(points) / (math.sqrt(2) * float(laplace.scale(points)))
        for points in (16, 2**20)
    )
    assert long < 0.6 * short


def test_sums_and_loss():
    class Nothing(SeededNoise):
        def discrete_laplace(self, scale, size):
            return np.zeros(size, dtype=np.int64)

    mechanism = GaussianPrefixes(epsilon=100, delta="0.001")
    assert mechanism.draw(np.array([2, 0, 5]), Nothing(1)).tolist() == [2, 2, 7]
    assert mechanism.loss == Loss(100, "0.001")


@pytest.mark.parametrize(
    "name, value", [("epsilon", 0), ("delta", 0), ("delta", 1), ("delta", "-0.1")]
)
def test_wrong_numbers_are_refused(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        GaussianPrefixes(**{"epsilon": 1, "delta": "0.001", name: value})


def test_an_epsilon_below_the_rounding_is_refused():
    with pytest.raises(InvalidArgument, match="more than 2\\^-38"):
        GaussianPrefixes(epsilon=1e-13, delta=1e-6).deviation(8)


@pytest.mark.parametrize("counts", [np.zeros(2), np.zeros((2, 2), dtype=int), np.zeros(0, int)])
def test_unusable_counts_are_refused(counts):
    with pytest.raises(InvalidArgument, match="a vector of integers"):
        GaussianPrefixes(epsilon=1, delta=1e-6).draw(counts, SeededNoise(0))
