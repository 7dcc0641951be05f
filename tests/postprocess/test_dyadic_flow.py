"""The flow of p = 1 agrees with the prices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from dpcore.postprocess.dyadic import DyadicIntervals, increments
from dpcore.postprocess.dyadic_flow import settle_along_prices
from dpcore.postprocess.dyadic_prices import lowest_prices
from tests.postprocess.test_smooth_p2 import problems


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
