"""The flow of p = 1 agrees with the prices."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess.dyadic import DyadicIntervals, increments
from dpcore.postprocess.dyadic_flow import lowest_prices, settle_along_prices
from tests.postprocess.test_smoothing import problems


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
