"""Counts, moments and histograms of the features, per class, of a table of any size."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.back_end import Columns, Progress, count_collection, count_here
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.files import file_parts
from dpcore.errors import InvalidArgument
from dpcore.schema import Block, FeatureSpace, Numeric, Schema, encode
from dpcore.schema.cells import as_array
from dpcore.schema.encoding import SparseMatrix
from dpcore.schema.schema import label_codes


def column_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features and the label, which counters of a schema read."""
    return (*(column.name for column in schema.features), schema.label.name)


def number_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features that are numbers; the cells of all others stay as they are written."""
    return tuple(column.name for column in schema.features if isinstance(column, Numeric))


def batch_of(frame: Any, schema: Schema) -> Columns:
    """The columns of a pandas data frame as one batch."""
    return {name: as_array(frame[name]) for name in column_names(schema)}


def encoded(batches: Iterable[Columns], schema: Schema) -> Iterator[tuple[BoundedRows, IntArray]]:
    """Encode every batch; records whose label is none of the declared classes are left out.

    Yields
    ------
    (BoundedRows, int array of shape (n,))
        Rows, and the place of each one's class among `schema.label.classes`.
    """
    label = schema.label
    for batch in batches:
        codes = label_codes(batch[label.name], label)
        kept = np.flatnonzero(codes >= 0)
        columns = {column.name: _column(batch[column.name][kept]) for column in schema.features}
        frame = pd.DataFrame(columns, index=range(kept.size))
        design = encode(frame, schema)
        yield BoundedRows.of(design.matrix, design.space), codes[kept]


def _column(cells: NDArray[Any]) -> pd.Series:
    # Left to itself, pandas looks for texts among objects, and stumbles over odd ones.
    return pd.Series(cells, dtype=object if cells.dtype == object else None)


@dataclass(frozen=True)
class RowCounter:
    """Adds something up over encoded rows, as one vector of whole numbers."""

    schema: Schema

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""
        return column_names(self.schema)

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """The vector of all batches."""
        raise NotImplementedError


class RowAggregate:
    """What a `RowCounter` adds up, of a table of any size; `public` is what its counter needs."""

    @classmethod
    def _counter(cls, schema: Schema, **public: Any) -> RowCounter:
        raise NotImplementedError

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> Self:
        raise NotImplementedError

    @classmethod
    def from_frame(cls, frame: Any, schema: Schema, **public: Any) -> Self:
        """Count the rows of a pandas data frame."""
        counter = cls._counter(schema, **public)
        return cls._of(counter([batch_of(frame, schema)]), counter)

    @classmethod
    def from_files(
        cls,
        paths: Sequence[Path],
        schema: Schema,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
        **public: Any,
    ) -> Self:
        """Count the rows of files; see `ScoreHistogram.from_files`."""
        counter = cls._counter(schema, **public)
        parts = file_parts(paths, counter.columns, numbers=number_names(schema))
        return cls._of(count_here(parts, counter, workers=workers, progress=progress), counter)

    @classmethod
    def from_dask(
        cls, collection: Any, schema: Schema, *, scheduler: str | None = None, **public: Any
    ) -> Self:
        """Count the rows of a Dask data frame; see `ScoreHistogram.from_dask`."""
        counter = cls._counter(schema, **public)
        return cls._of(count_collection(collection, counter, scheduler=scheduler), counter)

    def merge(self, other: Self) -> Self:
        """Add the counts of two disjoint sets of records of one schema, on the same cells."""
        counted = {name: one for name, one in vars(self).items() if isinstance(one, np.ndarray)}
        public = {name: one for name, one in vars(self).items() if name not in counted}
        if not all(_same(one, getattr(other, name)) for name, one in public.items()):
            wanted = "of the same schema and edges"
            raise InvalidArgument("other", "counts of another table", wanted)
        sums = {name: one + getattr(other, name) for name, one in counted.items()}
        made: Any = type(self)
        return cast(Self, made(**public, **sums))

    __add__ = merge


def _same(ours: Any, theirs: Any) -> bool:
    """Whether two public facts are equal, arrays among them."""
    if isinstance(ours, tuple):
        return len(ours) == len(theirs) and all(map(np.array_equal, ours, theirs))
    return bool(ours == theirs)


# A row's share of one word is rounded down to whole units of 2^-24, which add up without rounding.
SHARE_UNITS = 2**24

# Buckets of the table that says in which cell a value is, at most; narrower cells are searched.
_MOST_BUCKETS = 8_192

# So few are compared one after the other sooner than any is looked up.
_FEW_EDGES = 20

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
    inner, limits = edges[1:-1], edges[:-1] if edges[-1] == _BEYOND else edges
    if inner.size <= _FEW_EDGES and values.size >= _MOST_BUCKETS:
        reached = np.zeros(values.shape, dtype=np.int8)
        for edge in inner:
            reached += values >= edge
        reached[np.isnan(values)] = inner.size
        return reached.astype(np.int64)
    span = float(limits[-1]) - float(limits[0])
    narrowest = float(np.diff(limits).min()) if limits.size > 1 else 0.0
    # Half the narrowest cell, so that two buckets side by side hold one edge at most.
    buckets = 2.0 * span / narrowest if narrowest > 0.0 and np.isfinite(span) else np.inf
    if buckets > _MOST_BUCKETS or values.size < _MOST_BUCKETS:
        places: IntArray = np.searchsorted(inner, values, side="right").astype(np.int64)
        return places
    number = int(np.ceil(buckets)) + 1
    starts = edges[0] + np.arange(number) * (span / number)
    first = np.searchsorted(inner, starts, side="right").astype(np.int64)
    with np.errstate(invalid="ignore"):
        bucket = ((values - edges[0]) * (number / span)).astype(np.int64)
    found: IntArray = first[np.clip(bucket, 0, number - 1, out=bucket)]
    # Rounding may have missed the bucket by one: the edges themselves have the last word.
    found += values >= np.append(inner, np.inf)[found]
    found -= values < np.append(-np.inf, inner)[found]
    found[np.isnan(values)] = inner.size
    return found


def cell_counts(
    values: FloatArray, edges: FloatArray, classes: IntArray, n_classes: int
) -> IntArray:
    """Number of records of each class in each cell of one number.

    Parameters
    ----------
    values : float array, shape (n,)
        Within the edges, or NaN.
    edges : float array, shape (cells + 1,)
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.

    Returns
    -------
    int array, shape (n_classes, cells)

    Examples
    --------
    >>> cell_counts(np.array([1.0, 7.0]), np.array([0.0, 4.0, 8.0]), np.array([1, 0]), 2).tolist()
    [[0, 1], [1, 0]]
    """
    width = edges.size - 1
    flat = np.bincount(classes * width + cell_of(values, edges), minlength=n_classes * width)
    return flat.reshape(n_classes, width).astype(np.int64)


def word_shares(words: SparseMatrix, classes: IntArray, n_classes: int) -> IntArray:
    """Sum per class and word of the rows of a text, each scaled to add up to one.

    Parameters
    ----------
    words : csr_array, shape (n, words)
        Zeros and ones.
    classes : int array, shape (n,)

    Returns
    -------
    int array, shape (n_classes, words)
        In units of 2^-24: a row of k words adds 2^24 / k, rounded down, to each.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 1.0], [0.0, 1.0]]))
    >>> (word_shares(rows, np.array([0, 0]), 1) / SHARE_UNITS).tolist()
    [[0.5, 1.5]]
    """
    lengths = np.diff(words.indptr)
    share = np.repeat(SHARE_UNITS // np.maximum(lengths, 1), lengths)
    # Whole numbers below 2^53: sums in double precision are exact in any order.
    return _by_class(words, classes, n_classes, share).astype(np.int64)


def class_sizes(classes: IntArray, n_classes: int) -> IntArray:
    """Number of records per class, shape (n_classes,).

    Examples
    --------
    >>> class_sizes(np.array([1, 1, 0]), 3).tolist()
    [1, 2, 0]
    """
    return np.bincount(classes, minlength=n_classes).astype(np.int64)


def feature_counts(indicators: SparseMatrix, classes: IntArray, n_classes: int) -> IntArray:
    """Number of ones per class and indicator, in one pass over the ones.

    Parameters
    ----------
    indicators : csr_array, shape (n, p)
        Zeros and ones.
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.

    Returns
    -------
    int array, shape (n_classes, p)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    >>> feature_counts(rows, np.array([0, 0, 1]), 2).tolist()
    [[2, 1], [0, 1]]
    """
    return _by_class(indicators, classes, n_classes).astype(np.int64)


def feature_sums(rows: SparseMatrix, classes: IntArray, n_classes: int) -> FloatArray:
    """Sum of the entries per class and feature, in one pass over the entries.

    Parameters
    ----------
    rows : csr_array, shape (n, p)
        Ones, or the weights of `weighted_rows`: either way the sums are exact.
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.

    Returns
    -------
    float array, shape (n_classes, p)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array(np.array([[1.0, 0.0], [0.5, 0.5]]))
    >>> feature_sums(rows, np.array([0, 1]), 2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    return _by_class(rows, classes, n_classes, rows.data).astype(np.float64)


def _by_class(
    rows: SparseMatrix, classes: IntArray, n_classes: int, weights: Any = None
) -> NDArray[Any]:
    """Sum of the weights of the entries, each 1 if left out, per class and column."""
    width = rows.shape[1]
    places = np.repeat(classes, np.diff(rows.indptr)) * width + rows.indices
    return np.bincount(places, weights, n_classes * width).reshape(n_classes, width)


@dataclass(frozen=True, eq=False)
class FeatureCounts(RowAggregate):
    """How many records each class has, and in how many of them each indicator is one.

    Parameters
    ----------
    sizes : int array, shape (classes,)
    counts : int array, shape (classes, indicators)
        In the order of the indicators among the features of `space`.
    space : FeatureSpace
        Public.
    classes : tuple of str
        Labels in the order of `sizes`; public.

    Sensitivity
        Of `sizes`, L1: add-remove 1, replace 2. Of `counts`: add-remove `space.max_indicators`,
        because rows are bounded before they are counted; replace twice that.

    Examples
    --------
    >>> from dpcore.schema import Binary, Label
    >>> schema = Schema((Binary("smokes", ("no", "yes")), Label("ill", ("no", "yes"))))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"smokes": ["yes", "no", "yes"], "ill": ["yes", "no", "no"]})
    >>> found = FeatureCounts.from_frame(table, schema)
    >>> first, rest = (FeatureCounts.from_frame(part, schema) for part in (table[:1], table[1:]))
    >>> found.sizes.tolist(), found.counts.tolist(), (first + rest).counts.tolist()
    ([2, 1], [[1], [1]], [[1], [1]])
    """

    sizes: IntArray
    counts: IntArray
    space: FeatureSpace
    classes: tuple[str, ...]

    @classmethod
    def _counter(cls, schema: Schema, **public: Any) -> RowCounter:
        return _CountsCounter(schema)

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> FeatureCounts:
        classes = counter.schema.label.classes
        # For each class its size, and then its indicators.
        rows = counts.reshape(len(classes), -1)
        return cls(rows[:, 0], rows[:, 1:], FeatureSpace.of(counter.schema), classes)


class _CountsCounter(RowCounter):
    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        classes, features = len(self.schema.label.classes), FeatureSpace.of(self.schema).features
        width = sum(feature.kind == "indicator" for feature in features)
        total = np.zeros((classes, 1 + width), dtype=np.int64)
        for rows, codes in encoded(batches, self.schema):
            total[:, 0] += class_sizes(codes, classes)
            total[:, 1:] += feature_counts(rows.indicators, codes, classes)
        return total.ravel()


# Summands are whole multiples of 2^-30: up to 2^33 of them add up in 64 bits, in any order.
_UNITS = 2.0**30


@dataclass(frozen=True, eq=False)
class Moments(RowAggregate):
    """Per class the size, and the sums of u and of u^2 - 1/2 of each numeric feature.

    u is the feature mapped from its public bounds to [-1, 1]. Summands are rounded to whole units
    of 2^-30, so sums do not depend on order, and merging is associative to the bit.

    Parameters
    ----------
    sizes : int array, shape (classes,)
    totals : int array, shape (2, classes, numeric features)
        In units of 2^-30.
    space : FeatureSpace
        Public.
    classes : tuple of str
        Labels in the order of `sizes`; public.

    Sensitivity
        Of `sums`, L1 per feature: add-remove 3/2, the most that |u| + |u^2 - 1/2| can be on
        [-1, 1]; replace 3.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> schema = Schema((Numeric("age", (0, 100)), Label("ill", ("no", "yes"))))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [100, 50, 0], "ill": ["yes", "no", "no"]})
    >>> found = Moments.from_frame(table, schema)
    >>> found.sizes.tolist(), found.sums.tolist()
    ([2, 1], [[[-1.0], [1.0]], [[0.0], [0.5]]])
    """

    sizes: IntArray
    totals: IntArray
    space: FeatureSpace
    classes: tuple[str, ...]

    @property
    def sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 (private), shape (2, classes, numeric features)."""
        return np.asarray(self.totals / _UNITS, dtype=np.float64)

    @classmethod
    def _counter(cls, schema: Schema, **public: Any) -> RowCounter:
        return _MomentsCounter(schema)

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> Moments:
        classes = counter.schema.label.classes
        sizes, totals = counts[: len(classes)], counts[len(classes) :]
        space = FeatureSpace.of(counter.schema)
        return cls(sizes, totals.reshape(2, len(classes), -1), space, classes)


class _MomentsCounter(RowCounter):
    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        classes, space = len(self.schema.label.classes), FeatureSpace.of(self.schema)
        sizes = np.zeros(classes, dtype=np.int64)
        totals = np.zeros((2, classes, space.n_numeric), dtype=np.int64)
        for rows, codes in encoded(batches, self.schema):
            sizes += class_sizes(codes, classes)
            values = rows.scaled
            summands = np.stack([values, values * values - 0.5])
            units = np.rint(summands * _UNITS).astype(np.int64)
            for label in range(classes):
                totals[:, label] += units[:, codes == label].sum(axis=1)
        return np.concatenate([sizes, totals.ravel()])


Edges: TypeAlias = tuple[FloatArray, ...]


@dataclass(frozen=True, eq=False)
class FeatureHistograms(RowAggregate):
    """Per class the records in each cell of each number, and the share of each word of each text.

    Parameters
    ----------
    cells : int array, shape (classes, cells)
        Of all numeric features, side by side.
    shares : int array, shape (classes, words)
        Of all texts, side by side, in units of 2^-24; a text of k words adds 1/k to each.
    edges : tuple of float array
        Of the cells of each numeric feature, public.
    space : FeatureSpace
        Public.
    classes : tuple of str
        Labels in the order of the rows; public.

    All are counted with ``edges=``: for each numeric feature increasing public edges from its lower
    to its upper bound, such as those of `dpcore.models.naive_bayes_edges`; others are refused.

    Sensitivity
        L1, add-remove: 1 per numeric feature, because a record is in one class and one cell (the
        last for a missing number), and at most 1 per text (`word_shares`); replace twice that.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> schema = Schema((Numeric("age", (0, 100)), Label("ill", ("no", "yes"))))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [90, 50, 10], "ill": ["yes", "no", "no"]})
    >>> found = FeatureHistograms.from_frame(table, schema, edges=[[0, 25, 50, 100]])
    >>> found.cells.tolist(), [one.tolist() for one in found.on([np.array([0.0, 50.0, 100.0])])]
    ([[1, 0, 1], [0, 0, 1]], [[[1, 1], [0, 1]]])
    """

    cells: IntArray
    shares: IntArray
    edges: Edges
    space: FeatureSpace
    classes: tuple[str, ...]

    @classmethod
    def _counter(
        cls, schema: Schema, edges: Sequence[Sequence[float] | FloatArray] = (), **public: Any
    ) -> RowCounter:
        numeric = [one for one in FeatureSpace.of(schema).features if one.kind == "numeric"]
        given = tuple(np.asarray(one, dtype=np.float64) for one in edges)
        if len(given) != len(numeric):
            raise InvalidArgument("edges", len(given), f"edges of {len(numeric)} numeric features")
        for one, feature in zip(given, numeric, strict=True):
            (low, high), ends = feature.bounds, np.array(feature.bounds)
            ends = with_missing_cell(ends)[1:] if feature.missing else ends[1:]
            rising = one.ndim == 1 and one.size > ends.size and bool((np.diff(one) > 0).all())
            if not rising or one[0] != low or not np.array_equal(one[-ends.size :], ends):
                cell = ", and `with_missing_cell`" if feature.missing else ""
                requirement = f"increasing from {low:g} to {high:g}{cell}"
                raise InvalidArgument("edges", one.tolist(), requirement)
        return _HistogramsCounter(schema, given)

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> FeatureHistograms:
        assert isinstance(counter, _HistogramsCounter)
        classes = counter.schema.label.classes
        rows = counts.reshape(len(classes), -1)
        split = sum(one.size - 1 for one in counter.edges)
        space = FeatureSpace.of(counter.schema)
        return cls(rows[:, :split], rows[:, split:], counter.edges, space, classes)

    def on(self, edges: Sequence[FloatArray]) -> list[IntArray]:
        """Counts on coarser cells, shape (classes, cells) for each numeric feature (private).

        Raises
        ------
        InvalidArgument
            If an edge of theirs is none of ours.
        """
        starts = np.cumsum([0, *(one.size - 1 for one in self.edges)])
        folded = []
        for start, fine, coarse in zip(starts, self.edges, edges, strict=False):
            places = np.searchsorted(fine, coarse)
            if not np.array_equal(fine[np.minimum(places, fine.size - 1)], coarse):
                raise InvalidArgument("edges", "of other cells", "those that were counted")
            counts = self.cells[:, start : start + fine.size - 1]
            folded.append(np.add.reduceat(counts, places[:-1], axis=1))
        return folded

    def shares_of(self, block: Block) -> FloatArray:
        """Sum of the shares of each word of a text, shape (classes, words) (private).

        Parameters
        ----------
        block : Block
            Of the texts of `space`, by its name.
        """
        start = 0
        for text in _texts(self.space):
            width = text.stop - text.start
            if text.name == block.name:
                found = self.shares[:, start : start + width] / SHARE_UNITS
                return np.asarray(found, dtype=np.float64)
            start += width
        raise InvalidArgument("block", block.name, "a text of the table")


def _texts(space: FeatureSpace) -> list[Block]:
    return [block for block in space.blocks if block.kind == "bag"]


@dataclass(frozen=True)
class _HistogramsCounter(RowCounter):
    edges: Edges

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        classes, space = len(self.schema.label.classes), FeatureSpace.of(self.schema)
        width = sum(one.size - 1 for one in self.edges)
        width += sum(text.stop - text.start for text in _texts(space))
        total = np.zeros((classes, width), dtype=np.int64)
        for rows, codes in encoded(batches, self.schema):
            total += self._count(rows, codes, classes)
        return total.ravel()

    def _count(self, rows: BoundedRows, codes: IntArray, classes: int) -> IntArray:
        numbers = [
            cell_counts(rows.numeric[:, feature], edges, codes, classes)
            for feature, edges in enumerate(self.edges)
        ]
        texts = [
            word_shares(rows.indicators[:, block.start : block.stop], codes, classes)
            for block in rows.indicator_blocks
            if block.kind == "bag"
        ]
        empty = np.zeros((classes, 0), dtype=np.int64)
        return np.hstack([empty, *numbers, *texts])
