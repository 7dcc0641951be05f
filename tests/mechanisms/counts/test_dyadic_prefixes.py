"""Noise along dyadic intervals: Theorem 3.1 and Lemma 1 by exhaustion, and the exact law."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import DyadicPrefixes, GaussianPrefixes
from dpcore.mechanisms.counts.dyadic_prefixes import concentrated_loss, discrete_gaussian
from dpcore.postprocess.dyadic_flow import DyadicIntervals
from tests.mechanisms._recorder import Recorder
from tests.statistical.fit import chi_square_p


def fewest_intervals(points: int) -> np.ndarray:
    """Fewest signed dyadic intervals that add up to ``(a, b]``, for all a and b.

    A signed sum of intervals is a walk between their ends, so this is the shortest path.
    """
    starts, ends = DyadicIntervals.over(points).edges()
    graph = sparse.coo_array((np.ones(starts.size), (starts, ends)), shape=(points + 1,) * 2)
    return sparse.csgraph.shortest_path(graph.tocsr(), directed=False, unweighted=True)


@pytest.mark.few(25)
@pytest.mark.parametrize("points", [*range(2, 70), 127, 128, 129, 255, 256, 300])
def test_no_neighbour_moves_more_noise_than_declared(points):
    distance = fewest_intervals(points)
    for neighbors in Neighbors:
        # A record that moves from cell a to b changes the sums (a, b); one that is added to cell a
        # changes all from there on, (a, points].
        change = neighbors.pick(
            add_remove=distance[:points, points], replace=distance[:points, :points]
        )
        declared = DyadicPrefixes(epsilon=1, neighbors=neighbors).scale(points)
        assert change.max() <= declared


@pytest.mark.parametrize("depth", range(1, 9))
def test_the_declared_number_is_needed(depth):
    """Tight under add-remove; under replace at every odd depth, and one too many at even ones."""
    points = 2**depth
    distance = fewest_intervals(points)
    added = DyadicPrefixes(epsilon=1).scale(points)
    moved = DyadicPrefixes(epsilon=1, neighbors=Neighbors.REPLACE).scale(points)
    assert distance[:points, points].max() == added
    assert moved - 1 <= distance[:points, :points].max() <= moved


def test_every_sum_gets_the_noise_of_the_intervals_that_hold_it():
    class Digits(Recorder):
        """Draws 1, 10, 100, ...: the digits of a sum show whose noise it holds."""

        def discrete_laplace(self, scale, size):
            drawn = sum(asked.size for asked in self.scales)
            super().discrete_laplace(scale, size)
            return 10 ** np.arange(drawn, drawn + size, dtype=np.int64)

    drawn = DyadicPrefixes(epsilon=1).draw(np.zeros(5, dtype=np.int64), Digits())
    # Level 0: digits 0 to 4, level 1: 5 to 7, level 2: 8 and 9, level 3: 10.
    expected = [10**p + 10 ** (5 + p // 2) + 10 ** (8 + p // 4) + 10**10 for p in range(5)]
    assert drawn.tolist() == expected


@pytest.mark.parametrize("neighbors, changes", [
    ("add-remove", [(1, 1), (0, 1)]),
    ("replace", [(1, 0)]),
])  # fmt: skip
def test_the_exact_law_of_two_sums(neighbors, changes):
    """Two leaves and the root: the largest log-ratio of the joint law of both sums."""
    mechanism = DyadicPrefixes(epsilon=1, neighbors=Neighbors.of(neighbors))
    scale = float(mechanism.scale(2))
    root, seen = np.arange(-60, 61), np.arange(-10, 11)

    def log_law(first: int, second: int) -> np.ndarray:
        factors = [
            np.exp(-np.abs(centred) / scale)
            for centred in (root, seen[:, None] - first - root, seen[:, None] - second - root)
        ]
        return np.log(np.einsum("r,ar,br->ab", *factors))

    worst = max(np.abs(log_law(*change) - log_law(0, 0)).max() for change in changes)
    assert worst <= 1.0 + 1e-9
    # Replacing a record moves one of the three, though the theorem allows for two.
    assert worst > {"add-remove": 0.9, "replace": 0.45}[neighbors]


@pytest.mark.few(1)
@pytest.mark.parametrize("neighbors, moved", [("replace", 4), ("add-remove", 2)])
def test_noise_has_the_published_variance(neighbors, moved):
    """2 (L + 1) moved^2 / epsilon^2 at each of 8 points, L = 3."""
    mechanism = DyadicPrefixes(epsilon="0.1", neighbors=Neighbors.of(neighbors))
    noise, nothing = SeededNoise(0), np.zeros(8, dtype=np.int64)
    drawn = np.array([mechanism.draw(nothing, noise) for _ in range(3000)])
    ratio = (drawn**2).mean(axis=0) / (2 * 4 * (moved / 0.1) ** 2)
    assert ((ratio > 0.8) & (ratio < 1.2)).all()
    for factor in (0.7, 1.3):
        assert not ((ratio * factor**2 > 0.8) & (ratio * factor**2 < 1.2)).any()


def test_sums_and_loss():
    mechanism = DyadicPrefixes(epsilon=Fraction(1, 3))
    assert mechanism.draw(np.array([2, 0, 5]), Recorder()).tolist() == [2, 2, 7]
    assert mechanism.loss == Loss(Fraction(1, 3))


@pytest.mark.parametrize(
    "counts", [np.zeros(2), np.zeros((2, 2), dtype=int), np.zeros(0, dtype=int)]
)
def test_unusable_counts_are_refused(counts):
    with pytest.raises(InvalidArgument, match="a vector of integers"):
        DyadicPrefixes(epsilon=1).draw(counts, SeededNoise(0))


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


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("neighbors, moved", [("replace", 4), ("add-remove", 2)])
def test_gaussian_prefixes_noise_has_the_published_variance(neighbors, moved):
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


def test_gaussian_prefixes_sums_and_loss():
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
    with pytest.raises(InvalidArgument, match="above 7.3e-12, which rounding costs"):
        GaussianPrefixes(epsilon=1e-13, delta=1e-6).deviation(8)


@pytest.mark.parametrize("counts", [np.zeros(2), np.zeros((2, 2), dtype=int), np.zeros(0, int)])
def test_gaussian_prefixes_unusable_counts_are_refused(counts):
    with pytest.raises(InvalidArgument, match="a vector of integers"):
        GaussianPrefixes(epsilon=1, delta=1e-6).draw(counts, SeededNoise(0))
