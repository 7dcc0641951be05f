"""The monotone envelope holds every monotone curve near the noisy one, and is the tightest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize

from dpcore.postprocess import concave_majorant, isotonic, monotone_rates
from dpcore.postprocess.monotone import monotone_envelope

vectors = hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(-10, 10))


@given(vectors)
def test_monotone_and_nearest_among_perturbations(values: np.ndarray) -> None:
    fitted = isotonic(values)
    assert (np.diff(fitted) >= 0).all()
    distance = np.sum((fitted - values) ** 2)
    rng = np.random.default_rng(0)
    for _ in range(20):
        rival = np.sort(fitted + rng.normal(scale=0.1, size=values.size))
        assert distance <= np.sum((rival - values) ** 2) + 1e-9


def test_bounded_solution_is_the_constrained_optimum() -> None:
    values = np.array([-0.4, 0.9, 0.2, 1.6, 1.2])
    ascending = [
        {"type": "ineq", "fun": lambda x, i=i: x[i + 1] - x[i]} for i in range(values.size - 1)
    ]
    optimum = minimize(
        lambda x: np.sum((x - values) ** 2),
        np.linspace(0.1, 0.9, 5),
        bounds=[(0, 1)] * 5,
        constraints=ascending,
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(isotonic(values, low=0, high=1), optimum.x, atol=1e-5)


@given(vectors, st.floats(-5, 20))
def test_rates_run_from_zero_to_one(counts: np.ndarray, total: float) -> None:
    rates = monotone_rates(counts, total)
    assert rates.shape == (counts.size + 2,)
    assert (rates[0], rates[-1]) == (0.0, 1.0)
    assert (np.diff(rates) >= 0).all()


def test_exact_counts_give_exact_rates() -> None:
    np.testing.assert_array_equal(monotone_rates([1, 2, 6], 8), [0, 0.125, 0.25, 0.75, 1])


@pytest.mark.parametrize("total", [0, -3])
def test_a_total_below_one_counts_as_one(total: float) -> None:
    np.testing.assert_array_equal(monotone_rates([0.25, 2], total), [0, 0.25, 1, 1])


def test_nothing_stays_nothing() -> None:
    assert isotonic([]).size == 0
    assert monotone_rates([], 5).tolist() == [0.0, 1.0]


@st.composite
def curves(draw):
    size = draw(st.integers(0, 9))
    grid = st.integers(0, 16).map(lambda i: i / 16)
    x = sorted(draw(st.lists(grid, min_size=size, max_size=size)))
    y = sorted(draw(st.lists(grid, min_size=size, max_size=size)))
    return np.array([0.0, *x, 1.0]), np.array([0.0, *y, 1.0])


def by_brute_force(x, y):
    """At each inner knot the highest chord over it."""
    top = y.copy()
    for at in range(1, x.size - 1):
        for left in range(x.size):
            for right in range(x.size):
                if x[left] <= x[at] <= x[right] and x[left] < x[right]:
                    share = (x[at] - x[left]) / (x[right] - x[left])
                    top[at] = max(top[at], y[left] + share * (y[right] - y[left]))
                elif x[left] == x[at]:
                    top[at] = max(top[at], y[left])
    return top


@given(curves())
def test_is_the_highest_chord(curve):
    np.testing.assert_allclose(concave_majorant(*curve), by_brute_force(*curve), atol=1e-12)


@given(curves())
def test_monotone_above_and_with_the_same_ends(curve):
    top = concave_majorant(*curve)
    assert (top >= curve[1]).all()
    assert (np.diff(top) >= 0).all()
    assert (top[0], top[-1]) == (0.0, 1.0)


@given(curves())
def test_a_concave_curve_stays(curve):
    x, top = curve[0], concave_majorant(*curve)
    np.testing.assert_allclose(concave_majorant(x, top), top, atol=1e-12)


def test_a_vertical_start_keeps_its_foot():
    x, y = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.7, 1.0])
    assert concave_majorant(x, y).tolist() == [0.0, 0.7, 1.0]


SHARES = st.lists(st.integers(-4, 14).map(lambda i: i / 10), min_size=1, max_size=20)


@given(SHARES, SHARES, st.integers(0, 10).map(lambda i: i / 10))
def test_a_near_monotone_curve_lies_inside(noisy, curve, reach):
    points = min(len(noisy), len(curve))
    truth = np.clip(np.sort(curve[:points]), 0.0, 1.0)
    values = np.array(noisy[:points])
    lower, upper = monotone_envelope(values, reach)
    near = (np.abs(truth - values) <= reach).all()
    inside = ((lower <= truth) & (truth <= upper)).all()
    assert inside or not near


@given(SHARES, st.integers(0, 10).map(lambda i: i / 10))
def test_it_is_monotone_and_no_wider_than_the_reach(noisy, reach):
    lower, upper = monotone_envelope(np.array(noisy), reach)
    for bound in (lower, upper):
        assert (np.diff(bound) >= 0.0).all()
        assert bound.min() >= 0.0
        assert bound.max() <= 1.0
    assert (upper - lower <= 2 * reach + 1e-12).all()


def test_an_infinite_reach_knows_nothing():
    lower, upper = monotone_envelope(np.array([0.5, 0.6]), np.inf)
    assert (lower.tolist(), upper.tolist()) == ([0.0, 0.0], [1.0, 1.0])
