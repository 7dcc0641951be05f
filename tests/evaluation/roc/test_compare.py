"""roc_area_between against closed forms, numerical integration and the axioms of a metric."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.evaluation.roc.compare import roc_area_between

DIAGONAL = ([0.0, 1.0], [0.0, 1.0])


@st.composite
def curves(draw):
    """Monotone curves from (0, 0) to (1, 1), vertical and horizontal steps included."""
    size = draw(st.integers(0, 8))
    # A coarse grid makes equal abscissae (steps) and common knots likely.
    grid = st.integers(0, 12).map(lambda i: i / 12)
    x = sorted(draw(st.lists(grid, min_size=size, max_size=size)))
    y = sorted(draw(st.lists(grid, min_size=size, max_size=size)))
    return np.array([0.0, *x, 1.0]), np.array([0.0, *y, 1.0])


def numerically(a, b, points=240_000):
    """Midpoint rule; no midpoint falls on a knot of the coarse grid, so jumps need no care."""
    middle = (np.arange(points) + 0.5) / points
    return np.abs(np.interp(middle, *a) - np.interp(middle, *b)).mean()


def test_crossing_lines_enclose_two_triangles():
    # From +1/2 down to -1/2 around the middle: two triangles of height and base one half.
    assert roc_area_between([0, 0, 1, 1], [0, 0.5, 0.5, 1], *DIAGONAL) == pytest.approx(0.25)


def test_a_vertical_step_has_no_area_of_its_own():
    step = ([0, 0.5, 0.5, 1], [0, 0, 1, 1])
    assert roc_area_between(*step, [0, 0.5, 0.5, 0.5, 1], [0, 0, 0.3, 1, 1]) == 0.0


@given(curves(), curves())
def test_agrees_with_numerical_integration(a, b):
    assert roc_area_between(*a, *b) == pytest.approx(numerically(a, b), abs=2e-5)


@given(curves(), curves(), curves())
def test_is_a_metric_on_curves(a, b, c):
    assert roc_area_between(*a, *a) == 0.0
    assert roc_area_between(*a, *b) == pytest.approx(roc_area_between(*b, *a), abs=1e-12)
    direct = roc_area_between(*a, *c)
    assert direct <= roc_area_between(*a, *b) + roc_area_between(*b, *c) + 1e-12


@given(curves())
def test_extra_points_on_a_curve_change_nothing(a):
    middle_x, middle_y = (a[0][:-1] + a[0][1:]) / 2, (a[1][:-1] + a[1][1:]) / 2
    finer = [
        np.insert(v, np.arange(1, v.size), m) for v, m in zip(a, (middle_x, middle_y), strict=True)
    ]
    assert roc_area_between(*a, *finer) == pytest.approx(0.0, abs=1e-12)


@given(curves())
def test_area_to_the_chance_line_is_the_auc_excess_for_curves_above_it(a):
    above = a[0], np.maximum(a[0], a[1])
    excess = np.trapezoid(above[1], above[0]) - 0.5
    assert roc_area_between(*above, *DIAGONAL) == pytest.approx(excess, abs=1e-12)


@pytest.mark.parametrize(
    "fpr, tpr, name",
    [
        ([0, 0.5], [0, 1], "fpr_a"),
        ([0.1, 1], [0, 1], "fpr_a"),
        ([0, 0.6, 0.4, 1], [0, 0.4, 0.6, 1], "fpr_a"),
        ([0, np.nan, 1], [0, 0.5, 1], "fpr_a"),
        ([0, 1], [0, 0.5, 1], "tpr_a"),
        ([0.0], [0.0], "tpr_a"),
    ],
)
def test_refuses_what_is_no_curve(fpr, tpr, name):
    with pytest.raises(InvalidArgument) as caught:
        roc_area_between(fpr, tpr, *DIAGONAL)
    assert caught.value.name == name
