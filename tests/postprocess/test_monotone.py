"""The monotone envelope holds every monotone curve near the noisy one, and is the tightest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize
from scipy.special import ndtr, ndtri

from dpcore.errors import InvalidArgument
from dpcore.postprocess import (
    concave_majorant,
    isotonic,
    monotone_rates,
    probit_path,
    project_to_simplex,
)
from dpcore.postprocess.monotone import (
    as_share,
    first_reaching,
    leaves_everything,
    monotone_envelope,
    nothing_said,
)

VALUES = st.lists(st.integers(0, 10).map(lambda i: i / 10), min_size=1, max_size=40)

LEVELS = st.lists(st.integers(0, 20).map(lambda i: i / 20), min_size=1, max_size=10)


@given(VALUES, LEVELS)
def test_on_a_monotone_curve_it_is_the_first_point(values, levels):
    cdf = np.sort(values)
    cdf[-1] = 1.0
    expected = [int(np.argmax(cdf >= level)) for level in levels]
    assert first_reaching(cdf, levels).tolist() == expected


@given(VALUES, LEVELS)
def test_on_any_curve_it_stops_where_the_level_is_crossed(values, levels):
    cdf = np.array(values)
    for level, found in zip(levels, first_reaching(cdf, levels).tolist(), strict=True):
        assert cdf[found] >= level or found == cdf.size - 1
        assert found == 0 or cdf[found - 1] < level


def test_the_shape_of_the_levels_is_kept():
    cdf = np.array([0.5, 1.0])
    assert first_reaching(cdf, 0.7).shape == ()
    assert first_reaching(cdf, [[0.1], [0.9]]).tolist() == [[0], [1]]


@pytest.mark.parametrize("level", [-0.1, 1.1, np.nan])
def test_levels_are_probabilities(level):
    with pytest.raises(InvalidArgument, match="q must be in"):
        first_reaching(np.array([1.0]), [level])


STEPS = 8


@st.composite
def knots(draw):
    size = draw(st.integers(0, 8))
    grid = st.one_of(st.integers(0, 20).map(lambda i: i / 20), st.floats(0, 1))
    x = sorted(draw(st.lists(grid, min_size=size, max_size=size)))
    y = sorted(draw(st.lists(grid, min_size=size, max_size=size)))
    return np.array([0.0, *x, 1.0]), np.array([0.0, *y, 1.0])


@given(knots(), st.integers(0, 2**9 - 1))
def test_monotone_through_the_knots(knots, mask):
    straight = np.array([bool(mask >> i & 1) for i in range(knots[0].size - 1)])
    for chosen in (None, straight):
        x, y = probit_path(*knots, steps=STEPS, straight=chosen)
        assert x.size == y.size == (knots[0].size - 1) * STEPS + 1
        np.testing.assert_array_equal(x[::STEPS], knots[0])
        np.testing.assert_array_equal(y[::STEPS], knots[1])
        assert (np.diff(x) >= 0).all()
        assert (np.diff(y) >= 0).all()


def binormal(x, separation=1.3, slope=1.0):
    return ndtr(separation + slope * ndtri(x))


@pytest.mark.parametrize("slope", [0.6, 1.0, 1.5])
def test_inner_bins_are_exact_on_binormal_curves(slope):
    knots = np.array([0.0, 0.02, 0.1, 0.4, 0.9, 1.0])
    x, y = probit_path(knots, binormal(knots, slope=slope))
    inside = slice(16, -17)
    np.testing.assert_allclose(y[inside], binormal(x[inside], slope=slope), atol=1e-12)


def test_smooth_curves_are_met_better_than_by_lines():
    """Two populations: bent on probit scales too. Lines miss such a curve by more than twice."""
    at = np.array([0.001, 0.01, 0.05, 0.15, 0.35, 0.6, 0.85])
    truth = lambda x: (binormal(x, 0.4) + binormal(x, 2.6, 0.7)) / 2  # noqa: E731
    x, y = probit_path(np.array([0.0, *at, 1.0]), truth(np.array([0.0, *at, 1.0])))
    inside = slice(16, -17)
    lines = ndtr(np.interp(ndtri(x[inside]), ndtri(at), ndtri(truth(at))))
    missed, by_lines = (np.abs(found - truth(x[inside])).mean() for found in (y[inside], lines))
    assert missed < by_lines / 2


def test_vertical_steps_and_repeated_knots_are_joined():
    x = np.array([0.0, 0.1, 0.1, 0.1, 0.4, 0.6, 1.0])
    y = np.array([0.0, 0.2, 0.5, 0.5, 0.7, 0.9, 1.0])
    across, up = probit_path(x, y, steps=4)
    np.testing.assert_allclose(across[4:13], 0.1)
    np.testing.assert_allclose(up[8:13], 0.5)
    assert (np.diff(up[4:9]) > 0).all()


def test_outer_bins_follow_slope_one():
    knots = np.array([0.0, 0.3, 1.0])
    x, y = probit_path(knots, binormal(knots))
    np.testing.assert_allclose(y, binormal(x), atol=1e-6)


def test_straight_bins_are_straight():
    knots = np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.8, 1.0])
    x, y = probit_path(*knots, steps=4, straight=np.array([True, False]))
    np.testing.assert_allclose(y[:5], 4 * x[:5])
    assert np.abs(y[5:-1] - (0.8 + (x[5:-1] - 0.2) / 4)).min() > 1e-3


def test_two_knots_are_the_diagonal():
    x, y = probit_path(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    np.testing.assert_allclose(x, y)


simplex_vectors = hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(-1e3, 1e3))

totals = st.floats(0.01, 1e3)


@given(simplex_vectors, totals)
def test_a_projection_is_non_negative_with_the_sum(values: np.ndarray, total: float) -> None:
    fitted = project_to_simplex(values, total)
    assert (fitted >= 0).all()
    assert fitted.sum() == pytest.approx(total)


def test_rows_are_projected_each_by_itself() -> None:
    """Also one whose sum is zero, and cells that are not there."""
    rows = np.array([[3.0, -1.0, 2.0], [5.0, 4.0, -np.inf], [1.0, 2.0, 3.0]])
    fitted = project_to_simplex(rows, np.array([4.0, 7.0, 0.0]))
    assert fitted.tolist() == [[2.5, 0.0, 1.5], [4.0, 3.0, 0.0], [0.0, 0.0, 0.0]]


@given(simplex_vectors, totals)
def test_projection_meets_the_optimality_conditions(values: np.ndarray, total: float) -> None:
    """Positive entries moved by one and the same shift, the others lie below it (Duchi et al.)."""
    fitted = project_to_simplex(values, total)
    kept = fitted > 0
    shift = (values - fitted)[kept]
    np.testing.assert_allclose(shift, shift[0], atol=1e-7)
    assert (values[~kept] <= shift[0] + 1e-7).all()


def test_a_point_of_the_simplex_stays() -> None:
    values = np.array([0.0, 3.0, 1.0])
    np.testing.assert_allclose(project_to_simplex(values, 4.0), values)


numbers = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


@given(st.lists(numbers, min_size=1))
def test_a_share_is_possible_and_a_possible_one_stays(values: list[float]) -> None:
    found = as_share(values)
    assert ((found >= 0.0) & (found <= 1.0)).all()
    assert np.array_equal(as_share(found), found)


@given(st.floats(0.006, 1.0), st.floats(0.0, 1.0))
def test_an_interval_that_excludes_anything_says_something(low: float, high: float) -> None:
    assert not leaves_everything(low, max(low, high))
    assert leaves_everything(-low, 1.0 + high)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (0.0049, 0.9951), (np.nan, np.nan), (-5.0, 900.0)])
def test_everything_is_everything_as_written(ends: tuple[float, float]) -> None:
    assert leaves_everything(*ends)


def test_the_sentence_names_the_epsilon_if_it_is_known() -> None:
    assert nothing_said("this curve", "any AUC", "0.5").startswith("At epsilon 0.5 this curve says")
    assert nothing_said("this curve", "any AUC").startswith("At this epsilon this curve says")


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
