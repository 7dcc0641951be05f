"""The monotone envelope holds every monotone curve near the noisy one, and is the tightest."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.postprocess.envelope import monotone_envelope

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
