"""Minimise a smooth, strongly convex function until its gradient all but vanishes."""

from __future__ import annotations

import math
from itertools import count

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.linalg import LinearOperator, cg

from dpcore._typing import FloatArray
from dpcore.mechanisms.logistic_objective import Objective
from dpcore.mechanisms.one_blas_thread import ONE_BLAS_THREAD

# Up to this many parameters the matrix of second derivatives is formed and factored.
_DENSE_PARAMETERS = 600
# Steps whose length is searched for; later ones have the length that a theorem says will do.
_SEARCHED_STEPS = 100
# Full steps near the minimum: each leaves a sixth of the decrement or less.
_NEAR, _MOST_NEAR_STEPS = 0.25, 60
_SUFFICIENT_DECREASE = 1e-4
# Differences of function values below this share of the value are rounding.
_ROUNDING = 1e-13


def minimise(
    objective: Objective, start: FloatArray, *, tolerance: float, radius: float
) -> FloatArray:
    """Newton's method: searched steps, then damped ones, then full ones; it always converges.

    Parameters
    ----------
    objective : Objective
    start : float array, shape (parameters,)
    tolerance : float
        Largest Newton decrement, the length of the gradient in the norm of the inverse of the
        second derivatives. Unlike the plain length it is within reach for any number of records.
    radius : float
        R, the largest length of a row.

    Returns
    -------
    float array, shape (parameters,)
        One Newton step past a point whose decrement is within the tolerance, hence far within it.
        If arithmetic is too rough for that, `start`: no error, which would tell of the records, is
        raised.

    Notes
    -----
    Let L be the strong convexity, M = sqrt(2) R the constant by which second derivatives change
    (see `SolverGap`), z the decrement, s a step and d = M |s| <= y = M z / sqrt(L).

    *Far*, y > 1/4: a step of length log(1 + d) / d lowers the function by at least
    z^2 ((1 + d) log(1 + d) - d) / d^2 >= 0.028 L / M^2 (Sun and Tran-Dinh, for nu = 2).
    The function is bounded below, so there are finitely many of these, whatever the records. A
    hundred steps found by backtracking come first: they are longer, and always enough in practice.

    *Near*, y <= 1/4: a full step multiplies the decrement by e^(d/2) (e^d - 1 - d) / d < 1/6.

    References
    ----------
    T. Sun, Q. Tran-Dinh (2019), Generalized self-concordant functions, Mathematical Programming
    178. doi:10.1007/s10107-018-1282-4

    Examples
    --------
    >>> from dpcore.mechanisms.logistic_objective import BinaryObjective, Penalty
    >>> still = Penalty(regularization=1.0, anchor=np.zeros(1), tilt=np.zeros(1))
    >>> objective = BinaryObjective(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), still)
    >>> found = minimise(objective, np.array([3.0]), tolerance=1e-9, radius=1.0)
    >>> bool(abs(found[0]) < 1e-9)
    True
    """
    # Matrices are small: on a busy machine, threads wait for one another longer than they work.
    with ONE_BLAS_THREAD:
        return _descend(objective, start, tolerance, math.sqrt(2.0) * radius)


def _descend(
    objective: Objective, start: FloatArray, tolerance: float, change: float
) -> FloatArray:
    weights, near_steps = start, 0
    value, gradient = objective.value_and_gradient(weights)
    for number in count():
        searched = number < _SEARCHED_STEPS
        step, product = _newton_step(objective, weights, gradient, loosely=searched)
        decrement = _decrement(objective, gradient, step, product)
        if decrement <= tolerance:
            return weights + step
        if near_steps == _MOST_NEAR_STEPS:
            break
        if change * decrement <= _NEAR * math.sqrt(objective.penalty.regularization):
            near_steps += 1
            weights = weights + step
            value, gradient = objective.value_and_gradient(weights)
        elif searched:
            weights, value, gradient = _backtrack(objective, weights, value, gradient, step)
        else:
            stretch = change * float(np.linalg.norm(step))
            weights = weights + math.log1p(stretch) / stretch * step
            value, gradient = objective.value_and_gradient(weights)
    return start


def _newton_step(
    objective: Objective, weights: FloatArray, gradient: FloatArray, *, loosely: bool
) -> tuple[FloatArray, FloatArray]:
    """The step, and the second derivatives times it."""
    if weights.size <= _DENSE_PARAMETERS:
        matrix = objective.hessian(weights)
        try:
            step: FloatArray = -cho_solve(cho_factor(matrix), gradient)
            return step, matrix @ step
        except LinAlgError:
            # Positive definite but for rounding: conjugate gradients need no factors.
            pass
    times = objective.curvature(weights)
    operator = LinearOperator((weights.size, weights.size), matvec=times, dtype=np.float64)
    # Solving loosely far from the minimum and tightly near it keeps the order of convergence.
    loose = min(0.1, float(np.linalg.norm(gradient)) ** 0.5) if loosely else 1e-12
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
