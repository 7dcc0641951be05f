"""Noisy cells: projection onto known totals, and ratios that noise cannot make large."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from dpcore.models.naive_bayes.cell_scores import log_ratios, onto_simplex

COUNTS = arrays(np.float64, (2, 4), elements=st.floats(-50, 200))
TOTALS = arrays(np.float64, (2,), elements=st.floats(-20, 300))


@given(COUNTS, TOTALS)
def test_projection_is_feasible_and_keeps_the_order(counts: np.ndarray, totals: np.ndarray) -> None:
    projected = onto_simplex(counts, totals)
    assert (projected >= 0).all()
    np.testing.assert_allclose(projected.sum(axis=1), np.maximum(totals, 0), atol=1e-9)
    for raw, new in zip(counts, projected, strict=True):
        assert (np.diff(new[np.argsort(raw)]) >= -1e-9).all()


@pytest.mark.parametrize("seed", range(5))
def test_projection_is_the_nearest_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts, total = rng.normal(5, 20, size=4), 30.0
    found = onto_simplex(counts[np.newaxis], np.array([total]))[0]
    best = minimize(
        lambda x: ((x - counts) ** 2).sum(),
        np.full(4, total / 4),
        bounds=[(0, None)] * 4,
        constraints={"type": "eq", "fun": lambda x: x.sum() - total},
    )
    np.testing.assert_allclose(found, best.x, atol=1e-3)


def test_feasible_counts_are_left_alone() -> None:
    counts = np.array([[3.0, 0.0, 7.0]])
    np.testing.assert_allclose(onto_simplex(counts, np.array([10.0])), counts)


@given(COUNTS, TOTALS, st.floats(0, 1e4))
def test_ratios_are_finite(counts: np.ndarray, totals: np.ndarray, scale: float) -> None:
    assert np.isfinite(log_ratios(np.maximum(counts, 0), totals, scale=scale)).all()


def test_without_noise_and_with_many_records_they_are_the_true_ratios() -> None:
    counts = np.array([[8e6, 2e6], [1e6, 1e6]])
    ratios = log_ratios(counts, counts.sum(axis=1), scale=0.0)
    share = counts.sum(axis=0) / counts.sum()
    expected = np.log(counts / counts.sum(axis=1, keepdims=True) / share)
    np.testing.assert_allclose(ratios, expected, atol=1e-4)


def test_counts_as_small_as_their_noise_stay_quiet() -> None:
    counts, totals = np.array([[3.0, 97.0], [0.0, 100.0]]), np.array([100.0, 100.0])
    loud = np.abs(log_ratios(counts, totals, scale=0.0)).max()
    quiet = np.abs(log_ratios(counts, totals, scale=50.0)).max()
    assert quiet < 0.1 < loud
