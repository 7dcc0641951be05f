"""The prices of p = 1: feasible, whole, and optimal by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess.dyadic import DyadicIntervals, increments
from dpcore.postprocess.dyadic_prices import lowest_prices
from tests.postprocess.test_smooth_p2 import problems


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
