"""The two rivals that the default is compared with: what they release, and how they read it."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.evaluation import private_roc_curve
from tests.evaluation.roc._data import beta_scores, pairs
from tests.evaluation.roc._spy import changes, released

relations = pytest.mark.parametrize("neighbors, expected", [("add-remove", 1), ("replace", 2)])


@relations
def test_sensitivity_of_equal_bins_over_all_small_neighbours(neighbors: str, expected: int) -> None:
    worst = 0
    for mechanism, change in changes(
        "equal-width", "counts per bin", Neighbors.of(neighbors), bins=3
    ):
        assert mechanism.l1_sensitivity == expected
        worst = max(worst, np.abs(change).sum())
    assert worst == expected


@relations
def test_a_record_is_counted_once_on_each_level_of_the_trees(neighbors: str, expected: int) -> None:
    """Three quantiles: four levels, both classes on each; the noise is for all levels together."""
    worst = 0
    for mechanism, change in changes(
        "quantile-tree", "tree of each class", Neighbors.of(neighbors), quantiles=3
    ):
        assert mechanism.scale == 4 * expected
        levels = [np.abs(change.reshape(-1, 2**i).sum(axis=1)).sum() for i in range(4)]
        assert max(levels) <= expected
        worst = max(worst, sum(levels))
    assert worst == 4 * expected


def test_the_private_counts() -> None:
    """Each class by its cells; the tree's leaves take the counts of the nearest edges."""
    data = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 2))
    _, value = released("equal-width", data, Neighbors.ADD_REMOVE, bins=3)["counts per bin"]
    assert value.tolist() == [1, 1, 1, 0, 0, 2]
    _, value = released("quantile-tree", data, Neighbors.ADD_REMOVE, quantiles=2)[
        "tree of each class"
    ]
    assert value.size == 2 * 2**3
    assert [part.sum() for part in np.split(value, 2)] == [3, 2]


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_equal_bins_without_noise_are_the_truth_at_their_cuts(neighbors: Neighbors) -> None:
    scores = beta_scores()
    curve = private_roc_curve(
        scores, epsilon=10**6, method="equal-width", neighbors=neighbors, noise=SeededNoise(0)
    )
    fpr, tpr, thresholds = scores.roc()
    np.testing.assert_allclose(curve.thresholds[1:-1], np.arange(31, 0, -1) / 32, atol=1e-3)
    at = np.searchsorted(-thresholds, -curve.thresholds[1:-1], side="right") - 1
    np.testing.assert_allclose(curve.fpr[1:-1], fpr[at], atol=1e-9)
    np.testing.assert_allclose(curve.tpr[1:-1], tpr[at], atol=1e-9)
    low, high = curve.auc_interval or (1.0, 0.0)
    assert low <= scores.auc() <= high


def test_quantiles_of_the_tree_are_those_of_the_class_where_there_is_no_noise() -> None:
    """At a threshold where a class has a share q below it, the curve says so, but for its leaf."""
    rng = np.random.default_rng(3)
    score = rng.beta(2.0, 4.0, 20_000)
    label = (rng.random(score.size) < score).astype(int)
    curve = private_roc_curve(
        label, score, epsilon=10**6, method="quantile-tree", quantiles=31, noise=SeededNoise(0)
    )
    for which, rate in ((0, curve.fpr), (1, curve.tpr)):
        for share in (0.25, 0.5, 0.75):
            place = np.quantile(score[label == which], share)
            at = np.interp(place, curve.thresholds[:0:-1], rate[:0:-1])
            assert at == pytest.approx(1.0 - share, abs=0.01)


def test_no_count_above_zero_is_no_knowledge() -> None:
    """Noise that leaves nothing gives the diagonal, not a division by zero."""
    curve = private_roc_curve(
        pairs(), epsilon=10**6, method="equal-width", noise=SeededNoise(0), bins=4
    )
    assert curve.auc == 0.5
    np.testing.assert_array_equal(curve.fpr, curve.tpr)
