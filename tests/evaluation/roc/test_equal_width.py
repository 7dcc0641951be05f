"""The rival with equal bins: what it releases, and how it reads it."""

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


def test_the_private_counts() -> None:
    """Each class by its cells."""
    data = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 2))
    _, value = released("equal-width", data, Neighbors.ADD_REMOVE, bins=3)["counts per bin"]
    assert value.tolist() == [[1, 1, 1], [0, 0, 2]]


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


def test_no_count_above_zero_is_no_knowledge() -> None:
    """Noise that leaves nothing gives the diagonal, not a division by zero."""
    curve = private_roc_curve(
        pairs(), epsilon=10**6, method="equal-width", noise=SeededNoise(0), bins=4
    )
    assert curve.auc == 0.5
    np.testing.assert_array_equal(curve.fpr, curve.tpr)
