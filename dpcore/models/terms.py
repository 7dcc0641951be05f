"""Terms of an additive model: what each attribute adds to the log-odds of a class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, cast, get_type_hints

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.exported import as_plain, read_as
from dpcore.schema.space import SparseMatrix


@dataclass(frozen=True)
class Term(ABC):
    """One summand: released numbers, and what they say about a record."""

    kind: ClassVar[str]

    @abstractmethod
    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores).

        Bit for bit a function of the record alone: neither its place nor the number of other
        records may show, because scores are cut into cells whose counts are released.
        """

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types, with the term's kind; None is left out."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        told = {name: value for name, value in told.items() if value is not None}
        return {"kind": self.kind, **as_plain(told)}

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_plain` wrote."""
        types = get_type_hints(cls)
        held = [one.name for one in fields(cls) if one.name in document]
        return cls(**{name: read_as(types[name], document[name]) for name in held})


def fixed_order_product(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The matrix product of values and transposed weights, shape (n, scores), without BLAS.

    BLAS picks its kernel by the shapes, so the last bit of one row's result can depend on how many
    other rows there are. A score near the edge of a histogram cell would then change its cell when
    a record is added elsewhere, and all records at once with it. Here each row is multiplied and
    added entry by entry, feature after feature, whatever the other rows are.

    Parameters
    ----------
    values : float array, shape (n, p)
    weights : float array, shape (scores, p)

    Examples
    --------
    >>> fixed_order_product(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[11.0, 2.0]]
    """
    # One feature after the other lies side by side in memory, so that each step is a long vector.
    columns = np.ascontiguousarray(values.T)
    totals = np.zeros((weights.shape[0], values.shape[0]))
    for column, per_score in zip(columns, weights.T, strict=True):
        for total, weight in zip(totals, per_score, strict=True):
            total += column * weight
    return np.ascontiguousarray(totals.T)


def fixed_order_sum(columns: FloatArray) -> FloatArray:
    """Sum of each row, shape (n,), adding column after column; columns of shape (n, p).

    Examples
    --------
    >>> fixed_order_sum(np.array([[1.0, 2.0, 4.0], [0.5, 0.0, 0.5]])).tolist()
    [7.0, 1.0]
    """
    total = np.zeros(columns.shape[0])
    for column in columns.T:
        total += column
    return total


@dataclass(frozen=True)
class BagTerm(Term):
    """The mean weight of a text's words, and a weight for how many they are.

    Parameters
    ----------
    start, stop
        The words, among the indicators.
    least
        A text of fewer words counts as one of so many.
    weights : float array, shape (scores, words)
    length_weights : float array, shape (scores,)
        For the length from 0 to 1, which a text of 2 * least words has (`lengths`).
    """

    kind: ClassVar[str] = "bag"
    start: int
    stop: int
    least: int
    weights: FloatArray
    length_weights: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        # A sparse product adds the weights row by row, in the order of the columns: no BLAS.
        shares = text_shares(self._words(rows), self.least)
        means = np.asarray(cast(Any, shares) @ self.weights.T, dtype=np.float64)
        return means + self.lengths(rows)[:, np.newaxis] * self.length_weights

    def lengths(self, rows: BoundedRows) -> FloatArray:
        """Numbers of words over 2 * least, at most 1, shape (n,)."""
        return np.minimum(np.diff(self._words(rows).indptr) / (2.0 * self.least), 1.0)

    def _words(self, rows: BoundedRows) -> SparseMatrix:
        return rows.indicators[:, self.start : self.stop]


def text_shares(words: SparseMatrix, least: int) -> SparseMatrix:
    """Each word's share of its text, which counts as one of `least` words or more.

    The shares of a text add up to 1 or less, and their squares to 1 / least or less.

    Parameters
    ----------
    words : csr_array, shape (n, words)
        Zeros and ones.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> text_shares(csr_array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]), 2).toarray()[0].tolist()
    [0.5, 0.5, 0.0]
    """
    shares = words.copy()
    counts = np.diff(words.indptr)
    shares.data = np.repeat(1.0 / np.maximum(counts, least), counts)
    return shares


@dataclass(frozen=True)
class CellsTerm(Term):
    """For each numeric feature, the weight of the cell that the value lies in.

    Parameters
    ----------
    edges
        One per numeric feature, in its own units.
    weights : tuple of float arrays, each of shape (scores, cells)
    """

    kind: ClassVar[str] = "cells"
    edges: tuple[FloatArray, ...]
    weights: tuple[FloatArray, ...]

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        total = np.zeros((rows.n_rows, self.weights[0].shape[0]))
        for cells, weights in zip(rows.cells(self.edges), self.weights, strict=True):
            total += weights.T.take(cells, axis=0)
        return total


@dataclass(frozen=True)
class GaussianTerm(Term):
    """Log-densities of the numeric features, each mapped from its bounds to [-1, 1].

    Parameters
    ----------
    means, variances : float arrays, shape (scores, numeric features)
        Variances are positive.
    """

    kind: ClassVar[str] = "gaussian"
    means: FloatArray
    variances: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Sum of the log-densities for each score of each record, shape (n, scores)."""
        # The square of (value - mean), multiplied out, is two products.
        values, precision = rows.scaled, 1.0 / self.variances
        constant = (self.means**2 * precision + np.log(2 * np.pi * self.variances)).sum(axis=1)
        quadratic = fixed_order_product(values * values, precision)
        quadratic -= 2.0 * fixed_order_product(values, self.means * precision)
        return np.asarray(-0.5 * (quadratic + constant), dtype=np.float64)


@dataclass(frozen=True)
class IndicatorTerm(Term):
    """The sum of the weights of the indicators that a record has.

    Parameters
    ----------
    weights : float array, shape (scores, indicators)
    """

    kind: ClassVar[str] = "indicator"
    weights: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        # A sparse product adds the weights row by row, in the order of the columns: no BLAS.
        return np.asarray(cast(Any, rows.indicators) @ self.weights.T, dtype=np.float64)


@dataclass(frozen=True)
class LinearTerm(Term):
    """A weighted sum of the numeric features, each mapped from its bounds to [-1, 1].

    Parameters
    ----------
    weights : float array, shape (scores, numeric features)
    missing : float array, shape (scores, numeric features), optional
        What a missing number adds in place of its own weight.
    """

    kind: ClassVar[str] = "linear"
    weights: FloatArray
    missing: FloatArray | None = None

    @classmethod
    def of(cls, weights: FloatArray, gaps: Sequence[int], width: int) -> LinearTerm:
        """Weights of all numbers, and behind them of the indicators of those in `gaps`."""
        if not gaps:
            return cls(weights)
        missing = np.zeros((weights.shape[0], width))
        missing[:, gaps] = weights[:, width:]
        return cls(weights[:, :width], missing)

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        found = fixed_order_product(rows.scaled, self.weights)
        if self.missing is not None:
            found += fixed_order_product(rows.missing, self.missing[:, rows.gaps])
        return found


@dataclass(frozen=True)
class PolylineTerm(Term):
    """For each numeric feature a line through heights over knots, level before and behind them.

    Parameters
    ----------
    knots : float array, shape (numeric features, knots)
        Increasing; numbers are mapped from their bounds to [-1, 1].
    heights : float array, shape (scores, numeric features, knots)
    missing : float array, shape (scores, numeric features)
        What a missing number adds.
    """

    kind: ClassVar[str] = "polyline"
    knots: FloatArray
    heights: FloatArray
    missing: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        total = np.zeros((rows.n_rows, self.heights.shape[0]))
        for feature, (values, knots) in enumerate(zip(rows.scaled.T, self.knots, strict=True)):
            absent = np.isnan(rows.numeric[:, feature])
            for score, heights in enumerate(self.heights[:, feature]):
                added = np.interp(values, knots, heights)
                total[:, score] += np.where(absent, self.missing[score, feature], added)
        return total

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types; zeros for missing numbers are left out."""
        found = super().to_plain()
        if not self.missing.any():
            del found["missing"]
        return found

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> PolylineTerm:
        """Read what `to_plain` wrote."""
        zeros = np.zeros(np.shape(document["heights"])[:2]).tolist()
        return super().from_plain({"missing": zeros, **document})


@dataclass(frozen=True)
class PairsTerm(Term):
    """For pairs of attributes, the weight of the cells that both lie in.

    Parameters
    ----------
    edges
        One per numeric feature, in its own units.
    pairs
        Places of both attributes of each pair; the numeric features come first, then the blocks of
        indicators, whose last cell is none of their levels.
    weights : tuple of float arrays, each of shape (scores, cells of the first, of the second)
    """

    kind: ClassVar[str] = "pairs"
    edges: tuple[FloatArray, ...]
    pairs: tuple[tuple[int, int], ...]
    weights: tuple[FloatArray, ...]

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        cells = rows.attribute_cells(self.edges)
        total = np.zeros((self.weights[0].shape[0], rows.n_rows))
        for (first, second), weights in zip(self.pairs, self.weights, strict=True):
            total += weights[:, cells[first], cells[second]]
        return np.ascontiguousarray(total.T)


_KINDS: dict[str, Any] = {kind.kind: kind for kind in Term.__subclasses__()}


def read_term(document: Mapping[str, Any]) -> Term:
    """Read a term from what its `to_plain` wrote.

    Examples
    --------
    >>> import numpy as np
    >>> read_term(IndicatorTerm(np.array([[1.0, 2.0]])).to_plain())
    IndicatorTerm(weights=array([[1., 2.]]))
    """
    term: Term = _KINDS[document["kind"]].from_plain(document)
    return term
