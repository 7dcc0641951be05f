"""The chance that a cluster is accepted, by integration."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedClusters, SparseVector
from dpcore.selection.exact import passing_law
from dpcore.selection.exact.laws import Comparisons, law
from dpcore.selection.exact.one_round import acceptance, accepted, only_the_second
from tests.mechanisms._selection_loss import fits, worst_loss

SCORES = [3.0, 0.0, 6.0]


@pytest.mark.parametrize("boost", [0.0, 5.0])
@pytest.mark.parametrize("threshold", [None, 2.0, 60.0])
def test_probabilities_add_up_to_one(threshold: float | None, boost: float) -> None:
    for k in (1, 2, 3):
        mechanism = SparseVector(
            epsilon=1, k=k, threshold=threshold, boost=boost, retraverse=True, fill=False
        )
        found = passing_law(mechanism, SCORES[:2])
        assert sum(found.values()) == pytest.approx(1.0, abs=1e-9)


def test_one_round_is_the_law_of_the_answers() -> None:
    """Averaged over both orders, and without the order in which two equal scores passed."""
    mechanism = SparseVector(epsilon=1, k=1, threshold=0.0, fill=False, ratio="1:1", whole=True)
    answers = law(Comparisons.of(7, epsilon=1), [1.0, 1.0])
    found = passing_law(mechanism, [1.0, 1.0])
    assert found[()] == pytest.approx(answers[False, False], rel=1e-9)
    assert found[0,] == pytest.approx((answers[True,] + answers[False, True]) / 2, rel=1e-9)


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("boost", [0.0, 2.0])
def test_the_mechanism_draws_by_that_law(boost: float) -> None:
    def again(epsilon: float) -> SparseVector:
        return SparseVector(epsilon=epsilon, k=2, boost=boost, retraverse=True, whole=True)

    noise = SeededNoise(0)
    draws = [tuple(again(3).draw(np.array(SCORES), noise).tolist()) for _ in range(1500)]
    assert fits(draws, passing_law(again(3), SCORES))  # type: ignore[arg-type]
    assert not fits(draws, passing_law(again(8), SCORES))  # type: ignore[arg-type]


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("boost", [0.0, 1.0, 3.0])
def test_no_boost_loses_more_than_epsilon(boost: float, monotone: bool) -> None:
    mechanism = SparseVector(
        epsilon=1.2, k=1, boost=boost, retraverse=True, monotone=monotone, whole=True
    )
    worst = worst_loss(lambda scores: passing_law(mechanism, scores), [[2, 0]], monotone=monotone)
    assert 0.1 < worst <= 1.2 + 1e-9


def test_too_many_candidates() -> None:
    with pytest.raises(InvalidArgument, match="candidates"):
        passing_law(SparseVector(epsilon=1, k=1), np.zeros(5))


def test_with_one_point_and_hardly_any_noise_on_the_size() -> None:
    """P(7 + Lap(2) >= 5) = 1 - exp(-1) / 2."""
    found = acceptance(7.0, 1, 5.0, sum_scale=2.0, size_scale=1e-6)
    assert found == pytest.approx(1 - exp(-1) / 2, abs=1e-5)


@pytest.mark.statistical
def test_the_mechanism_accepts_as_often() -> None:
    mechanism = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)
    points, noise, n = np.array([[6.0], [7.0], [8.0]]), SeededNoise(0), 6000
    draws = [mechanism.draw(points, noise) for _ in range(n)]
    assert all(drawn.members.tolist() == [0, 1, 1] for drawn in draws)
    for cluster, total, size in ((0, 6.0, 1), (1, 15.0, 2)):
        seen = np.mean([drawn.centres[cluster, 0] >= 5 for drawn in draws])
        expected = acceptance(total, size, 5.0, sum_scale=2.0, size_scale=2.0)
        error = 6 * np.sqrt(expected * (1 - expected) / n)
        assert abs(seen - expected) < error
        assert abs(seen - acceptance(total, size, 5.0, sum_scale=2.0, size_scale=0.3)) > error


def test_scales_are_positive() -> None:
    with pytest.raises(InvalidArgument, match="sum_scale"):
        acceptance(1.0, 1, 1.0, sum_scale=0.0, size_scale=1.0)


ONCE = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=1)


def test_the_second_alone_is_possible_only_in_a_cluster_of_its_own() -> None:
    chances = [only_the_second(ONCE, np.array([[6.0], [count]]), 5.0) for count in (6.0, 7.0, 8.0)]
    assert chances[0] == 0.0
    assert chances[1] == pytest.approx(0.295, abs=5e-4)
    assert chances[1] < chances[2] < 1.0


def test_a_record_carries_a_whole_count_to_another_cluster() -> None:
    """50 zeros and a count of 1000 or 1001, centres 0 and 2001, threshold 50."""
    crossing = PublishedClusters(epsilon=1, centres=np.array([[0.0], [2001.0]]), rounds=1)
    zeros = np.zeros((50, 1))
    below = accepted(crossing, np.vstack([zeros, [[1000.0]]]), 50.0, 0)
    above = accepted(crossing, np.vstack([zeros, [[1001.0]]]), 50.0, 1)
    assert below == pytest.approx(9.3e-8, rel=0.02)
    assert above == pytest.approx(0.99996, abs=5e-6)


def test_later_rounds_have_no_exact_probability() -> None:
    twice = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=2)
    with pytest.raises(InvalidArgument, match="^rounds must be 1"):
        accepted(twice, np.zeros((2, 1)), 5.0, 0)
