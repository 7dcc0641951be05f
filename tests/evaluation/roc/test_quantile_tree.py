"""The rival with a tree of quantiles: what it releases, and how it reads it."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.evaluation import private_roc_curve
from tests.evaluation.roc._spy import changes, released

relations = pytest.mark.parametrize("neighbors, expected", [("add-remove", 1), ("replace", 2)])


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
    """The leaves of each class take the counts between the nearest edges."""
    data = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 2))
    seen = released("quantile-tree", data, Neighbors.ADD_REMOVE, quantiles=2)
    _, value = seen["tree of each class"]
    assert value.size == 2 * 2**3
    assert [part.sum() for part in np.split(value, 2)] == [3, 2]


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
