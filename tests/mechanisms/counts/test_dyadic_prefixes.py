"""Noise along dyadic intervals: Theorem 3.1 and Lemma 1 by exhaustion, and the exact law."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import DyadicPrefixes
from dpcore.postprocess.dyadic import DyadicIntervals
from tests.mechanisms._recorder import Recorder


def fewest_intervals(points: int) -> np.ndarray:
    """Fewest signed dyadic intervals that add up to ``(a, b]``, for all a and b.

    A signed sum of intervals is a walk between their ends, so this is the shortest path.
    """
    starts, ends = DyadicIntervals.over(points).edges()
    graph = sparse.coo_array((np.ones(starts.size), (starts, ends)), shape=(points + 1,) * 2)
    return sparse.csgraph.shortest_path(graph.tocsr(), directed=False, unweighted=True)


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
