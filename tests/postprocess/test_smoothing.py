"""p = 2 smoothing: the optimum of Eq. 3, in every shape of grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from dpcore.errors import InvalidArgument
from dpcore.postprocess import binormal_curve
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2
from tests.postprocess import _eq3 as eq3

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


def test_without_a_word_from_the_counts_half_of_all_plausible_curves_are_above() -> None:
    draws = np.random.default_rng(1)
    ends, counts = np.array([0, 0.1, 0.4, 1]), np.array([30.0, 20.0, 10.0])
    slopes = np.exp(draws.normal(-0.2, 0.25, 20_000))
    apart = draws.normal(1.5, 1.0, 20_000)
    likely = np.where(draws.random(20_000) < 0.6, draws.normal(3.0, 0.9, 20_000), apart)
    for spread, separations in ((None, apart), (3.0, likely)):
        tpr, _ = binormal_curve(AT, ends, counts, scale=1e9, spread=spread)
        above = ndtr(separations[:, None] + slopes[:, None] * ndtri(AT[10:90])) > tpr[10:90]
        # Up to 0.08 of the prior share a step of the grid of separations.
        np.testing.assert_allclose(above.mean(axis=0), 0.5, atol=0.08 / 2 + 0.01)


@pytest.mark.parametrize("spread", [0.0, 0.05, 9.0])
def test_scores_that_do_not_mean_what_they_say_are_overruled(spread: float) -> None:
    ends = np.array([0, 0.1, 0.4, 1])
    counts = 1000 * np.diff(ndtr(1.5 + ndtri(ends)))
    tpr, misfit = binormal_curve(AT, ends, counts, scale=20.0, spread=spread)
    assert np.abs(tpr - ndtr(1.5 + ndtri(AT))).mean() < 0.015
    assert misfit < 3.0


def test_a_curve_below_chance_is_a_misfit() -> None:
    ends = np.array([0, 0.3, 0.6, 1])
    _, misfit = binormal_curve(AT, ends, np.array([0.0, 0.0, 1000.0]), scale=5.0)
    assert misfit > 50.0


@st.composite
def problems(draw, most=40):
    """Noisy counts, a bound and a subset of points; small integers make ties likely."""
    noisy = draw(st.lists(st.integers(-9, 30), min_size=1, max_size=most))
    kept = draw(st.lists(st.integers(0, len(noisy) - 1), min_size=1, unique=True))
    return np.array(noisy, dtype=float), float(draw(st.integers(1, 40))), np.array(sorted(kept))


@given(problems())
def test_reaches_the_optimum_of_cvxopt(problem):
    noisy, high, kept = problem
    for chosen in (None, kept):
        best, curve = eq3.solve(noisy, high, 2, chosen)
        smoothed = smooth_p2(noisy, high, kept=chosen)
        assert eq3.cost(noisy, smoothed, 2, chosen) == pytest.approx(best, rel=1e-6, abs=1e-6)
        # The optimum is unique, so the curves agree too.
        np.testing.assert_allclose(smoothed, curve, atol=1e-3)


@given(problems(most=200))
def test_smooth_p2_is_monotone_and_bounded(problem):
    noisy, high, kept = problem
    for chosen in (None, kept):
        smoothed = smooth_p2(noisy, high, kept=chosen)
        assert (np.diff(smoothed, prepend=0.0, append=high) >= 0.0).all()


@given(problems())
def test_smooth_p2_a_monotone_curve_stays(problem):
    noisy, high, _ = problem
    curve = np.sort(np.clip(noisy, 0.0, high))
    np.testing.assert_array_equal(smooth_p2(curve, high), curve)


@given(problems(), st.integers(-20, 20))
def test_scales_with_the_counts(problem, exponent):
    noisy, high, _ = problem
    scaled = smooth_p2(noisy * 2.0**exponent, high * 2.0**exponent)
    np.testing.assert_allclose(scaled, smooth_p2(noisy, high) * 2.0**exponent, atol=1e-9)


@pytest.mark.parametrize("noisy", [[-1.0, 2.0, -3.0], [5.0], [-5.0]])
def test_smooth_p2_no_records_leave_no_freedom(noisy):
    assert smooth_p2(np.array(noisy), 0.0).tolist() == [0.0] * len(noisy)


@pytest.mark.parametrize("points", [1000, 2**13])
def test_a_long_grid_reaches_the_optimum_of_cvxopt(points):
    generator = np.random.default_rng(points)
    counts = np.cumsum(generator.poisson(3, points)).astype(float)
    shift = generator.laplace(scale=20, size=eq3.paths(points).shape[1])
    noisy = counts + eq3.paths(points) @ shift
    _, curve = eq3.solve(noisy, counts[-1], 2)
    np.testing.assert_allclose(smooth_p2(noisy, counts[-1]), curve, atol=1e-4)


def test_the_input_is_not_altered():
    noisy = np.array([3.0, 1.0])
    smooth_p2(noisy, 3.0)
    assert noisy.tolist() == [3.0, 1.0]


def test_smooth_p2_a_negative_bound_is_refused():
    with pytest.raises(InvalidArgument, match="high must be"):
        smooth_p2(np.array([1.0]), -1.0)


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
