"""In which cell of a grid numbers lie, and how many of each class lie in each."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray, NDArray

# Buckets of the table that says in which cell a value is, at most; narrower cells are searched.
_MOST_BUCKETS = 8_192

# Up to so many inner edges are compared one by one, and up to so many where all else is a search.
_FEW_EDGES, _NOT_SEARCHED = 8, 64

# In cells, from zero to an edge at most: which is nearest is then sure to a hundredth of a cell.
_SURE = 2.0**44

# Values that are looked up, or cells that are counted, at a time.
_AT_ONCE = 65_536

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
    columns: FloatArray, edges: Sequence[FloatArray], *, out: NDArray[np.integer], gaps: bool = True
) -> None:
    """Write the cell of each number of each column; columns of shape (n, p), out (p, n).

    Without `gaps` none is NaN, which is then not looked for.

    Examples
    --------
    >>> found, edges = np.empty((2, 2), dtype=np.int16), [np.array([0.0, 1.0, 2.0])] * 2
    >>> cells_of_columns(np.array([[0.5, 1.5], [9.0, 0.0]]), edges, out=found)
    >>> found.tolist()
    [[0, 1], [1, 0]]
    """
    if not columns.size:
        return
    # What overflows lies beyond all edges.
    with np.errstate(over="ignore"):
        for values, one, cells in zip(columns.T, edges, out, strict=True):
            place = _finder(one, values.size)
            for some in _pieces(values.size):
                present, missing = values[some], None
                # Sooner known than which they are.
                if gaps and np.isnan(present.min()):
                    missing = np.isnan(present)
                    present = np.where(missing, one[0], present)
                cells[some] = place(present)
                if missing is not None:
                    cells[some][missing] = one.size - 2


def _pieces(size: int) -> Iterator[slice]:
    """So many at a time, which stay in the cache with all that is made of them."""
    return (slice(start, start + _AT_ONCE) for start in range(0, size, _AT_ONCE))


def _finder(edges: FloatArray, size: int) -> Callable[[FloatArray], NDArray[np.integer]]:
    """What finds the cells of so many values, some of them at a time, value by value."""
    inner, limits = edges[1:-1], edges[:-1] if edges[-1] == _BEYOND else edges
    if inner.size <= _FEW_EDGES:
        return partial(_compared, inner=inner)
    few, span = size < _MOST_BUCKETS, float(limits[-1]) - float(limits[0])
    if not few and (step := _equal_step(edges, inner, span)):
        return partial(_stepped, first=edges[0], step=step, last=inner.size)
    narrowest = float(np.diff(limits).min()) if limits.size > 1 else 0.0
    # Less than half the narrowest cell: a bucket and half of another hold one edge at most.
    buckets = 2.0 * span / narrowest if narrowest > 0.0 and np.isfinite(span) else np.inf
    if buckets > _MOST_BUCKETS and inner.size <= _NOT_SEARCHED:
        return partial(_compared, inner=inner)
    if buckets > _MOST_BUCKETS or few:
        return lambda values: np.searchsorted(inner, values, side="right")
    number = int(np.ceil(buckets)) + 1
    # Rounding may miss a bucket by a little: what is sure begins a quarter of one below it.
    starts = edges[0] + (np.arange(number) - 0.25) * (span / number)
    sure = np.searchsorted(inner, starts, side="right").astype(np.int16)
    after = np.append(inner, np.inf)[sure]
    return partial(_looked_up, first=edges[0], per_unit=number / span, sure=sure, next_edge=after)


def _compared(values: FloatArray, inner: FloatArray) -> NDArray[np.int8]:
    """How many of a few edges each value has reached."""
    found = np.zeros(values.size, dtype=np.int8)
    for edge in inner:
        found += (values >= edge).view(np.int8)
    return found


def _equal_step(edges: FloatArray, inner: FloatArray, span: float) -> float:
    """The width of equal cells as `np.linspace` makes them; 0 of others."""
    step = span / (edges.size - 1)
    usable = 0 < inner.size < _MOST_BUCKETS and 0.0 < step < np.inf
    if not usable or max(abs(edges[0]), abs(edges[-1])) * (1.0 / step) >= _SURE:
        return 0.0
    return step if (np.arange(1, edges.size - 1) * step + edges[0] == inner).all() else 0.0


def _stepped(values: FloatArray, first: float, step: float, last: int) -> NDArray[np.integer]:
    """Of equal cells: the edge that is nearest to a value, which is below it or is not."""
    nearest = values * (1.0 / step)
    nearest -= first / step
    np.rint(nearest, out=nearest)
    np.clip(nearest, 1.0, last, out=nearest)
    found: NDArray[np.integer] = nearest.astype(np.int8 if last < 2**7 else np.int16)
    nearest *= step
    nearest += first
    return found - (values < nearest).view(np.int8)


def _looked_up(
    given: FloatArray, first: float, per_unit: float, sure: NDArray[np.int16], next_edge: FloatArray
) -> NDArray[np.int16]:
    """The cell that is sure in the bucket of a value; the next edge itself has the last word."""
    scaled = given - first
    scaled *= per_unit
    bucket = scaled.astype(np.int64)
    found = sure.take(bucket, mode="clip")
    found += given >= next_edge.take(bucket, mode="clip")
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
    classes = classes.astype(np.int16 if n_classes < 2**15 else np.int64)
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
