"""Isotonic regression: nearest, monotone, bounded; rates with fixed ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize

from dpcore.postprocess import isotonic, monotone_rates

vectors = hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(-10, 10))


@given(vectors)
def test_monotone_and_nearest_among_perturbations(values: np.ndarray) -> None:
    fitted = isotonic(values)
    assert (np.diff(fitted) >= 0).all()
    distance = np.sum((fitted - values) ** 2)
    rng = np.random.default_rng(0)
    for _ in range(20):
        rival = np.sort(fitted + rng.normal(scale=0.1, size=values.size))
        assert distance <= np.sum((rival - values) ** 2) + 1e-9


def test_bounded_solution_is_the_constrained_optimum() -> None:
    values = np.array([-0.4, 0.9, 0.2, 1.6, 1.2])
    ascending = [
        {"type": "ineq", "fun": lambda x, i=i: x[i + 1] - x[i]} for i in range(values.size - 1)
    ]
    optimum = minimize(
        lambda x: np.sum((x - values) ** 2),
        np.linspace(0.1, 0.9, 5),
        bounds=[(0, 1)] * 5,
        constraints=ascending,
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(isotonic(values, low=0, high=1), optimum.x, atol=1e-5)


@given(vectors, st.floats(-5, 20))
def test_rates_run_from_zero_to_one(counts: np.ndarray, total: float) -> None:
    rates = monotone_rates(counts, total)
    assert rates.shape == (counts.size + 2,)
    assert (rates[0], rates[-1]) == (0.0, 1.0)
    assert (np.diff(rates) >= 0).all()


def test_exact_counts_give_exact_rates() -> None:
    np.testing.assert_array_equal(monotone_rates([1, 2, 6], 8), [0, 0.125, 0.25, 0.75, 1])


@pytest.mark.parametrize("total", [0, -3])
def test_a_total_below_one_counts_as_one(total: float) -> None:
    np.testing.assert_array_equal(monotone_rates([0.25, 2], total), [0, 0.25, 1, 1])


def test_nothing_stays_nothing() -> None:
    assert isotonic([]).size == 0
    assert monotone_rates([], 5).tolist() == [0.0, 1.0]
