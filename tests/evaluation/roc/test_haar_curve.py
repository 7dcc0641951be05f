"""The wavelet table of both classes: sensitivity over all small neighbours, counts, isotonic."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, Neighbors
from dpcore.evaluation.roc.haar_curve import haar_curve
from tests.evaluation.roc._spy import Spy, changes, histogram

LABEL = "counts between thresholds"
FIXED = {"answers": {"number of records": np.array([3])}}


@pytest.mark.parametrize(
    "method, neighbors, declared, needed",
    [
        ("fixed-space", "add-remove", 2, 1),
        ("fixed-space", "replace", 2, 2),
        ("fixed-space-parallel", "add-remove", 1, 1),
        ("fixed-space-parallel", "replace", 2, 2),
    ],
)
def test_sensitivity_over_all_small_neighbours(
    method: str, neighbors: str, declared: int, needed: int
) -> None:
    """With the noisy number of records given; under replace the number is the same anyway."""
    worst = 0
    for mechanism, change in changes(method, LABEL, Neighbors.of(neighbors), **FIXED):
        assert mechanism.l1_sensitivity == declared
        worst = max(worst, np.abs(change).sum())
    assert worst == needed


def test_table_and_curve() -> None:
    scores = histogram(((0, 0), (0, 0), (0, 1), (1, 1), (1, 2), (1, 2)))
    table = np.array([[2, 1, 0], [0, 1, 2]])
    spy = Spy(Neighbors.ADD_REMOVE, {LABEL: table.astype(float)})
    curve = haar_curve(scores, np.array([1, 2]), loss=Loss(1), gate=spy, l1_sensitivity=2)
    np.testing.assert_array_equal(spy.seen[LABEL][1], table)
    np.testing.assert_allclose(curve.fpr, [0, 0, 1 / 3, 1])
    np.testing.assert_allclose(curve.tpr, [0, 2 / 3, 1, 1])
    np.testing.assert_allclose(curve.thresholds, [np.inf, 0.6, 0.3, 0])


def test_contradicting_counts_become_monotone() -> None:
    noisy = np.array([[9.0, -3.0, 2.0], [-4.0, 2.0, -1.0]])
    spy = Spy(Neighbors.ADD_REMOVE, {LABEL: noisy})
    curve = haar_curve(histogram(()), np.array([1, 2]), loss=Loss(1), gate=spy, l1_sensitivity=2)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
