"""RocCurve: ends, area and thinning."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.evaluation import RocCurve, roc_area_between
from dpcore.evaluation.roc.curve import Bins


def staircase(points: int, seed: int) -> RocCurve:
    rng = np.random.default_rng(seed)
    negatives, positives = np.sort(rng.random(points)), np.sort(rng.random(points) ** 2)
    return RocCurve.from_below(negatives, positives, np.sort(rng.random(points)))


def test_from_below_adds_the_ends() -> None:
    curve = RocCurve.from_below(np.array([0.2, 0.9]), np.array([0.1, 0.4]), np.array([0.3, 0.6]))
    np.testing.assert_allclose(curve.fpr, [0, 0.1, 0.8, 1])
    np.testing.assert_allclose(curve.tpr, [0, 0.6, 0.9, 1])
    np.testing.assert_array_equal(curve.thresholds, [np.inf, 0.6, 0.3, 0])


def test_area() -> None:
    perfect = RocCurve.from_below(np.array([1.0]), np.array([0.0]), np.array([0.5]))
    assert perfect.auc == 1.0
    assert RocCurve.from_below(np.zeros(0), np.zeros(0), np.zeros(0)).auc == 0.5


@given(st.integers(0, 3000), st.integers(0, 100), st.sampled_from([50, 400, 2001]))
def test_thinning_moves_the_curve_little(points: int, seed: int, most: int) -> None:
    curve = staircase(points, seed)
    thin = curve.thinned(most)
    assert thin.fpr.size <= max(most, 2)
    assert (thin.fpr[0], thin.tpr[0], thin.fpr[-1], thin.tpr[-1]) == (0, 0, 1, 1)
    assert np.isin(thin.thresholds, curve.thresholds).all()
    assert roc_area_between(thin.fpr, thin.tpr, curve.fpr, curve.tpr) <= 2 / most


def test_short_curves_and_curves_with_bins_stay() -> None:
    short = staircase(10, 0)
    assert short.thinned() is short
    bins = Bins(np.array([1]), np.array([1]), 1.0, 1.0, np.array([0, 101]))
    long = staircase(100, 0)
    binned = RocCurve(long.fpr, long.tpr, long.thresholds, bins)
    assert binned.thinned(50) is binned


def test_curves_are_monotone() -> None:
    curve = staircase(100, 5)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert (np.diff(curve.thresholds) <= 0).all()
