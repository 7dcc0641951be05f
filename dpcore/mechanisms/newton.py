"""Minimise a smooth, strongly convex function until its gradient all but vanishes."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.linalg import LinearOperator, cg

from dpcore._typing import FloatArray
from dpcore.mechanisms.logistic_objective import Objective
from dpcore.mechanisms.one_blas_thread import ONE_BLAS_THREAD

# Up to this many parameters the matrix of second derivatives is formed and factored.
_DENSE_PARAMETERS = 600
_MOST_STEPS = 100
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
        Largest Newton decrement, the length of the gradient in the norm of the inverse of the
        second derivatives. Unlike the plain length it is within reach for any number of records.

    Returns
    -------
    float array, shape (parameters,)
        One Newton step past a point whose decrement is within the tolerance, hence far within it.
        If no such point was found, `start`: no error, which would tell of the records, is raised.

    References
    ----------
    S. Boyd, L. Vandenberghe (2004), Convex optimization, Section 9.5.

    Examples
    --------
    >>> from dpcore.mechanisms.logistic_objective import BinaryObjective, Penalty
    >>> still = Penalty(regularization=1.0, anchor=np.zeros(1), tilt=np.zeros(1))
    >>> objective = BinaryObjective(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), still)
    >>> bool(abs(minimise(objective, np.array([3.0]), tolerance=1e-9)[0]) < 1e-9)
    True
    """
    # Matrices are small: on a busy machine, threads wait for one another longer than they work.
    with ONE_BLAS_THREAD:
        return _descend(objective, start, tolerance)


def _descend(objective: Objective, start: FloatArray, tolerance: float) -> FloatArray:
    weights = start
    value, gradient = objective.value_and_gradient(weights)
    for _ in range(_MOST_STEPS):
        try:
            step, product = _newton_step(objective, weights, gradient)
        except LinAlgError:
            break
        if _decrement(objective, gradient, step, product) <= tolerance:
            return weights + step
        weights, value, gradient = _backtrack(objective, weights, value, gradient, step)
    return start


def _newton_step(
    objective: Objective, weights: FloatArray, gradient: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The step, and the second derivatives times it."""
    if weights.size <= _DENSE_PARAMETERS:
        matrix = objective.hessian(weights)
        step: FloatArray = -cho_solve(cho_factor(matrix), gradient)
        return step, matrix @ step
    times = objective.curvature(weights)
    operator = LinearOperator((weights.size, weights.size), matvec=times, dtype=np.float64)
    # Solving loosely far from the minimum and tightly near it keeps the order of convergence.
    loose = min(0.1, float(np.linalg.norm(gradient)) ** 0.5)
    solution, _ = cg(operator, -gradient, rtol=loose, atol=0.0, maxiter=2000)
    return solution, times(solution)


def _decrement(
    objective: Objective, gradient: FloatArray, step: FloatArray, product: FloatArray
) -> float:
    """At least the Newton decrement, however roughly the step was solved for.

    The gradient is minus the product plus a remainder. The decrement of the first is the length of
    the step in the norm of the second derivatives, that of the second at most its plain length over
    the root of their least eigenvalue.
    """
    remainder = float(np.linalg.norm(gradient + product))
    length = float(np.sqrt(max(float(step @ product), 0.0)))
    return length + remainder / float(np.sqrt(objective.penalty.regularization))


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
