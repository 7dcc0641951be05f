"""Smoothing as private_ecdf applies it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.evaluation.ecdf.smoothing import SMOOTHINGS, smooth
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2

NOISY = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60)


@pytest.mark.parametrize("smoothing", [name for name in SMOOTHINGS if name])
@given(noisy=NOISY, total=st.floats(1, 1e6))
def test_shares_are_a_distribution_function(smoothing, noisy, total):
    shares = smooth(np.array(noisy), total, smoothing)
    assert (np.diff(shares) >= 0.0).all()
    assert shares[0] >= 0.0
    assert shares[-1] == 1.0


def test_p1_and_p2_are_eq_3():
    noisy = np.array([2.0, 5.0, 3.0, 9.0, 7.0])
    for name, solver in (("p1", smooth_p1), ("p2", smooth_p2)):
        np.testing.assert_allclose(smooth(noisy, 8.0, name)[:-1], solver(noisy, 8.0)[:-1] / 8.0)


def test_none_only_divides():
    assert smooth(np.array([3.0, -1.0]), 2.0, None).tolist() == [1.5, -0.5]


def test_another_name_is_refused():
    with pytest.raises(InvalidArgument, match="smoothing must be one of 'isotonic'"):
        smooth(np.array([1.0, 2.0]), 2.0, "p3")
