"""In which cell of a grid numbers lie, and how many of each class lie in each."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import FloatArray, IntArray

# Buckets of the table that says in which cell a value is, at most; narrower cells are searched.
_MOST_BUCKETS = 8_192

# So few are compared one after the other sooner than any is looked up.
_FEW_EDGES = 16

# Values that are looked up at a time.
_AT_ONCE = 16_384

# Combinations of cells that are counted together, at most, and no more than there are records.
_MOST_JOINT = 8_192

# Beyond every bound: the upper edge of the cell of missing values.
_BEYOND = sys.float_info.max


def with_missing_cell(edges: FloatArray) -> FloatArray:
    """The same cells and one more, the last, which holds NaN and no number within the edges.

    Its edges are finite numbers, so that they are written and read like all others, and whoever
    searches sorted edges finds NaN behind them.

    Examples
    --------
    >>> cell_of(np.array([0.0, 8.0, np.nan]), with_missing_cell(np.array([0.0, 4.0, 8.0]))).tolist()
    [0, 1, 2]
    """
    return np.concatenate([edges[:-1], [np.nextafter(edges[-1], np.inf), _BEYOND]])


def cell_of(values: FloatArray, edges: FloatArray) -> IntArray:
    """Cell of each value; a cell holds its lower edge, and the last its upper edge and NaN as well.

    Examples
    --------
    >>> cell_of(np.array([0.0, 1.0, 3.9, 4.0, 8.0]), np.array([0.0, 1.0, 4.0, 8.0])).tolist()
    [0, 1, 1, 2, 2]
    """
    found = np.empty((1, values.size), dtype=np.int64)
    cells_of_columns(values[:, np.newaxis], [edges], out=found)
    return found.ravel()


def cells_of_columns(
    columns: FloatArray, edges: Sequence[FloatArray], *, out: NDArray[np.integer]
) -> None:
    """Write the cell of each number of each column; columns of shape (n, p), out (p, n).

    Examples
    --------
    >>> found, edges = np.empty((2, 2), dtype=np.int16), [np.array([0.0, 1.0, 2.0])] * 2
    >>> cells_of_columns(np.array([[0.5, 1.5], [9.0, 0.0]]), edges, out=found)
    >>> found.tolist()
    [[0, 1], [1, 0]]
    """
    for values, one, cells in zip(columns.T, edges, out, strict=True):
        place = _finder(one, values.size)
        for some in _pieces(values.size):
            cells[some] = place(values[some])


def _pieces(size: int) -> Iterator[slice]:
    """So many at a time, which stay in the cache with all that is made of them."""
    return (slice(start, start + _AT_ONCE) for start in range(0, size, _AT_ONCE))


def _finder(edges: FloatArray, size: int) -> Callable[[FloatArray], NDArray[np.integer]]:
    """What finds the cells of so many values, some of them at a time, value by value."""
    inner, limits = edges[1:-1], edges[:-1] if edges[-1] == _BEYOND else edges
    few, span = size < _MOST_BUCKETS, float(limits[-1]) - float(limits[0])
    if inner.size <= _FEW_EDGES and not few:
        return partial(_compared, inner=inner)
    narrowest = float(np.diff(limits).min()) if limits.size > 1 else 0.0
    # Less than half the narrowest cell: a bucket and half of another hold one edge at most.
    buckets = 2.0 * span / narrowest if narrowest > 0.0 and np.isfinite(span) else np.inf
    if buckets > _MOST_BUCKETS or few:
        return lambda values: np.searchsorted(inner, values, side="right")
    number = int(np.ceil(buckets)) + 1
    # Rounding may miss a bucket by a little: what is sure begins a quarter of one below it.
    starts = edges[0] + (np.arange(number) - 0.25) * (span / number)
    sure = np.searchsorted(inner, starts, side="right").astype(np.int16)
    return partial(
        _looked_up,
        first=edges[0],
        per_unit=number / span,
        sure=sure,
        next_edge=np.append(inner, np.inf)[sure],
        last=inner.size,
    )


def _compared(values: FloatArray, inner: FloatArray) -> NDArray[np.integer]:
    reached = np.zeros(values.shape, dtype=np.int8)
    for edge in inner:
        reached += (values >= edge).view(np.int8)
    if _has_nan(values):
        reached[np.isnan(values)] = inner.size
    return reached


def _has_nan(values: FloatArray) -> bool:
    """Sooner known than which they are."""
    return bool(np.isnan(values.min(initial=0.0)))


def _looked_up(
    values: FloatArray,
    first: float,
    per_unit: float,
    sure: NDArray[np.int16],
    next_edge: FloatArray,
    last: int,
) -> NDArray[np.int16]:
    """The cell that is sure in the bucket of a value; the next edge itself has the last word."""
    if _has_nan(values):
        missing = np.isnan(values)
        found = _looked_up(np.where(missing, first, values), first, per_unit, sure, next_edge, last)
        found[missing] = last
        return found
    scaled = values - first
    scaled *= per_unit
    bucket = scaled.astype(np.int64)
    found = sure.take(bucket, mode="clip")
    found += values >= next_edge.take(bucket, mode="clip")
    return found


def cell_counts(
    columns: NDArray[np.integer], widths: Sequence[int], classes: IntArray, n_classes: int
) -> list[IntArray]:
    """Number of records of each class in each cell of each column.

    Parameters
    ----------
    columns : int array, shape (columns, n)
        The cell of each record.
    widths
        How many cells each column has.
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.

    Returns
    -------
    list of int array, shape (n_classes, cells)

    Examples
    --------
    >>> cells = np.array([[0, 1, 1], [2, 0, 2]])
    >>> [one.tolist() for one in cell_counts(cells, [2, 3], np.array([0, 0, 1]), 2)]
    [[[1, 1], [0, 1]], [[1, 0, 1], [0, 0, 1]]]
    """
    most = max(min(_MOST_JOINT, classes.size) / n_classes, 1.0)
    many = max(int(math.log(most, max([2, *widths]))), 1)
    found: list[IntArray] = []
    for first in range(0, len(columns), many):
        together = columns[first : first + many]
        shape = n_classes, *widths[first : first + many]
        flat = np.zeros(math.prod(shape), dtype=np.int64)
        # Short whole numbers take less time than long ones.
        kind = np.int16 if flat.size < 2**15 else np.int64
        for some in _pieces(classes.size):
            places: NDArray[Any] = classes[some].astype(kind)
            for cells, width in zip(together, shape[1:], strict=True):
                places *= width
                places += cells[some].astype(kind, copy=False)
            flat += np.bincount(places, minlength=flat.size)
        joint, axes = flat.reshape(shape), range(1, len(shape))
        found += [joint.sum(axis=tuple(set(axes) - {axis})) for axis in axes]
    return found
