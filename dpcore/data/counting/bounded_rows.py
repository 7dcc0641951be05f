"""Rows that keep the public bounds, whatever was passed in: what every sensitivity rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from scipy.sparse import csr_array

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.data.counting.number_cells import cells_of_columns
from dpcore.schema.encoding import limited
from dpcore.schema.space import Block, FeatureSpace, Matrix, SparseMatrix

Found = TypeVar("Found")

# Weights are whole multiples of 2^-20: sums of up to 2^33 of them have no rounding at all.
_WEIGHT_BITS = 20


@dataclass(frozen=True)
class BoundedRows:
    """An encoded table, split by kind, with every public bound enforced row by row.

    Parameters
    ----------
    numeric : float array, shape (n, space.n_numeric)
        Within the bounds of each feature, in its own units; NaN where a number is missing that may
        be.
    indicators : csr_array, shape (n, number of indicators)
        Zeros and ones; at most `block.max_nonzeros` ones per row in each block.
    space
        What the columns of the original matrix are.

    Examples
    --------
    >>> from dpcore.schema import Feature, FeatureSpace
    >>> space = FeatureSpace(
    ...     (
    ...         Feature("age", "numeric", "age", (18.0, 90.0)),
    ...         Feature("job=a", "indicator", "job"),
    ...         Feature("job=b", "indicator", "job"),
    ...     )
    ... )
    >>> rows = BoundedRows.of(np.array([[200.0, 1.0, 1.0], [np.nan, 0.0, 1.0]]), space)
    >>> rows.numeric.ravel().tolist(), rows.indicators.toarray().tolist()
    ([90.0, 54.0], [[1.0, 0.0], [0.0, 1.0]])
    """

    numeric: FloatArray
    indicators: SparseMatrix
    space: FeatureSpace

    @classmethod
    def of(cls, matrix: Matrix, space: FeatureSpace, *, owned: bool = False) -> BoundedRows:
        """Enforce the bounds of a space.

        Numbers are clipped to their bounds, and NaN becomes the middle unless the feature may be
        missing. An indicator becomes 1
        unless it is 0 or NaN, and a block with more ones than it may have keeps the first in the
        order of the columns. Each row is treated by itself, and no value makes it fail.

        Parameters
        ----------
        matrix : ndarray or sparse matrix, shape (n, p)
        space
            Of p features.
        owned
            Whether nobody else has the matrix, whose numbers then need no copy.

        Raises
        ------
        InvalidArgument
            If the numbers of columns differ.
        """
        space.require_columns(X=matrix)
        matrix = _canonical(matrix)
        ones = _ones(_columns(matrix, space.indicator_columns))
        limits = [(block.stop - block.start, block.max_nonzeros) for block in _shifted(space)]
        within = _within_bounds(matrix, space, owned=owned)
        return cls(within, limited(ones, limits), space)

    @cached_property
    def indicator_blocks(self) -> tuple[Block, ...]:
        """The blocks of indicators, with `start` and `stop` in the columns of `indicators`."""
        return _shifted(self.space)

    @cached_property
    def levels(self) -> NDArray[np.int32]:
        """Which indicator of its block a row has, shape (blocks, n): the last of several, or none.

        None is the number of indicators of the block.
        """
        starts = np.array([block.start for block in self.indicator_blocks], dtype=np.int32)
        widths = np.diff([*starts, self.indicators.shape[1]])
        found = np.repeat(widths[:, np.newaxis].astype(np.int32), self.n_rows, axis=1)
        columns, ends = self.indicators.indices, self.indicators.indptr
        block = np.repeat(np.arange(widths.size), widths)[columns]
        found[block, np.repeat(np.arange(self.n_rows), np.diff(ends))] = columns - starts[block]
        return found

    @cached_property
    def gaps(self) -> IntArray:
        """Which of the numeric features may be missing; public."""
        return np.flatnonzero(_gaps(self.space))

    @property
    def missing(self) -> FloatArray:
        """Ones where a number is missing that may be, shape (n, gaps)."""
        return np.isnan(self.numeric[:, self.gaps]).astype(np.float64)

    @cached_property
    def scaled(self) -> FloatArray:
        """The numeric features mapped from their bounds to [-1, 1], a missing one to 0, same shape.

        Never outside, and never NaN: rounding far from zero is cut off, value by value.
        """
        scaled = np.empty(self.numeric.shape, order="F")
        for place, column in enumerate(self.scaled_columns()):
            scaled[:, place] = column
        return scaled

    def scaled_columns(self) -> Iterator[FloatArray]:
        """The columns of `scaled`, one after the other; each until the next is asked for."""
        moved = np.empty(self.n_rows)
        for numbers, (low, high) in zip(self.numeric.T, self.space.numeric_bounds.T, strict=True):
            # Halved first, so that no difference of two finite bounds overflows.
            half = high / 2.0 - low / 2.0
            np.subtract(numbers, low / 2.0 + high / 2.0, out=moved)
            moved /= half if half > 0.0 else 1.0
            np.clip(moved, -1.0, 1.0, out=moved)
            np.copyto(moved, 0.0, where=np.isnan(moved))
            yield moved

    def cells(self, edges: tuple[FloatArray, ...]) -> NDArray[np.integer]:
        """In which cell of its grid each number lies, shape (space.n_numeric, n)."""
        return self.kept(edges, lambda: self._cells(edges))

    def _cells(self, edges: tuple[FloatArray, ...]) -> NDArray[np.integer]:
        widest = max((one.size for one in edges), default=0)
        kind = np.int8 if widest < 2**7 else np.int16 if widest < 2**15 else np.int32
        found = np.empty(self.numeric.shape[::-1], dtype=kind)
        cells_of_columns(self.numeric, edges, out=found, gaps=self.gaps.size > 0)
        return found

    def kept(self, of: object, find: Callable[[], Found]) -> Found:
        """What is found of the rows and another object, by which it is known the next time.

        The last three stay: grids are counted by and then looked up by, models asked twice.
        """
        kept: list[tuple[object, Any]] = vars(self).setdefault("_kept", [])
        for known, found in kept:
            if known is of:
                return cast(Found, found)
        newest = find()
        # A new list: another thread may be reading this one.
        vars(self)["_kept"] = [*vars(self)["_kept"][-2:], (of, newest)]
        return newest

    def attribute_cells(self, edges: tuple[FloatArray, ...]) -> NDArray[np.int32]:
        """In which cell each number lies, and then which level of each block a row has.

        Shape (numeric features and blocks, n); see `cells` and `levels`.
        """
        return np.vstack([self.cells(edges), self.levels], dtype=np.int32)

    @property
    def n_rows(self) -> int:
        """Number of records (private under add-remove)."""
        return int(self.numeric.shape[0])

    def take(self, rows: IntArray) -> BoundedRows:
        """Keep some rows."""
        return replace(self, numeric=self.numeric[rows], indicators=self.indicators[rows])


def first_nonzeros(matrix: Matrix, most: int) -> SparseMatrix:
    """Keep the first non-zero entries of each row, as ones, in the public order of the columns.

    Parameters
    ----------
    matrix : ndarray or sparse matrix, shape (n, p)
    most
        How many may stay; at least 1.

    Returns
    -------
    csr_array, shape (n, p)

    Examples
    --------
    >>> first_nonzeros(np.array([[0, 5, 2, 1], [1, 0, 0, 0]]), 2).toarray().tolist()
    [[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]]
    """
    _check.integer_in_range(1, None, most=most)
    return limited(_ones(_canonical(matrix)), [(matrix.shape[1], most)])


def weighted_rows(matrix: Matrix, most: int) -> SparseMatrix:
    """Scale the ones of each row down so that they add up to at most a bound.

    Parameters
    ----------
    matrix : ndarray or sparse matrix, shape (n, p)
        Every non-zero entry counts as 1.
    most
        The bound on the L1 norm of a row; at least 1.

    Returns
    -------
    csr_array, shape (n, p)
        A row of m > most ones holds most / m, rounded down to a multiple of 2^-20, in place of
        each: sums over rows are exact, in whatever order the rows come.

    Examples
    --------
    >>> weighted_rows(np.array([[1, 5, 2, 1], [1, 0, 0, 0]]), 2).toarray().tolist()
    [[0.5, 0.5, 0.5, 0.5], [1.0, 0.0, 0.0, 0.0]]
    """
    _check.integer_in_range(1, 2**30, most=most)
    ones = _ones(_canonical(matrix))
    sizes = np.diff(ones.indptr).astype(np.int64)
    # In whole numbers, so that nothing is rounded up.
    shares = (most << _WEIGHT_BITS) // np.maximum(sizes, 1)
    weights = np.minimum(shares, 1 << _WEIGHT_BITS) / float(1 << _WEIGHT_BITS)
    ones.data = np.repeat(weights, sizes)
    return ones


def _canonical(matrix: Matrix) -> Matrix:
    """Any sparse format as a csr_array without duplicates, which does not share its data."""
    if isinstance(matrix, np.ndarray):
        return matrix
    rows: SparseMatrix = csr_array(cast(Any, matrix), dtype=np.float64, copy=True)
    rows.sum_duplicates()
    return rows


def _shifted(space: FeatureSpace) -> tuple[Block, ...]:
    shifted, start = [], 0
    for block in space.blocks:
        if block.kind != "numeric":
            width = block.stop - block.start
            shifted.append(replace(block, start=start, stop=start + width))
            start += width
    return tuple(shifted)


def _gaps(space: FeatureSpace) -> BoolArray:
    """Which numeric features may be missing."""
    return np.array([feature.missing for feature in space.numeric_features], dtype=np.bool_)


def _within_bounds(matrix: Matrix, space: FeatureSpace, *, owned: bool) -> FloatArray:
    """The numbers, column-major, for they are read one column after the other."""
    (low, high), places = space.numeric_bounds, space.numeric_columns
    columns = matrix if places.size == matrix.shape[1] else matrix[:, places]
    dense = columns if isinstance(columns, np.ndarray) else columns.toarray()
    in_place = owned and dense.dtype == np.float64 and dense.flags.f_contiguous
    values = dense if in_place else np.clip(dense, low, high, out=np.empty(dense.shape, order="F"))
    middle = np.where(_gaps(space), np.nan, low / 2.0 + high / 2.0)
    for column, *ends, instead in zip(values.T, low, high, middle, strict=True):
        # Sooner seen than done again, and never so of NaN.
        if not (ends[0] <= column.min(initial=ends[0]) <= column.max(initial=ends[0]) <= ends[1]):
            np.clip(column, *ends, out=column)
            np.copyto(column, instead, where=np.isnan(column))
    return values


def _columns(matrix: Matrix, places: IntArray) -> Matrix:
    # `take`, unlike an index, leaves rows in one piece: ones are then found twice as fast. From
    # columns in one piece it would copy them all first.
    if isinstance(matrix, np.ndarray) and matrix.flags.c_contiguous:
        return np.take(matrix, places, axis=1)
    return matrix[:, places]


def _ones(columns: Matrix) -> SparseMatrix:
    """The non-zero entries as ones, rows sorted by column, nothing stored twice."""
    if not columns.shape[1]:
        return csr_array(columns.shape)
    if isinstance(columns, np.ndarray):
        present = columns != 0
        present &= ~np.isnan(columns)
        indices = np.flatnonzero(present) % max(columns.shape[1], 1)
        row_ends = np.concatenate([[0], np.cumsum(np.count_nonzero(present, axis=1))])
        return csr_array((np.ones(indices.size), indices, row_ends), shape=columns.shape)
    columns.data = np.nan_to_num(columns.data)
    columns.eliminate_zeros()
    columns.sort_indices()
    columns.data = np.ones(columns.nnz)
    return columns
