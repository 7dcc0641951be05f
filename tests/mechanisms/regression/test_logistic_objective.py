"""Objectives: gradients and second derivatives against finite differences, dense and sparse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.mechanisms.regression import tables
from dpcore.mechanisms.regression.logistic_objective import (
    BinaryObjective,
    Objective,
    Penalty,
    SoftmaxObjective,
)
from dpcore.mechanisms.regression.tables import gram


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 50])
@pytest.mark.parametrize(("width", "share"), [(5, 0.9), (40, 0.08)])
@pytest.mark.parametrize("least", [0.0, -1.0])
def test_it_is_the_plain_product(
    monkeypatch: pytest.MonkeyPatch, n: int, sparse: bool, width: int, share: float, least: float
) -> None:
    """Rows with many entries are multiplied as dense ones; a scale below zero has no root."""
    monkeypatch.setattr(tables, "_CACHED_ROWS", 8)
    monkeypatch.setattr(tables, "_DENSE_ROWS", 8)
    rng = np.random.default_rng(n)
    rows = rng.uniform(-1, 1, (n, width)) * (rng.random((n, width)) < share)
    scale = rng.uniform(least, 1.0, n)
    found = gram(csr_array(rows) if sparse else rows, scale)
    np.testing.assert_allclose(found, rows.T @ np.diag(scale) @ rows, atol=1e-12)


def test_some_rows_of_a_larger_matrix() -> None:
    """Their entries do not begin at zero."""
    rows = csr_array(np.eye(6) + np.eye(6, k=1))
    part = rows[2:5]
    np.testing.assert_array_equal(gram(part, np.ones(3)), (part.T @ part).toarray())


RNG = np.random.default_rng(0)

ROWS = RNG.normal(size=(30, 4)) * (RNG.random((30, 4)) < 0.6)

CLASSES = RNG.integers(0, 3, 30)


def penalty(size: int) -> Penalty:
    return Penalty(regularization=0.7, anchor=np.full(size, 0.2), tilt=np.linspace(-1, 1, size))


def objectives(rows: object) -> list[tuple[Objective, int]]:
    signs = np.where(CLASSES == 1, 1.0, -1.0)
    return [
        (BinaryObjective(rows, signs, penalty(4)), 4),  # type: ignore[arg-type]
        (BinaryObjective(rows, signs, penalty(4), (1.25, 0.5)), 4),  # type: ignore[arg-type]
        (SoftmaxObjective(rows, CLASSES, 3, penalty(12)), 12),  # type: ignore[arg-type]
    ]


def vector(seed: int, size: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=size)


DENSE, SPARSE = objectives(ROWS), objectives(csr_array(ROWS))


@pytest.mark.parametrize("objective, size", DENSE)
def test_gradient_is_the_slope_of_the_value(objective: Objective, size: int) -> None:
    weights, step = vector(1, size), 1e-6
    _, gradient = objective.value_and_gradient(weights)
    for axis in np.eye(size):
        above, _ = objective.value_and_gradient(weights + step * axis)
        below, _ = objective.value_and_gradient(weights - step * axis)
        assert (above - below) / (2 * step) == pytest.approx(gradient @ axis, abs=1e-6)


@pytest.mark.parametrize("objective, size", DENSE)
def test_hessian_is_the_slope_of_the_gradient(objective: Objective, size: int) -> None:
    weights, step = vector(1, size), 1e-6
    hessian = objective.hessian(weights)
    for column, axis in zip(hessian.T, np.eye(size), strict=True):
        _, above = objective.value_and_gradient(weights + step * axis)
        _, below = objective.value_and_gradient(weights - step * axis)
        np.testing.assert_allclose((above - below) / (2 * step), column, atol=1e-6)


@pytest.mark.parametrize("objective, size", DENSE + SPARSE)
def test_curvature_multiplies_by_the_hessian(objective: Objective, size: int) -> None:
    weights, direction = vector(1, size), vector(2, size)
    expected = objective.hessian(weights) @ direction
    np.testing.assert_allclose(objective.curvature(weights)(direction), expected)


@pytest.mark.parametrize("pair", list(zip(DENSE, SPARSE, strict=True)))
def test_sparse_rows_give_the_same(pair: tuple[tuple[Objective, int], ...]) -> None:
    (dense, size), (sparse, _) = pair
    weights = vector(1, size)
    for one, other in zip(
        dense.value_and_gradient(weights), sparse.value_and_gradient(weights), strict=True
    ):
        np.testing.assert_allclose(one, other)
    np.testing.assert_allclose(dense.hessian(weights), sparse.hessian(weights), atol=1e-12)


def test_far_margins_do_not_overflow() -> None:
    objective = BinaryObjective(np.array([[1e6]]), np.array([-1.0]), penalty(1))
    value, gradient = objective.value_and_gradient(np.array([1e3]))
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("records", [8_191, 8_192, 20_000])
def test_many_sparse_rows_are_all_counted(records: int) -> None:
    rows = np.resize(ROWS, (records, 4))
    signs = np.resize(np.where(CLASSES == 1, 1.0, -1.0), records)
    dense = BinaryObjective(rows, signs, penalty(4))
    sparse = BinaryObjective(csr_array(rows), signs, penalty(4))
    weights = np.linspace(-0.5, 0.5, 4)
    np.testing.assert_allclose(sparse.hessian(weights), dense.hessian(weights), rtol=1e-9)
