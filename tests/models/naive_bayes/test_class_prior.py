"""Priors from noisy sizes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore.models.naive_bayes.class_prior import log_prior


@given(arrays(np.float64, st.integers(1, 5), elements=st.floats(-1e6, 1e6)))
def test_priors_are_probabilities_and_never_zero(sizes: np.ndarray) -> None:
    logs = log_prior(sizes)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs).sum(), 1.0)


def test_many_records_give_their_shares() -> None:
    np.testing.assert_allclose(np.exp(log_prior(np.array([3e6, 1e6]))), [0.75, 0.25], atol=1e-6)
