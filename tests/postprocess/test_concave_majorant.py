"""The least concave majorant: above, concave, and the smallest such curve."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess import concave_majorant


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
