"""The published clustering of features, and the three ways in which it is not private."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms import PublishedClusters
from dpcore.mechanisms.counts.clusters_as_published import nearest
from dpcore.release import release
from dpcore.selection.exact.one_round import acceptance

# One round at epsilon 1: half for the sizes, half for the sums.
SCALES = {"sum_scale": 2.0, "size_scale": 2.0}


def make(centres: list[float], **arguments: object) -> PublishedClusters:
    column = np.array(centres)[:, None]
    return PublishedClusters(**({"epsilon": 1, "centres": column, "rounds": 1} | arguments))  # type: ignore[arg-type]


def accepted(points: list[float], threshold: float, seed: int) -> frozenset[int]:
    found = make([3.0, 10.0]).draw(np.array(points)[:, None], SeededNoise(seed))
    return frozenset(np.flatnonzero(found.centres[found.members, 0] >= threshold).tolist())


def test_first_flaw_exact_memberships() -> None:
    """Equal counts share every cluster; counts (6, 7) are told apart: P({F2}) = 0 and .295."""
    alike = {accepted([6.0, 6.0], 5.0, seed) for seed in range(500)}
    assert alike == {frozenset(), frozenset({0, 1})}
    exact = (1 - acceptance(6.0, 1, 5.0, **SCALES)) * acceptance(7.0, 1, 5.0, **SCALES)
    assert exact == pytest.approx(0.295, abs=5e-4)
    seen = np.mean([accepted([6.0, 7.0], 5.0, seed) == {1} for seed in range(3000)])
    assert seen == pytest.approx(exact, abs=6 * np.sqrt(0.21 / 3000))


def test_second_flaw_a_count_that_crosses_over() -> None:
    """One record more moves 1001 from one sum to the other: 9e-8 against .99996."""
    a, centres = 1000.0, np.array([[0.0], [2001.0]])
    points = np.zeros((51, 1))
    clusters = []
    for count in (a, a + 1):
        points[50] = count
        clusters.append(nearest(points, centres)[50])
    assert clusters == [0, 1]
    here = acceptance(a, 51, 50.0, **SCALES)
    there = acceptance(a + 1, 1, 50.0, **SCALES)
    assert here == pytest.approx(9.3e-8, rel=0.01)
    assert there == pytest.approx(0.99996, abs=1e-5)
    assert np.log(there / here) > 16, "at a claimed epsilon of 1"


def test_third_flaw_sizes_move_by_twice_the_row_bound() -> None:
    """A record of s = 5 features at the border moves them all: 10 in L1, not 1."""
    centres = np.array([[3.0], [10.0]])
    sizes = [
        np.bincount(nearest(np.full((5, 1), count), centres), minlength=2) for count in (6.0, 7.0)
    ]
    assert np.abs(sizes[1] - sizes[0]).sum() == 10


def test_centres_follow_the_points_where_noise_is_small() -> None:
    points = np.array([[1.0, 0.0], [1.0, 2.0], [50.0, 60.0]])
    mechanism = PublishedClusters(
        epsilon=100_000, centres=np.array([[0.0, 0.0], [40.0, 40.0]]), rounds=3
    )
    found = mechanism.draw(points, SeededNoise(0))
    assert found.members.tolist() == [0, 0, 1]
    np.testing.assert_allclose(found.centres, [[1, 1], [50, 60]], atol=0.1)


def test_scales_are_as_published() -> None:
    mechanism = make([0.0, 1.0], epsilon="0.5", rounds=4, row_bound=7)
    assert (mechanism.size_scale, mechanism.sum_scale) == (16, 112)
    assert mechanism.loss == Loss("0.5")


def test_real_noise_is_refused() -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(NotPrivate, match="memberships"):
        release(make([0.0]), np.zeros((2, 1)), label="x", ledger=ledger, noise=SystemNoise())
    assert ledger.charges == ()


@pytest.mark.parametrize("arguments", [{"epsilon": 0}, {"rounds": 0}, {"row_bound": 0}])
def test_bad_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        make([0.0], **arguments)
