"""Numeric features cut into one-hot blocks of public bins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array, hstack

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.schema.encoding import Design
from dpcore.schema.space import Block, Feature, FeatureSpace, Matrix, SparseMatrix


def bin_numeric(
    X: Matrix, space: FeatureSpace, edges: Mapping[str, Sequence[float]]
) -> tuple[SparseMatrix, FeatureSpace]:
    """Replace numeric features by one-hot blocks of declared bins.

    Parameters
    ----------
    X : ndarray or sparse matrix, shape (n, p)
    space : FeatureSpace
        Of p features.
    edges : mapping of str to sequence of float
        For each numeric feature that is to be binned the increasing inner edges, public. Edges
        (30, 50) make the bins below 30, from 30 to below 50, and from 50.

    Returns
    -------
    csr_array, shape (n, q)
    FeatureSpace
        Of the q features; a bin of "age" is called "age:[30, 50)". Marks of the space stay.

    Raises
    ------
    InvalidArgument
        If a name is no numeric feature, or its edges are not increasing numbers.

    Notes
    -----
    Each row is treated by itself; NaN lies in no bin, or in one more, the last, if the feature may
    be missing. A row has one 1 in each binned feature, which
    adds one to its row bound.

    Examples
    --------
    >>> space = FeatureSpace((Feature("age", "numeric", "age", (18.0, 90.0)),))
    >>> rows, binned = bin_numeric(np.array([[20.0], [50.0]]), space, {"age": (30, 50)})
    >>> rows.toarray().tolist(), binned.names
    ([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], ('age:(-inf, 30)', 'age:[30, 50)', 'age:[50, inf)'))
    """
    space.require_columns(X=X)
    cuts = {name: _checked(name, given, space) for name, given in edges.items()}
    columns = csc_array(X) if hasattr(X, "tocsc") else np.asarray(X, dtype=np.float64)
    pieces = [piece for block in space.blocks for piece in _pieces(block, columns, space, cuts)]
    ends = np.cumsum([block.stop for block, _, _ in pieces]).tolist()
    blocks = tuple(
        replace(block, start=end - block.stop, stop=end)
        for (block, _, _), end in zip(pieces, ends, strict=True)
    )
    matrix: SparseMatrix = csr_array(hstack([some for *_, some in pieces], format="csr"))
    features = tuple(feature for _, some, _ in pieces for feature in some)
    return matrix, FeatureSpace(features, blocks, space.taken_from_data)


def bins_of_equal_width(design: Design, bins: int) -> Design:
    """Cut every numeric feature into bins of equal width over its declared bounds.

    Parameters
    ----------
    design : Design
    bins : int
        At least 2. What lies outside the bounds is in the first or last bin.

    Raises
    ------
    InvalidArgument
        If there are fewer bins.

    Examples
    --------
    >>> space = FeatureSpace((Feature("age", "numeric", "age", (20.0, 80.0)),))
    >>> ages = Design(np.array([[20.0], [50.0], [99.0]]), space, np.zeros(3, dtype=np.int64))
    >>> bins_of_equal_width(ages, 3).space.names
    ('age:(-inf, 40)', 'age:[40, 60)', 'age:[60, inf)')
    """
    _check.integer_in_range(2, None, bins=bins)
    numeric = design.space.numeric_features
    edges = {one.name: np.linspace(*one.bounds, bins + 1)[1:-1].tolist() for one in numeric}
    matrix, space = bin_numeric(design.matrix, design.space, edges)
    return Design(matrix, space, design.y)


# A block of the new space that begins at 0, its features and their columns.
_Piece = tuple[Block, tuple[Feature, ...], SparseMatrix]


def _pieces(
    block: Block, columns: Any, space: FeatureSpace, cuts: Mapping[str, FloatArray]
) -> Iterator[_Piece]:
    """A block as it is, or its features one by one if some of them are binned."""
    features = space.features[block.start : block.stop]
    if not any(feature.name in cuts for feature in features):
        whole = replace(block, start=0, stop=len(features))
        yield whole, features, csr_array(columns[:, block.start : block.stop])
        return
    for place, feature in enumerate(features, start=block.start):
        column = columns[:, [place]]
        if feature.name not in cuts:
            yield Block(feature.name, "numeric", 0, 1, 1), (feature,), csr_array(column)
            continue
        inner = cuts[feature.name]
        values = np.asarray(csr_array(column).toarray()).ravel()
        bins = tuple(_bins(feature.name, inner))
        if feature.missing:
            bins = (*bins, Feature(f"{feature.name}:missing", "indicator", feature.name))
        one_hot = Block(feature.name, "one-hot", 0, len(bins), 1)
        yield one_hot, bins, _one_hot(values, inner, len(bins))


def _checked(name: str, given: Sequence[float], space: FeatureSpace) -> FloatArray:
    _check.one_of([feature.name for feature in space.numeric_features], edges=name)
    inner = np.asarray(given, dtype=np.float64)
    rising = inner.ndim == 1 and inner.size > 0 and np.isfinite(inner).all()
    if not rising or not (np.diff(inner) > 0).all():
        raise InvalidArgument(f"edges of {name!r}", given, "one or more increasing numbers")
    return inner


def _bins(name: str, inner: FloatArray) -> Iterator[Feature]:
    outer = ["-inf", *(f"{edge:g}" for edge in inner), "inf"]
    for place, (low, high) in enumerate(pairwise(outer)):
        opens = "[" if place else "("
        yield Feature(f"{name}:{opens}{low}, {high})", "indicator", name)


def _one_hot(values: FloatArray, inner: FloatArray, width: int) -> SparseMatrix:
    # NaN comes behind all bins of numbers: into its own, if there is one more.
    places = np.searchsorted(inner, values, side="right") + np.isnan(values)
    present = places < width
    places = places[present]
    row_ends = np.concatenate([[0], np.cumsum(present)])
    shape = (values.size, width)
    return csr_array((np.ones(places.size), places, row_ends), shape=shape)
