"""p = 1 smoothing: the optimal value of Eq. 3 (the curve itself is not unique)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.postprocess.smooth_p1 import smooth_p1
from tests.postprocess import _eq3 as eq3
from tests.postprocess.test_smooth_p2 import problems


@given(problems())
def test_reaches_the_optimal_value_of_cvxopt(problem):
    noisy, high, kept = problem
    for chosen in (None, kept):
        best, _ = eq3.solve(noisy, high, 1, chosen)
        reached = eq3.cost(noisy, smooth_p1(noisy, high, kept=chosen), 1, chosen)
        assert reached == pytest.approx(best, rel=1e-6, abs=1e-6)


@given(problems(most=200))
def test_is_monotone_and_bounded(problem):
    noisy, high, kept = problem
    for chosen in (None, kept):
        smoothed = smooth_p1(noisy, high, kept=chosen)
        assert (np.diff(smoothed, prepend=0.0, append=high) >= 0.0).all()


@given(problems())
def test_a_monotone_curve_stays(problem):
    noisy, high, _ = problem
    curve = np.sort(np.clip(noisy, 0.0, high))
    np.testing.assert_array_equal(smooth_p1(curve, high), curve)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=60), st.floats(1, 1e3))
def test_real_numbers_reach_the_optimal_value_too(values, high):
    noisy = np.array(values)
    best, _ = eq3.solve(noisy, high, 1)
    assert eq3.cost(noisy, smooth_p1(noisy, high), 1) == pytest.approx(best, rel=1e-6, abs=1e-5)


@pytest.mark.parametrize("noisy", [[-1.0, 2.0, -3.0], [5.0], [-5.0]])
def test_no_records_leave_no_freedom(noisy):
    assert smooth_p1(np.array(noisy), 0.0).tolist() == [0.0] * len(noisy)


def test_a_central_optimum_is_nearer_to_the_truth_than_the_noise():
    generator = np.random.default_rng(5)
    counts = np.cumsum(generator.poisson(3, 2048)).astype(float)
    tree = eq3.paths(2048)
    noisy = counts + tree @ generator.laplace(scale=40, size=tree.shape[1])
    smoothed = smooth_p1(noisy, counts[-1])
    assert ((smoothed - counts) ** 2).sum() < 0.6 * ((noisy - counts) ** 2).sum()


def test_a_negative_bound_is_refused():
    with pytest.raises(InvalidArgument, match="high must be"):
        smooth_p1(np.array([1.0]), -1.0)
