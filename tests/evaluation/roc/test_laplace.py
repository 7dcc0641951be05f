"""The `laplace` method: sensitivity over all small neighbours, and the counts it means."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.evaluation import private_roc_curve
from tests.evaluation.roc._data import beta_scores
from tests.evaluation.roc._spy import changes, released

LABEL = "true and false positives"


@pytest.mark.parametrize("neighbors, expected", [("add-remove", 3), ("replace", 5)])
def test_sensitivity_over_all_small_neighbours(neighbors: str, expected: int) -> None:
    """t + 1 with t = 2 thresholds under add-remove, 2t + 1 under replace; both are attained."""
    worst = 0
    for mechanism, change in changes("laplace", LABEL, Neighbors.of(neighbors), thresholds=2):
        assert mechanism.l1_sensitivity == expected
        worst = max(worst, np.abs(change).sum())
    assert worst == expected


def test_the_private_vector() -> None:
    """False positives at 0.3 and 0.6, true positives there, then the class sizes."""
    data = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 2))
    _, value = released("laplace", data, Neighbors.ADD_REMOVE, thresholds=2)[LABEL]
    assert value.tolist() == [2, 1, 2, 2, 2, 3]
    _, value = released("laplace", data, Neighbors.REPLACE, thresholds=2)[LABEL]
    assert value.tolist() == [2, 1, 2, 2, 2]


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_without_noise_it_is_the_truth_at_its_thresholds(neighbors: Neighbors) -> None:
    scores = beta_scores()
    curve = private_roc_curve(
        scores, epsilon=10**6, method="laplace", neighbors=neighbors, noise=SeededNoise(0)
    )
    fpr, tpr, thresholds = scores.roc()
    np.testing.assert_allclose(curve.thresholds[1:-1], np.arange(10, 0, -1) / 11, atol=1e-3)
    for i in range(1, curve.fpr.size - 1):
        at = np.searchsorted(-thresholds, -curve.thresholds[i], side="right") - 1
        assert (curve.fpr[i], curve.tpr[i]) == pytest.approx((fpr[at], tpr[at]))
