"""Probit paths: through the knots, inside the bins, exact on binormal curves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from dpcore.errors import InvalidArgument
from dpcore.postprocess import probit_path
from dpcore.postprocess.interpolation import first_reaching

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
