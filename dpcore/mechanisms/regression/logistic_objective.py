"""The functions that objective perturbation minimises: perturbed, regularised logistic losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import starmap
from typing import Any, Protocol

import numpy as np
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
from dpcore.mechanisms.regression.tables import Rows, Table, gram

# Rows of which a rough gradient is made at a time, while they are in the cache, and of which sums
# are made: those of few are off by little.
_ROUGH_ROWS, _ADDED_ROWS = 16_384, 2_048

# Powers of two are sooner known than those of e.
_BITS = math.log2(math.e)

# Residuals of exaggerated labels are at most 2 to the power of this.
_SPARE_BITS = 2


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
        return replace(self, regularization=self.regularization / of, tilt=self.tilt / of)

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
    def _pieces(self) -> list[tuple[Rows, FloatArray, list[tuple[slice, Any]]]]:
        """Rows, what to add to their chances, and fewer rows at a time turned round."""
        rows, labels = self.rows, -self.signs * (0.5 + self._beyond) - 0.5
        if not isinstance(rows, np.ndarray):
            # Turning a sparse matrix round takes half as long as the product.
            return [(rows, labels, [(slice(None), rows.T)])]
        starts = range(0, self.n_records, _ROUGH_ROWS)
        pieces = [(rows[at : at + _ROUGH_ROWS], labels[at : at + _ROUGH_ROWS]) for at in starts]
        places = [slice(at, at + _ADDED_ROWS) for at in range(0, _ROUGH_ROWS, _ADDED_ROWS)]
        return [(some, label, [(at, some[at].T) for at in places]) for some, label in pieces]

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
        sums, turned_round = np.zeros(weights.size), -_BITS * weights
        for rows, labels, turned in self._pieces:
            # The logistic function step by step: only a power is quick on every processor.
            residuals = _times(rows, turned_round)
            with np.errstate(over="ignore"):
                np.exp2(residuals, out=residuals)
            residuals += 1.0
            np.reciprocal(residuals, out=residuals)
            residuals += labels
            for some, columns in turned:
                sums += _times(columns, residuals[some])
        return sums + self.penalty.value_and_gradient(weights)[1]

    def roughness(self, weights: FloatArray) -> float:
        """How far the rough gradient is at most from the true one, in length; unknown if infinite.

        With u the unit roundoff and residuals at most 1 + g, a power has its score's error as a
        share, and four units in the last place more; a quarter of that reaches the chance at most.
        Weights are turned into bits with two roundings, of the factor and of the product. Adding 1
        and dividing cost 2 u, and the label u (1 + g).

        *A dense array* of p columns, whose entries are at most 1 in size: a score is off by
        (p + 2) u |w|_1, and a sum of m terms, in any order, by m u times their sizes. Terms are
        added within pieces, and pieces one by one. *A table*: see `Table`.
        """
        largest, rows = 1.0 + max(self.exaggeration), self.rows
        if isinstance(rows, Table):
            each = 0.25 * rows.score_units(weights) + 3.0 + largest
            units = rows.sum_units(each, largest)
        elif isinstance(rows, np.ndarray):
            width, added = weights.size, _ADDED_ROWS + self.n_records / _ADDED_ROWS + 4.0
            each = added * largest + 4.0 + (width + 2.0) * float(np.abs(weights).sum())
            units = math.sqrt(width) * self.n_records * each
        else:
            return math.inf
        # The hundredth is for products of roundings.
        return 1.01 * units * 2.0**-53

    def _record_curvature(self, weights: FloatArray) -> FloatArray:
        probability: FloatArray = expit(_times(self.rows, weights))
        return probability * (1.0 - probability)

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (p, p)."""
        least = self.penalty.regularization * np.eye(weights.size)
        return gram(self.rows, self._record_curvature(weights)) + least

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction."""
        scale = self._record_curvature(weights)

        def times(direction: FloatArray) -> FloatArray:
            moved = scale * _times(self.rows, direction)
            return _times(self.rows.T, moved) + self.penalty.regularization * direction

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
        sums = _times(self.rows.T, residuals).T.ravel()
        return np.asarray(sums + self.penalty.value_and_gradient(weights)[1], dtype=np.float64)

    def loss_sums(self, weights: FloatArray) -> LossSums:
        """The sums over the records, without the penalty."""
        vectors = weights.reshape(self.n_classes, -1).T
        chunks = [self._chunk(rows, self.classes[place], vectors) for place, rows in self._chunks]
        sums = row_sums((one for _, one in chunks), (self.rows.shape[1], self.n_classes))
        return LossSums([lost for lost, _ in chunks], sums)

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
        least = self.penalty.regularization * np.eye(weights.size)
        return blocks.reshape(least.shape) + least

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction."""
        probability: FloatArray = softmax(self._scores(weights), axis=1)

        def times(direction: FloatArray) -> FloatArray:
            moved = probability * self._scores(direction)
            moved -= probability * moved.sum(axis=1, keepdims=True)
            product = _times(self.rows.T, moved).T.ravel()
            return product + self.penalty.regularization * direction

        return times


def _times(rows: Any, vectors: FloatArray) -> FloatArray:
    return np.asarray(rows @ vectors, dtype=np.float64)
