"""The functions that objective perturbation minimises: perturbed, regularised logistic losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from scipy.special import expit, log_softmax, softmax

from dpcore._typing import FloatArray, IntArray
from dpcore.schema.matrix import Matrix


class Objective(Protocol):
    """A smooth function that is at least `regularization`-strongly convex."""

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient."""

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (parameters, parameters)."""

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction, without forming the matrix."""


@dataclass(frozen=True, kw_only=True)
class Penalty:
    """The part that reads no data: (regularization / 2) * |w - anchor|^2 + tilt . w.

    Parameters
    ----------
    regularization : float
        Positive.
    anchor, tilt : float array, shape (parameters,)
        Where the penalty is centred (public), and the noise vector (never released).
    """

    regularization: float
    anchor: FloatArray
    tilt: FloatArray

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The penalty and its gradient."""
        away = weights - self.anchor
        value = self.regularization / 2.0 * float(away @ away) + float(self.tilt @ weights)
        return value, self.regularization * away + self.tilt


@dataclass(frozen=True)
class BinaryObjective:
    """Sum of log(1 + exp(-sign x.w)) over the records, plus a penalty.

    Parameters
    ----------
    rows : ndarray or csr_array, shape (n, p)
    signs : float array, shape (n,)
        1 for the positive class, -1 for the other.
    penalty : Penalty
    """

    rows: Matrix
    signs: FloatArray
    penalty: Penalty

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient, shape (p,)."""
        margins = self.signs * _times(self.rows, weights)
        value, gradient = self.penalty.value_and_gradient(weights)
        value += float(np.logaddexp(0.0, -margins).sum())
        return value, gradient - _transposed(self.rows, self.signs * expit(-margins))

    def _record_curvature(self, weights: FloatArray) -> FloatArray:
        probability: FloatArray = expit(_times(self.rows, weights))
        return probability * (1.0 - probability)

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (p, p)."""
        matrix = _gram(self.rows, self._record_curvature(weights))
        matrix[np.diag_indices_from(matrix)] += self.penalty.regularization
        return matrix

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction."""
        scale = self._record_curvature(weights)

        def times(direction: FloatArray) -> FloatArray:
            moved = scale * _times(self.rows, direction)
            return _transposed(self.rows, moved) + self.penalty.regularization * direction

        return times


@dataclass(frozen=True)
class SoftmaxObjective:
    """Sum of -log softmax(W x)[class] over the records, plus a penalty.

    Parameters
    ----------
    rows : ndarray or csr_array, shape (n, p)
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.
    n_classes : int
        Two or more; W has shape (n_classes, p) and is handled flat, class after class.
    penalty : Penalty
    """

    rows: Matrix
    classes: IntArray
    n_classes: int
    penalty: Penalty

    def _scores(self, weights: FloatArray) -> FloatArray:
        return _times(self.rows, weights.reshape(self.n_classes, -1).T)

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient, shape (n_classes * p,)."""
        logs: FloatArray = log_softmax(self._scores(weights), axis=1)
        records = np.arange(self.classes.size)
        value, gradient = self.penalty.value_and_gradient(weights)
        value -= float(logs[records, self.classes].sum())
        residual = np.exp(logs)
        residual[records, self.classes] -= 1.0
        return value, gradient + _transposed(self.rows, residual).T.ravel()

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (n_classes * p, n_classes * p)."""
        probability = softmax(self._scores(weights), axis=1)
        p = self.rows.shape[1]
        blocks = np.zeros((self.n_classes, p, self.n_classes, p))
        for one in range(self.n_classes):
            for other in range(one, self.n_classes):
                scale = probability[:, one] * ((one == other) - probability[:, other])
                blocks[one, :, other, :] = _gram(self.rows, scale)
                blocks[other, :, one, :] = blocks[one, :, other, :]
        matrix = blocks.reshape(self.n_classes * p, self.n_classes * p)
        matrix[np.diag_indices_from(matrix)] += self.penalty.regularization
        return matrix

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction."""
        probability: FloatArray = softmax(self._scores(weights), axis=1)

        def times(direction: FloatArray) -> FloatArray:
            moved = probability * self._scores(direction)
            moved -= probability * moved.sum(axis=1, keepdims=True)
            product = _transposed(self.rows, moved).T.ravel()
            return product + self.penalty.regularization * direction

        return times


def _times(rows: Matrix, vectors: FloatArray) -> FloatArray:
    return np.asarray(cast(Any, rows) @ vectors, dtype=np.float64)


def _transposed(rows: Matrix, vectors: FloatArray) -> FloatArray:
    return np.asarray(cast(Any, rows).T @ vectors, dtype=np.float64)


def _gram(rows: Matrix, scale: FloatArray) -> FloatArray:
    """Rows transposed times diag(scale) times rows, dense, shape (p, p)."""
    if isinstance(rows, np.ndarray):
        return _transposed(rows, rows * scale[:, np.newaxis])
    weighted = rows.copy()
    weighted.data = rows.data * np.repeat(scale, np.diff(rows.indptr))
    return np.asarray((rows.T @ weighted).toarray(), dtype=np.float64)
