"""Mean binormal curves: a curve at all, near the truth, and honest about a bad fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from dpcore.postprocess import binormal_curve

AT = np.linspace(0, 1, 101)


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted),
    st.lists(st.floats(-1e4, 1e4), min_size=3, max_size=3),
    st.floats(0.01, 1e5),
)
def test_always_a_curve(inner: list[float], counts: list[float], scale: float) -> None:
    tpr, misfit = binormal_curve(AT, np.array([0, *inner, 1]), np.array(counts), scale)
    assert (tpr[0], tpr[-1]) == (0.0, 1.0)
    assert (np.diff(tpr) >= -1e-12).all()
    assert np.isfinite(misfit)
    assert misfit >= 0


@pytest.mark.parametrize("separation, slope", [(0.0, 0.8), (1.0, 0.8), (2.5, 0.7), (1.5, 1.1)])
def test_finds_the_curve_behind_little_noise(separation: float, slope: float) -> None:
    ends = np.array([0, 0.1, 0.4, 1])
    truth = ndtr(separation + slope * ndtri(AT))
    counts = 1000 * np.diff(ndtr(separation + slope * ndtri(ends)))
    tpr, misfit = binormal_curve(AT, ends, counts, scale=20.0)
    assert np.abs(tpr - truth).mean() < 0.015
    assert misfit < 3.0


def test_large_noise_leaves_the_prior() -> None:
    ends = np.array([0, 0.1, 0.4, 1])
    one, _ = binormal_curve(AT, ends, np.array([900.0, 90.0, 10.0]), scale=1e9)
    other, _ = binormal_curve(AT, ends, np.array([10.0, 90.0, 900.0]), scale=1e9)
    np.testing.assert_allclose(one, other, atol=1e-5)


def test_a_curve_below_chance_is_a_misfit() -> None:
    ends = np.array([0, 0.3, 0.6, 1])
    _, misfit = binormal_curve(AT, ends, np.array([0.0, 0.0, 1000.0]), scale=5.0)
    assert misfit > 50.0
