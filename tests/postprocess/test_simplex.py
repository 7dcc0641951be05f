"""Two ways to make noisy counts non-negative without changing their sum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpcore.postprocess import project_to_simplex, scale_to_simplex

vectors = hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(-1e3, 1e3))
totals = st.floats(0.01, 1e3)


@given(vectors, totals)
def test_both_are_non_negative_with_the_sum(values: np.ndarray, total: float) -> None:
    for fitted in (project_to_simplex(values, total), scale_to_simplex(values, total)):
        assert (fitted >= 0).all()
        assert fitted.sum() == pytest.approx(total)


@given(vectors, totals)
def test_projection_meets_the_optimality_conditions(values: np.ndarray, total: float) -> None:
    """Positive entries moved by one and the same shift, the others lie below it (Duchi et al.)."""
    fitted = project_to_simplex(values, total)
    kept = fitted > 0
    shift = (values - fitted)[kept]
    np.testing.assert_allclose(shift, shift[0], atol=1e-7)
    assert (values[~kept] <= shift[0] + 1e-7).all()


def test_a_point_of_the_simplex_stays() -> None:
    values = np.array([0.0, 3.0, 1.0])
    np.testing.assert_allclose(project_to_simplex(values, 4.0), values)
    np.testing.assert_allclose(scale_to_simplex(values, 4.0), values)


def test_scaling_keeps_proportions_and_spreads_nothing_evenly() -> None:
    assert scale_to_simplex(np.array([-2.0, 1.0, 3.0]), 8.0).tolist() == [0.0, 2.0, 6.0]
    assert scale_to_simplex(np.array([-2.0, 0.0]), 3.0).tolist() == [1.5, 1.5]
