"""The functions that objective perturbation minimises: perturbed, regularised logistic losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any, Protocol, cast

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit, softmax

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.regression.exact_products import (
    Residuals,
    added_sums,
    chunks_of,
    collapse,
    row_sums,
    row_times,
)
from dpcore.mechanisms.regression.tables import Rows, Table
from dpcore.schema.space import SparseMatrix

# A product reads its right side many times, a sparse one once per column of the left: out of the
# cache if the rows are cut into pieces of so many, else from memory. A dense product is the faster
# one where more than this share of the entries is not zero.
_CACHED_ROWS, _DENSE_ROWS, _DENSE_SHARE = 8_192, 1_024, 0.1

# Residuals of exaggerated labels are at most 2 to the power of this.
_SPARE_BITS = 2


def gram(rows: Rows, scale: FloatArray) -> FloatArray:
    """Rows transposed times diag(scale) times rows, dense, shape (p, p).

    Parameters
    ----------
    rows : ndarray, csr_array or Table, shape (n, p)
    scale : float array, shape (n,)

    Examples
    --------
    >>> gram(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([0.5, 1.0])).round(6).tolist()
    [[0.5, 1.0], [1.0, 3.0]]
    """
    if isinstance(rows, Table):
        return rows.gram(scale)
    total, stored = np.zeros((rows.shape[1], rows.shape[1])), not isinstance(rows, np.ndarray)
    sparse = stored and rows.size <= _DENSE_SHARE * rows.shape[0] * rows.shape[1]
    # A matrix times itself, of which half is computed, unless something would have no root.
    roots = None if sparse or scale.min(initial=0.0) < 0.0 else np.sqrt(scale)
    step = _CACHED_ROWS if sparse else _DENSE_ROWS
    for start in range(0, rows.shape[0], step):
        some = slice(start, start + step)
        if sparse:
            total += _sparse_gram(cast(SparseMatrix, rows), scale, some)
            continue
        piece = cast(Any, rows)[some].toarray() if stored else cast(FloatArray, rows)[some]
        if roots is None:
            total += piece.T @ (piece * scale[some, np.newaxis])
        else:
            piece = piece * roots[some, np.newaxis]
            total += piece.T @ piece
    return total


def _sparse_gram(rows: SparseMatrix, scale: FloatArray, some: slice) -> FloatArray:
    """The product of some of the rows, none of which is copied."""
    ends = rows.indptr[some.start : some.stop + 1]
    entries, columns = rows.data[ends[0] : ends[-1]], rows.indices[ends[0] : ends[-1]]
    weighted = entries * np.repeat(scale[some], np.diff(ends))
    shape = ends.size - 1, rows.shape[1]
    piece = csr_array((entries, columns, ends - ends[0]), shape=shape)
    product = piece.T @ csr_array((weighted, columns, ends - ends[0]), shape=shape)
    return np.asarray(product.toarray(), dtype=np.float64)


class Objective(Protocol):
    """A smooth function that is at least `penalty.regularization`-strongly convex."""

    @property
    def penalty(self) -> Penalty:
        """Its part that reads no data."""

    @property
    def n_records(self) -> int:
        """Number of records."""

    def sampled(self, stride: int) -> Objective:
        """Every so many-th record, and its share of the penalty."""

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient."""

    def expansion(self, weights: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The function, its gradient and the matrix of second derivatives."""

    def rough_gradient(self, weights: FloatArray) -> FloatArray | None:
        """The gradient as doubles give it, at a fraction of the time; None where a pass is dear."""

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (parameters, parameters)."""

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction, without forming the matrix."""


@dataclass(frozen=True, kw_only=True)
class Penalty:
    """The part that reads no data: (regularization / 2) * |w - anchor|^2 + tilt . w.

    Parameters
    ----------
    regularization
        Positive; 0 in `none` only.
    anchor, tilt : float array, shape (parameters,)
        Where the penalty is centred (public), and the noise vector (never released).
    """

    regularization: float
    anchor: FloatArray
    tilt: FloatArray

    @classmethod
    def none(cls, size: int) -> Penalty:
        """No penalty, for some of the records, whose sums are added to those of the others."""
        return cls(regularization=0.0, anchor=np.zeros(size), tilt=np.zeros(size))

    def share(self, of: int) -> Penalty:
        """The penalty divided by a number."""
        return Penalty(
            regularization=self.regularization / of, anchor=self.anchor, tilt=self.tilt / of
        )

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The penalty and its gradient."""
        away = weights - self.anchor
        value = self.regularization / 2.0 * float(away @ away) + float(self.tilt @ weights)
        return value, self.regularization * away + self.tilt


@dataclass(frozen=True)
class LossSums:
    """Losses and gradients of some records.

    Parameters
    ----------
    losses
        To be added in this order.
    gradients : float array, shape (2 * slices, p, k)
        As `row_sums` has them, one column per weight vector.
    """

    losses: list[float]
    gradients: FloatArray

    def __add__(self, other: LossSums) -> LossSums:
        return LossSums(self.losses + other.losses, added_sums([self.gradients, other.gradients]))

    def with_penalty(self, penalty: Penalty, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient, shape (k * p,), from the sums over all records."""
        value, gradient = penalty.value_and_gradient(weights)
        for lost in self.losses:
            value += lost
        matrix = gradient.reshape(self.gradients.shape[-1], -1).T
        return value, collapse([*self.gradients, matrix]).T.ravel()


@dataclass(frozen=True)
class BinaryObjective:
    """Sum of log(1 + exp(-sign x.w)) - g sign x.w over the records, plus a penalty.

    The gradient does not lose bits as records get many (`exact_products`): margins and sums are
    exact, and each record's residual is a whole number plus a rest q <= 1/2 that is right to a few
    units in the last place of q, however small q is. `SolverGap` relies on it.

    Parameters
    ----------
    rows : ndarray, csr_array or Table, shape (n, p)
        On the grid of `on_grid`; other rows cost exactness, nothing else.
    signs : float array, shape (n,)
        1 for the positive class, -1 for the other.
    exaggeration : tuple of float, default (0, 0)
        g of the other class and of the positive one: sixteenths, up to 3, so that residuals stay
        exact.
    """

    rows: Rows
    signs: FloatArray
    penalty: Penalty
    exaggeration: tuple[float, float] = (0.0, 0.0)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.signs.size

    @cached_property
    def _beyond(self) -> FloatArray:
        if not any(self.exaggeration):
            return np.broadcast_to(0.0, self.signs.shape)
        return np.where(self.signs > 0.0, self.exaggeration[1], self.exaggeration[0])

    @cached_property
    def _at_zero(self) -> FloatArray:
        """Residuals where scores are zero."""
        return -self.signs * (0.5 + self._beyond)

    @cached_property
    def _turned(self) -> Any:
        # Turning a sparse matrix round takes half as long as the product.
        return self.rows.T

    def sampled(self, stride: int) -> BinaryObjective:
        """Every so many-th record, and its share of the penalty."""
        rows, signs = self.rows[::stride], self.signs[::stride]
        # In one piece: a product with rows that are not is none of BLAS.
        rows = np.asfortranarray(rows) if isinstance(rows, np.ndarray) else rows
        return BinaryObjective(rows, signs, self.penalty.share(stride), self.exaggeration)

    def expansion(self, weights: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The function, its gradient and the matrix of second derivatives."""
        return *self.value_and_gradient(weights), self.hessian(weights)

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient, shape (p,)."""
        return self.loss_sums(weights).with_penalty(self.penalty, weights)

    def loss_sums(self, weights: FloatArray) -> LossSums:
        """The sums over the records, without the penalty."""
        losses: list[float] = []

        def residuals(place: slice, rows: Rows) -> Residuals:
            signs = self.signs[place, np.newaxis]
            margins = signs * collapse(row_times(rows, weights[:, np.newaxis]))
            odds, wrong = np.exp(-np.abs(margins)), margins < 0.0
            beyond = self._beyond[place, np.newaxis]
            lost = np.log1p(odds) + np.maximum(-margins, 0.0) - beyond * margins
            losses.append(float(lost.sum()))
            rest = np.where(wrong, signs, -signs) * (odds / (1.0 + odds))
            return Residuals(rows, -signs * (wrong + beyond), rest)

        spare = _SPARE_BITS if any(self.exaggeration) else 0
        # Added as they come, while they are in the cache.
        sums = row_sums(starmap(residuals, self._chunks), (weights.size, 1), spare=spare)
        return LossSums(losses, sums)

    @cached_property
    def _chunks(self) -> list[tuple[slice, Rows]]:
        return chunks_of(self.rows)

    def rough_gradient(self, weights: FloatArray) -> FloatArray:
        """The gradient as doubles give it."""
        # The logistic function, which takes four times as long by its own name.
        residuals = _times(self.rows, 0.5 * weights)
        np.tanh(residuals, out=residuals)
        residuals *= 0.5
        residuals += self._at_zero
        return _times(self._turned, residuals) + self.penalty.value_and_gradient(weights)[1]

    def _record_curvature(self, weights: FloatArray) -> FloatArray:
        probability: FloatArray = expit(_times(self.rows, weights))
        return probability * (1.0 - probability)

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (p, p)."""
        matrix = gram(self.rows, self._record_curvature(weights))
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
    rows : ndarray, csr_array or Table, shape (n, p)
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.
    n_classes
        Two or more; W has shape (n_classes, p) and is handled flat, class after class.
    """

    rows: Rows
    classes: IntArray
    n_classes: int
    penalty: Penalty

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.classes.size

    def sampled(self, stride: int) -> SoftmaxObjective:
        """Every so many-th record, and its share of the penalty."""
        rows, classes = self.rows[::stride], self.classes[::stride]
        return SoftmaxObjective(rows, classes, self.n_classes, self.penalty.share(stride))

    def expansion(self, weights: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The function, its gradient and the matrix of second derivatives."""
        return *self.value_and_gradient(weights), self.hessian(weights)

    def _scores(self, weights: FloatArray) -> FloatArray:
        return _times(self.rows, weights.reshape(self.n_classes, -1).T)

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient, shape (n_classes * p,)."""
        return self.loss_sums(weights).with_penalty(self.penalty, weights)

    def rough_gradient(self, weights: FloatArray) -> FloatArray:
        """The gradient as doubles give it."""
        residuals = softmax(self._scores(weights), axis=1)
        residuals[np.arange(self.classes.size), self.classes] -= 1.0
        sums = _transposed(self.rows, residuals).T.ravel()
        return np.asarray(sums + self.penalty.value_and_gradient(weights)[1], dtype=np.float64)

    def loss_sums(self, weights: FloatArray) -> LossSums:
        """The sums over the records, without the penalty."""
        vectors = weights.reshape(self.n_classes, -1).T
        losses, residuals = [], []
        for place, rows in self._chunks:
            lost, residual = self._chunk(rows, self.classes[place], vectors)
            losses.append(lost)
            residuals.append(residual)
        return LossSums(losses, row_sums(residuals, (self.rows.shape[1], self.n_classes)))

    @staticmethod
    def _chunk(rows: Rows, classes: IntArray, vectors: FloatArray) -> tuple[float, Residuals]:
        """Loss and residuals of one chunk, relative to each record's likeliest class (pivot)."""
        scores, records = row_times(rows, vectors), np.arange(classes.size)
        pivot = scores.sum(axis=0).argmax(axis=1)
        # Differences are taken before anything is rounded, so that large scores lose nothing.
        below = collapse(scores - scores[:, records, pivot][:, :, np.newaxis])
        odds = np.exp(below)
        total = odds.sum(axis=1)
        lost = float(np.log(total).sum() - below[records, classes].sum())
        probability = odds / total[:, np.newaxis]
        probability[records, pivot] = 0.0
        whole = np.zeros_like(probability)
        whole[records, pivot] = 1.0
        whole[records, classes] -= 1.0
        return lost, Residuals(rows, whole, probability, pivot)

    @cached_property
    def _chunks(self) -> list[tuple[slice, Rows]]:
        return chunks_of(self.rows)

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (n_classes * p, n_classes * p)."""
        probability = softmax(self._scores(weights), axis=1)
        p = self.rows.shape[1]
        blocks = np.zeros((self.n_classes, p, self.n_classes, p))
        for one in range(self.n_classes):
            for other in range(one, self.n_classes):
                scale = probability[:, one] * ((one == other) - probability[:, other])
                blocks[one, :, other, :] = gram(self.rows, scale)
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


def _times(rows: Rows, vectors: FloatArray) -> FloatArray:
    return np.asarray(cast(Any, rows) @ vectors, dtype=np.float64)


def _transposed(rows: Rows, vectors: FloatArray) -> FloatArray:
    return np.asarray(cast(Any, rows).T @ vectors, dtype=np.float64)
