"""The flow of p = 1 agrees with the prices."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.postprocess.dyadic_flow import (
    DyadicIntervals,
    increments,
    lowest_prices,
    settle_along_prices,
)
from tests.postprocess._eq3 import paths
from tests.postprocess.test_smoothing import problems


@st.composite
def subsets(draw):
    points = draw(st.integers(1, 40))
    kept = draw(st.lists(st.integers(0, points - 1), min_size=1, unique=True))
    return points, np.array(sorted(kept))


def as_sets(starts, ends):
    return sorted(tuple(range(a, b)) for a, b in zip(starts.tolist(), ends.tolist(), strict=True))


@given(subsets())
def test_edges_are_the_nodes_of_the_paper(case):
    points, kept = case
    nodes = paths(points, kept).toarray().T
    expected = sorted(tuple(np.flatnonzero(node).tolist()) for node in nodes)
    assert as_sets(*DyadicIntervals.over(points, kept).edges()) == expected


@given(st.integers(1, 100))
def test_without_a_subset_all_points_are_kept(points):
    intervals = DyadicIntervals.over(points)
    assert intervals.points == points
    starts, ends = intervals.edges()
    # No two of the same level overlap, so each point lies in one interval of each level.
    assert (ends - starts).sum() == points * len(intervals.marks)


def test_increments_add_up_to_the_bound():
    assert increments(np.array([1.0, 3.0, 2.0]), 5.0).tolist() == [1.0, 2.0, -1.0, 3.0]


@pytest.mark.parametrize("noisy", [[], [np.nan], [[1.0]]])
def test_unusable_values_are_refused(noisy):
    with pytest.raises(InvalidArgument, match="noisy must be"):
        increments(np.array(noisy), 1.0)


@pytest.mark.parametrize("high", [-1.0, np.inf, np.nan])
def test_an_unusable_bound_is_refused(high):
    with pytest.raises(InvalidArgument, match="high must be"):
        increments(np.array([1.0]), high)


@given(problems(most=100))
def test_prices_are_feasible(problem):
    noisy, high, kept = problem
    intervals = DyadicIntervals.over(noisy.size, kept)
    prices = lowest_prices(intervals, increments(noisy[kept], high))
    starts, ends = intervals.edges()
    assert (prices >= 0).all()
    assert (np.abs(prices[starts] - prices[ends]) <= 1).all()


@given(st.lists(st.integers(-5, 9), min_size=1, max_size=5), st.integers(0, 9))
def test_no_other_prices_cost_less(noisy, high):
    intervals = DyadicIntervals.over(len(noisy))
    wanted = increments(np.array(noisy, dtype=float), float(high))
    starts, ends = intervals.edges()
    least = min(
        float(wanted @ prices)
        for prices in map(np.array, product(range(4), repeat=wanted.size))
        if (np.abs(prices[starts] - prices[ends]) <= 1).all()
    )
    assert float(wanted @ lowest_prices(intervals, wanted)) == pytest.approx(least)


def test_rising_counts_need_no_prices():
    intervals = DyadicIntervals.over(6)
    assert lowest_prices(intervals, np.ones(7)).tolist() == [0] * 7


@given(problems(most=200))
def test_nothing_is_lost_and_priced_ends_are_settled(problem):
    noisy, high, kept = problem
    intervals = DyadicIntervals.over(noisy.size, kept)
    wanted = increments(noisy[kept], high)
    prices = lowest_prices(intervals, wanted)
    steps = settle_along_prices(intervals, wanted, prices)
    assert (steps >= 0.0).all()
    assert not steps[prices > 0].any()
    # A flow moves increments about and makes none.
    assert steps.sum() == pytest.approx(wanted.sum(), abs=1e-9)


def test_a_deficit_is_met_from_both_sides():
    wanted = np.array([0.0, 4.0, -2.0, 4.0, 0.0])
    steps = settle_along_prices(DyadicIntervals.over(4), wanted, np.array([0, 0, 1, 0, 0]))
    assert steps[2] == 0.0
    assert 2.0 < steps[1] < 4.0
    assert 2.0 < steps[3] < 4.0
