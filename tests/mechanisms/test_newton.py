"""The solver reaches its tolerance, however it takes its steps, and says when it cannot."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize as reference

from dpcore.errors import DpcoreError
from dpcore.mechanisms import newton
from dpcore.mechanisms.logistic_objective import BinaryObjective, Penalty


def problem(seed: int, size: int = 6, strength: float = 0.5) -> BinaryObjective:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(200, size))
    signs = np.where(rows @ rng.normal(size=size) + rng.normal(size=200) > 0, 1.0, -1.0)
    tilt = 5 * rng.normal(size=size)
    return BinaryObjective(
        rows, signs, Penalty(regularization=strength, anchor=np.zeros(size), tilt=tilt)
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_vanishes(seed: int) -> None:
    objective = problem(seed)
    found = newton.minimise(objective, np.zeros(6), tolerance=1e-10)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-10


def test_it_agrees_with_a_general_optimiser() -> None:
    objective = problem(0)
    found = newton.minimise(objective, np.zeros(6), tolerance=1e-10)
    other = reference(objective.value_and_gradient, np.zeros(6), jac=True, options={"gtol": 1e-8})
    np.testing.assert_allclose(found, other.x, atol=1e-5)


def test_conjugate_gradients_reach_the_same_point(monkeypatch: pytest.MonkeyPatch) -> None:
    objective = problem(1)
    factored = newton.minimise(objective, np.zeros(6), tolerance=1e-10)
    monkeypatch.setattr(newton, "_DENSE_PARAMETERS", 0)
    iterated = newton.minimise(objective, np.zeros(6), tolerance=1e-10)
    np.testing.assert_allclose(iterated, factored, atol=1e-8)


def test_separable_data_from_a_far_start() -> None:
    rows, signs = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    weak = Penalty(regularization=1e-3, anchor=np.zeros(1), tilt=np.zeros(1))
    objective = BinaryObjective(rows, signs, weak)
    found = newton.minimise(objective, np.array([-500.0]), tolerance=1e-8)
    assert np.linalg.norm(objective.value_and_gradient(found)[1]) <= 1e-8


def test_no_records_at_all() -> None:
    still = Penalty(regularization=2.0, anchor=np.ones(3), tilt=np.full(3, 4.0))
    objective = BinaryObjective(np.zeros((0, 3)), np.zeros(0), still)
    found = newton.minimise(objective, np.zeros(3), tolerance=1e-9)
    np.testing.assert_allclose(found, -1.0)


def test_an_impossible_tolerance_is_reported() -> None:
    with pytest.raises(DpcoreError, match="above the tolerance"):
        newton.minimise(problem(0), np.zeros(6), tolerance=1e-40)
