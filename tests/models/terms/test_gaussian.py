"""Gaussian terms are log-densities."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore.models.terms import GaussianTerm
from tests.models._records import training


@given(st.floats(-1, 1), st.floats(1e-3, 1), st.floats(-1, 3))
def test_against_the_normal_law(mean: float, variance: float, age: float) -> None:
    rows = training([((age, 0, 0, 0, 0, 0, 0), 0)], 1).rows
    term = GaussianTerm(np.array([[mean]]), np.array([[variance]]))
    expected = stats.norm(mean, np.sqrt(variance)).logpdf((age - 1) / 2)
    np.testing.assert_allclose(term.scores(rows), [[expected]], rtol=1e-9, atol=1e-9)
