"""Minimise a smooth, strongly convex function until its gradient all but vanishes."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.linalg import LinearOperator, cg

from dpcore._typing import FloatArray
from dpcore.errors import DpcoreError
from dpcore.mechanisms.logistic_objective import Objective
from dpcore.mechanisms.one_blas_thread import ONE_BLAS_THREAD

# Up to this many parameters the matrix of second derivatives is formed and factored.
_DENSE_PARAMETERS = 600
_MOST_STEPS = 200
_SUFFICIENT_DECREASE = 1e-4
# Differences of function values below this share of the value are rounding.
_ROUNDING = 1e-13


def minimise(objective: Objective, start: FloatArray, *, tolerance: float) -> FloatArray:
    """Newton's method with backtracking.

    Parameters
    ----------
    objective : Objective
    start : float array, shape (parameters,)
    tolerance : float
        Largest Euclidean length of the gradient at the result.

    Returns
    -------
    float array, shape (parameters,)
        If the function is r-strongly convex, within tolerance / r of the exact minimiser.

    Raises
    ------
    DpcoreError
        If the tolerance is out of reach of double precision.

    References
    ----------
    S. Boyd, L. Vandenberghe (2004), Convex optimization, Section 9.5.

    Examples
    --------
    >>> from dpcore.mechanisms.logistic_objective import BinaryObjective, Penalty
    >>> still = Penalty(regularization=1.0, anchor=np.zeros(1), tilt=np.zeros(1))
    >>> objective = BinaryObjective(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), still)
    >>> minimise(objective, np.array([3.0]), tolerance=1e-9).round(6).tolist()
    [0.0]
    """
    # Matrices are small: on a busy machine, threads wait for one another longer than they work.
    with ONE_BLAS_THREAD:
        return _descend(objective, start, tolerance)


def _descend(objective: Objective, start: FloatArray, tolerance: float) -> FloatArray:
    weights = start
    value, gradient = objective.value_and_gradient(weights)
    for _ in range(_MOST_STEPS):
        size = float(np.linalg.norm(gradient))
        if size <= tolerance:
            return weights
        step = _newton_step(objective, weights, gradient, size)
        weights, value, gradient = _backtrack(objective, weights, value, gradient, step)
    raise DpcoreError(
        f"the optimisation stopped with a gradient of {size:.1e} above the tolerance "
        f"{tolerance:.1e}; raise the regularization"
    )


def _newton_step(
    objective: Objective, weights: FloatArray, gradient: FloatArray, size: float
) -> FloatArray:
    if weights.size <= _DENSE_PARAMETERS:
        step: FloatArray = -cho_solve(cho_factor(objective.hessian(weights)), gradient)
        return step
    operator = LinearOperator(
        (weights.size, weights.size), matvec=objective.curvature(weights), dtype=np.float64
    )
    # Solving loosely far from the minimum and tightly near it keeps the order of convergence.
    solution, _ = cg(operator, -gradient, rtol=min(0.1, size**0.5, 1.0), atol=0.0, maxiter=2000)
    return np.asarray(solution, dtype=np.float64)


def _backtrack(
    objective: Objective,
    weights: FloatArray,
    value: float,
    gradient: FloatArray,
    step: FloatArray,
) -> tuple[FloatArray, float, FloatArray]:
    slope = float(gradient @ step)
    rounding = _ROUNDING * max(1.0, abs(value))
    length = 1.0
    while True:
        moved = weights + length * step
        new_value, new_gradient = objective.value_and_gradient(moved)
        enough = value + _SUFFICIENT_DECREASE * length * slope + rounding
        if new_value <= enough or length < 2.0**-40:
            return moved, new_value, new_gradient
        length /= 2.0
