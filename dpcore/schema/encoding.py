"""From a table to a matrix, by the schema alone: nothing is learned from the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, hstack

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.schema.cells import column_of, level_codes, numbers
from dpcore.schema.columns import Numeric, Text
from dpcore.schema.matrix import Matrix, SparseMatrix
from dpcore.schema.schema import Schema
from dpcore.schema.space import Block, Feature, FeatureSpace, indicator_levels
from dpcore.schema.text import word_sets

__all__ = ["Block", "Design", "Feature", "FeatureSpace", "Matrix", "SparseMatrix", "encode"]


# A row takes 8 bytes for each of these at most; in a sparse matrix it takes 12 for each column of
# the table, however many levels are declared.
_WIDEST_DENSE = 128


@dataclass(frozen=True)
class Design:
    """An encoded table.

    Parameters
    ----------
    matrix : ndarray or csr_array of shape (n, p), float64
        Dense if the schema has no text and at most 128 features, else sparse.
    space : FeatureSpace
        What the p columns are.
    y : IntArray of shape (n,), optional
        Position of every label among `schema.label.classes`; -1 where it is none of them.
    """

    matrix: Matrix
    space: FeatureSpace
    y: IntArray | None = None

    def take(self, indices: Sequence[int] | IntArray) -> Design:
        """Keep some features, in the order that they have here, whatever the order asked for."""
        chosen = np.unique(np.asarray(indices, dtype=np.int64))
        return Design(self.matrix[:, chosen], self.space.take(chosen), self.y)

    def rows(self, mask: BoolArray | IntArray) -> Design:
        """Keep some rows."""
        y = None if self.y is None else self.y[mask]
        return Design(self.matrix[mask, :], self.space, y)


def encode(frame: pd.DataFrame, schema: Schema) -> Design:
    """Turn a table into the matrix that its schema describes.

    Numbers are clipped to their bounds, and missing ones (or cells that are no number) get the
    public fill value. A categorical cell becomes one indicator per level, all zero if it is missing
    or no declared level; a binary cell becomes the one indicator of its second level. Texts become
    sets of words. Each row is encoded by itself, and no cell makes it fail: neither the matrix nor
    an error lets one record change another. Where rows may be seen, `Schema.validate` says what
    does not fit.

    Parameters
    ----------
    frame : DataFrame of n rows
        Must have every feature column of the schema; may have others, and may lack the label.
    schema : Schema

    Returns
    -------
    Design
        With `y` if the schema has a label and the table has its column. Private methods leave a
        record out whose label is none (-1).

    Raises
    ------
    SchemaError
        If a column is not in the table.

    Examples
    --------
    >>> from dpcore.schema import Categorical, Label, Numeric, Schema
    >>> schema = Schema(
    ...     (
    ...         Numeric("age", bounds=(18, 90)),
    ...         Categorical("job", levels=("admin", "nurse")),
    ...         Label("y", classes=("no", "yes")),
    ...     )
    ... )
    >>> table = pd.DataFrame({"age": [30, 200], "job": ["nurse", "spy"], "y": ["yes", "no"]})
    >>> design = encode(table, schema)
    >>> design.matrix.tolist(), design.y.tolist()
    ([[30.0, 0.0, 1.0], [90.0, 0.0, 0.0]], [1, 0])
    """
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument("frame", type(frame).__name__, "a pandas DataFrame")
    space = FeatureSpace.of(schema)
    has_text = any(isinstance(column, Text) for column in schema.features)
    sparse = has_text or schema.width > _WIDEST_DENSE
    matrix: Matrix = _sparse(frame, schema) if sparse else _dense(frame, schema, space)
    y = None
    if schema.has_label and schema.label.name in frame.columns:
        y = level_codes(column_of(frame, schema.label.name), schema.label.classes)
    return Design(matrix, space, y)


def _dense(frame: pd.DataFrame, schema: Schema, space: FeatureSpace) -> FloatArray:
    # Column-major while it is filled one column after the other, row-major when it is used.
    matrix = np.zeros((len(frame), len(space.features)), order="F")
    for column, block in zip(schema.features, space.blocks, strict=True):
        cells = column_of(frame, column.name)
        if isinstance(column, Numeric):
            matrix[:, block.start] = _clipped(cells, column)
        elif not isinstance(column, Text):
            codes = level_codes(cells, indicator_levels(column))
            rows = np.flatnonzero(codes >= 0)
            matrix[rows, block.start + codes[rows]] = 1.0
    return np.ascontiguousarray(matrix)


def _sparse(frame: pd.DataFrame, schema: Schema) -> SparseMatrix:
    parts = []
    for column in schema.features:
        cells = column_of(frame, column.name)
        if isinstance(column, Text):
            parts.append(word_sets(cells, column))
        elif isinstance(column, Numeric):
            parts.append(csr_array(_clipped(cells, column)[:, np.newaxis]))
        else:
            parts.append(_one_hot(cells, indicator_levels(column)))
    return csr_array(hstack(parts, format="csr"))


def _clipped(cells: pd.Series, column: Numeric) -> FloatArray:
    values = numbers(cells)
    return np.clip(np.where(np.isnan(values), column.fill, values), *column.bounds)


def _one_hot(cells: pd.Series, levels: tuple[str, ...]) -> SparseMatrix:
    codes = level_codes(cells, levels)
    known = codes >= 0
    row_ends = np.concatenate(([0], np.cumsum(known)))
    shape = (codes.size, len(levels))
    return csr_array((np.ones(int(known.sum())), codes[known], row_ends), shape=shape)
