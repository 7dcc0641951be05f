"""RocCurve: ends, area and thinning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation import RocCurve
from dpcore.evaluation.roc.curve import (
    Bins,
    coarse_cuts,
    nearest_cuts,
    roc_area_between,
    uniform_cuts,
)

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


edges = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=20, unique=True).map(
    lambda inner: np.array([0.0, *sorted(inner), 1.0])
)


@given(edges, st.lists(st.floats(0, 1), max_size=30).map(sorted))
def test_each_cut_is_an_inner_edge_nearest_to_a_threshold(
    edges: np.ndarray, thresholds: list[float]
) -> None:
    cuts = nearest_cuts(edges, np.array(thresholds))
    assert (np.diff(cuts) > 0).all()
    assert ((cuts > 0) & (cuts < edges.size - 1)).all()
    inner = edges[1:-1]
    for threshold in thresholds:
        nearest = np.abs(inner - threshold).min()
        assert np.abs(edges[cuts] - threshold).min() == pytest.approx(nearest, abs=1e-12)
    assert cuts.size <= len(thresholds)


def test_uniform_cuts_on_the_default_grid() -> None:
    grid = ScoreHistogram.empty().edges
    np.testing.assert_allclose(grid[uniform_cuts(grid, 4)], [0.25, 0.5, 0.75], atol=1e-4)
    assert uniform_cuts(grid, 1).size == 0
    assert uniform_cuts(grid, 10**6).size < grid.size - 1


def test_coarse_cuts_keep_the_ends() -> None:
    grid = ScoreHistogram.empty().edges
    coarse = coarse_cuts(grid)
    assert (coarse[0], coarse[-1], coarse.size) == (0, 2**16, 2**13 + 1)
    assert coarse_cuts(np.linspace(0, 1, 6)).tolist() == [0, 1, 2, 3, 4, 5]
    assert (np.diff(coarse_cuts(np.linspace(0, 1, 10_000))) > 0).all()


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
