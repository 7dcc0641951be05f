"""Minimise a smooth, strongly convex function until its gradient all but vanishes."""

import math
import threading
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, TypeVar, cast

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.linalg import LinearOperator, cg

from dpcore._typing import FloatArray
from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD
from dpcore.mechanisms.regression.logistic_objective import BinaryObjective, Objective, Penalty

Found = TypeVar("Found")

# Up to this many parameters the matrix of second derivatives is formed and factored.
_DENSE_PARAMETERS = 600

# Steps whose length is searched for; later ones have the length that a theorem says will do.
_SEARCHED_STEPS = 100

# Full steps near the minimum: each leaves a sixth of the decrement or less.
_NEAR, _MOST_NEAR_STEPS = 0.25, 60

_SUFFICIENT_DECREASE = 1e-4

# Second derivatives are used again where they can have changed by this share at most.
_STILL = 0.01

# The first steps are taken on every so many-th record, if these are so many per parameter; there
# the gradient is short enough at this share of the root of how many records the sample has.
_SAMPLED_FROM, _RECORDS_PER_PARAMETER, _OF_ITS_ERROR = 16, 5, 0.1

# So many records per parameter of the sample have the second derivatives of all, near enough.
_ALIKE = 200

# Steps over all records with the second derivatives of one point, of every so many-th record; so
# many steps in a row must shorten the gradient by this factor, and how many of the last ones
# correct these derivatives.
_POLISHING_STEPS, _CURVED_FROM, _IN_A_ROW, _SHORTER, _REMEMBERED = 40, 4, 4, 0.7, 12

# Differences of function values below this share of the value are rounding.
_ROUNDING = 1e-13

# Records per unit of the penalty's weight from which on objectives of the same records have much in
# common: weights move little from one tilt to another.
_IN_COMMON, _ROUGHLY = 1_000.0, 1e-3

# A gradient may be so much longer in one of many simulations: what that moves weights by is less
# than the noise that hides the gap of a release, and no proof rests on it.
_OF_MANY = 1_000.0


class Common:
    """What the objectives of the same records have in common, found once, by who asks first.

    By the weight of their penalty it is where a search starts whatever the tilt, and the factors of
    the second derivatives there; by weight and anchor, the minimiser without a tilt.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._found: dict[Hashable, Any] = {}

    def of(self, name: Hashable, find: Callable[[], Found]) -> Found:
        """What was found under that name, or is now."""
        with self._lock:
            if name not in self._found:
                self._found[name] = find()
            return cast(Found, self._found[name])


def minimise(
    objective: Objective,
    start: FloatArray,
    *,
    tolerance: float,
    radius: float,
    common: Common | None = None,
) -> FloatArray:
    """Newton's method: searched steps, then damped ones, then full ones; it always converges.

    The search starts where a sample of the records has its minimum, if there are many, and goes on
    from there with rough gradients and the second derivatives of one point as far as it gets.

    Parameters
    ----------
    start : float array, shape (parameters,)
    tolerance
        Largest Newton decrement, the length of the gradient in the norm of the inverse of the
        second derivatives. Unlike the plain length it is within reach for any number of records.
    radius
        R, the largest length of a row.
    common
        For one of many simulations of the same records. Where these are many, it stops at a longer
        gradient (`_OF_MANY`).

    Returns
    -------
    float array, shape (parameters,)
        One Newton step past a point whose decrement is within the tolerance, hence far within it;
        or a point whose plain gradient is so short that its decrement is within the tolerance.
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

    Second derivatives of a point that is steps of lengths d_1, d_2, ... back, with r = d_1 + d_2 +
    ... <= 0.01, are within a factor of e^r of those here: a decrement measured by them is at least
    the true one when it is multiplied by e^(r/2), and a step that they give leaves another e^r - 1
    of the decrement. Where the search starts does not matter to any of this.

    References
    ----------
    T. Sun, Q. Tran-Dinh (2019), Generalized self-concordant functions, Mathematical Programming
    178. doi:10.1007/s10107-018-1282-4

    Examples
    --------
    >>> from dpcore.mechanisms.regression.logistic_objective import BinaryObjective, Penalty
    >>> still = Penalty(regularization=1.0, anchor=np.zeros(1), tilt=np.zeros(1))
    >>> objective = BinaryObjective(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), still)
    >>> found = minimise(objective, np.array([3.0]), tolerance=1e-9, radius=1.0)
    >>> bool(abs(found[0]) < 1e-9)
    True
    """
    # Matrices are small: on a busy machine, threads wait for one another longer than they work.
    with ONE_BLAS_THREAD:
        change = math.sqrt(2.0) * radius
        near, factors = _in_common(objective, start, change, common)
        if near is not start:
            enough = tolerance * math.sqrt(objective.penalty.regularization)
            enough *= 1.0 if common is None else _OF_MANY
            near, short = _polished(objective, near, enough, factors)
            if short and (common is not None or _is_short(objective, near, enough)):
                return near
        found = _descend(objective, near, tolerance, change)
    return start if found is None else found


@dataclass(frozen=True)
class _Point:
    """What is known at some weights.

    `matrix` holds the second derivatives, if they are known here (`drift` 0) or were where they can
    have changed by a factor of e^drift at most since.
    """

    weights: FloatArray
    value: float
    gradient: FloatArray
    matrix: FloatArray | None = None
    drift: float = 0.0


def _look(objective: Objective, weights: FloatArray) -> _Point:
    if weights.size > _DENSE_PARAMETERS:
        return _Point(weights, *objective.value_and_gradient(weights))
    return _Point(weights, *objective.expansion(weights))


def _is_short(objective: Objective, weights: FloatArray, enough: float) -> bool:
    """Whether the true gradient surely is, where the rough one is half as long as it may be."""
    known = isinstance(objective, BinaryObjective) and objective.roughness(weights) <= 0.5 * enough
    return known or bool(np.linalg.norm(objective.value_and_gradient(weights)[1]) <= enough)


def _head_start(objective: Objective, start: FloatArray, change: float) -> tuple[FloatArray, Any]:
    """The minimiser for a sample, roughly, which is where few steps are left for all records.

    With the factors of second derivatives there, if there are enough records in the sample.
    """
    if objective.n_records < _SAMPLED_FROM * _RECORDS_PER_PARAMETER * start.size:
        return start, None
    sample = objective.sampled(_SAMPLED_FROM)
    if start.size <= _DENSE_PARAMETERS:
        # Another sample would have another gradient, by far more than this.
        enough = _OF_ITS_ERROR * math.sqrt(sample.n_records)
        found, short = _polished(sample, start, enough, _factors(sample.hessian(start)))
        if short:
            alike = sample.n_records >= _ALIKE * start.size
            return found, _factors(_SAMPLED_FROM * sample.hessian(found)) if alike else None
    near = _NEAR * math.sqrt(sample.penalty.regularization) / change
    descended = _descend(sample, start, near, change)
    return start if descended is None else descended, None


def _in_common(
    objective: Objective, start: FloatArray, change: float, common: Common | None
) -> tuple[FloatArray, Any]:
    """A head start, and factors of the second derivatives if there are any.

    Both are of the objective without tilt and anchor, so they are the same for whoever asks first.
    """
    weight, size = objective.penalty.regularization, start.size
    alone = objective.n_records < _IN_COMMON * weight or size > _DENSE_PARAMETERS
    if common is None or alone:
        return _head_start(objective, start, change)

    def find() -> tuple[FloatArray, Any]:
        penalty = replace(Penalty.none(size), regularization=weight)
        plain = replace(cast(Any, objective), penalty=penalty)
        enough = _ROUGHLY * math.sqrt(weight)
        first, factors = _head_start(plain, np.zeros(size), change)
        near, _ = _polished(plain, first, enough, factors)
        return near, _factors(plain.hessian(near))

    return common.of(weight, find)


def _factors(matrix: FloatArray) -> Any:
    """Of Cholesky; None if rounding leaves it less than positive definite."""
    try:
        return cho_factor(matrix)
    except LinAlgError:
        return None


def _polished(
    objective: Objective, start: FloatArray, enough: float, factors: Any = None
) -> tuple[FloatArray, bool]:
    """A better start, and whether the gradient is short enough there, as doubles give it.

    Second derivatives, unless their factors are given, are asked for once, of a sample, and
    corrected by how gradients change (limited-memory BFGS).
    """
    gradient = objective.rough_gradient(start) if start.size <= _DENSE_PARAMETERS else None
    if gradient is None:
        return start, False
    if factors is None:
        factors = _factors(_CURVED_FROM * objective.sampled(_CURVED_FROM).hessian(start))
    if factors is None:
        return start, False
    here, moves = start, deque[tuple[FloatArray, FloatArray, float]](maxlen=_REMEMBERED)
    lengths = list[float]()
    for number in range(_POLISHING_STEPS):
        lengths.append(float(np.linalg.norm(gradient)))
        # The exact gradient is a little other than this one.
        if lengths[-1] <= 0.5 * enough:
            break
        # The first step may go too far, and the next ones mend that.
        if number >= _IN_A_ROW and not lengths[-1] <= _SHORTER * lengths[-1 - _IN_A_ROW]:
            break
        step = -_corrected(gradient, factors, moves)
        there = objective.rough_gradient(here + step)
        if there is None:
            break
        change, least = there - gradient, objective.penalty.regularization
        # As strong convexity says, unless gradients are rounding alone: nothing may divide by that.
        if not step @ change >= 0.5 * least * (step @ step):
            break
        moves.append((step, change, float(step @ change)))
        here, gradient = here + step, there
    if not lengths[-1] <= lengths[0]:
        return start, False
    return here, lengths[-1] <= 0.5 * enough


def _corrected(
    gradient: FloatArray, factors: Any, moves: Sequence[tuple[FloatArray, FloatArray, float]]
) -> FloatArray:
    """The inverse of second derivatives times a gradient, as steps and changes correct it."""
    rest, shares = gradient, []
    for step, change, product in reversed(moves):
        shares.append(float(step @ rest) / product)
        rest = rest - shares[-1] * change
    found: FloatArray = cho_solve(factors, rest, check_finite=False)
    for (step, change, product), share in zip(moves, reversed(shares), strict=True):
        found = found + (share - float(change @ found) / product) * step
    return found


def _descend(
    objective: Objective, start: FloatArray, tolerance: float, change: float
) -> FloatArray | None:
    """Step until the decrement is within the tolerance; None if that does not happen."""
    here, near_steps = _look(objective, start), 0
    for number in count():
        searched = number < _SEARCHED_STEPS
        step, product = _newton_step(
            objective, here.weights, here.gradient, here.matrix, loosely=searched
        )
        decrement = _decrement(objective, here.gradient, step, product) * math.exp(here.drift / 2)
        if decrement <= tolerance:
            return here.weights + step
        if near_steps == _MOST_NEAR_STEPS:
            break
        stretch = change * float(np.linalg.norm(step))
        if change * decrement <= _NEAR * math.sqrt(objective.penalty.regularization):
            near_steps += 1
            here = _full_step(objective, here, step, stretch)
        elif searched:
            here = _backtrack(objective, here, step)
        else:
            here = _look(objective, here.weights + math.log1p(stretch) / stretch * step)
    return None


def _full_step(objective: Objective, here: _Point, step: FloatArray, stretch: float) -> _Point:
    """Go there, and take the second derivatives along if they hardly change on the way."""
    moved, drift = here.weights + step, here.drift + stretch
    if here.matrix is None or drift > _STILL:
        return _look(objective, moved)
    return _Point(moved, *objective.value_and_gradient(moved), here.matrix, drift)


def _newton_step(
    objective: Objective,
    weights: FloatArray,
    gradient: FloatArray,
    matrix: FloatArray | None = None,
    *,
    loosely: bool,
) -> tuple[FloatArray, FloatArray]:
    """The step, and the second derivatives times it."""
    if weights.size <= _DENSE_PARAMETERS:
        matrix = objective.hessian(weights) if matrix is None else matrix
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


def _backtrack(objective: Objective, here: _Point, step: FloatArray) -> _Point:
    slope = float(here.gradient @ step)
    rounding = _ROUNDING * max(1.0, abs(here.value))
    # The whole step will do as a rule: the second derivatives are asked for at once.
    there, length = _look(objective, here.weights + step), 1.0
    while True:
        enough = here.value + _SUFFICIENT_DECREASE * length * slope + rounding
        if there.value <= enough or length < 2.0**-40:
            return there
        length /= 2.0
        moved = here.weights + length * step
        there = _Point(moved, *objective.value_and_gradient(moved))
