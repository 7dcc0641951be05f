"""k-RecursiveMedians: what each level reads, where the cuts go, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import NotPrivate
from dpcore.evaluation import private_roc_curve, roc_methods
from dpcore.mechanisms import HaarCounts, PublishedSmoothMedians, SmoothMedians
from tests.evaluation.roc._data import beta_scores
from tests.evaluation.roc._spy import changes, released


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_printed_constants_under_either_relation(neighbors: Neighbors) -> None:
    seen = released("recursive-medians-published", ((0, 1), (1, 2)), neighbors, k=10)
    mechanism, _ = seen["medians of level 1"]
    assert type(mechanism) is PublishedSmoothMedians
    assert mechanism.loss == Loss("0.02")
    assert mechanism.beta == pytest.approx(0.02)
    assert mechanism.noise_factor == pytest.approx(8 / 0.2)


def test_the_badge_and_the_refusal() -> None:
    guarantee = roc_methods()["recursive-medians-published"].guarantee
    assert guarantee.word == "BROKEN"
    with pytest.raises(NotPrivate, match=r"1\.18"):
        private_roc_curve(
            beta_scores(50), epsilon=1, method="recursive-medians-published", noise=SystemNoise()
        )


DATA = ((0, 0), (0, 0), (0, 1), (1, 1), (1, 2))


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_every_level_reads_both_classes_through_the_proven_mechanism(neighbors: Neighbors) -> None:
    seen = released("recursive-medians", DATA, neighbors, k=3)
    assert list(seen) == [f"medians of level {i}" for i in (1, 2, 3)] + [
        "counts between thresholds"
    ]
    for level in (1, 2, 3):
        mechanism, value = seen[f"medians of level {level}"]
        assert type(mechanism) is SmoothMedians
        assert mechanism.neighbors is neighbors
        assert mechanism.loss == Loss("1/15")
        assert value.tolist() == [0, 2, 4, 5]
    counts, _ = seen["counts between thresholds"]
    assert type(counts) is HaarCounts
    assert counts.loss == Loss("4/5")


def test_the_private_argument_is_a_cumulative_count() -> None:
    """`SmoothMedians` is proven for one record added or removed: it moves every later edge."""
    label = "medians of level 1"
    for _, change in changes("recursive-medians", label, Neighbors.ADD_REMOVE, k=1):
        assert change[0] == 0
        assert set(np.diff(change).tolist()) <= {0, 1}
        assert change[-1] == 1


@pytest.mark.parametrize("neighbors, needed", [("add-remove", 1), ("replace", 2)])
def test_sensitivity_of_the_counts(neighbors: str, needed: int) -> None:
    answers = {"medians of level 1": np.array([1])}
    worst = 0
    for mechanism, change in changes(
        "recursive-medians",
        "counts between thresholds",
        Neighbors.of(neighbors),
        k=1,
        answers=answers,
    ):
        assert mechanism.l1_sensitivity == 2
        worst = max(worst, np.abs(change).sum())
    assert worst == needed


def test_levels_double_the_cuts() -> None:
    scores = beta_scores()
    sizes = [
        private_roc_curve(
            scores, epsilon=50, method="recursive-medians", k=k, noise=SeededNoise(1)
        ).fpr.size
        for k in (1, 2, 3, 4)
    ]
    assert sizes == [3, 5, 9, 17]


def test_cuts_follow_the_records() -> None:
    """Three quarters of the records lie below 0.25: with little noise so do most thresholds."""
    rng = np.random.default_rng(0)
    score = np.where(rng.random(8000) < 0.9, 0.25 * rng.random(8000), rng.random(8000))
    labels = (rng.random(8000) < 0.3).astype(int)
    curve = private_roc_curve(
        labels, score, epsilon=100, method="recursive-medians", k=4, noise=SeededNoise(0)
    )
    assert np.mean(curve.thresholds[1:-1] < 0.25) > 0.7
