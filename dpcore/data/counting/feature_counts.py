"""Sums over records per class: indicators, and shares of the words of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias, cast

import numpy as np
import pandas as pd

from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.data.counting.back_end import Columns, Progress, as_series, count_collection, count_here
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.files import file_parts
from dpcore.errors import InvalidArgument
from dpcore.schema import FeatureSpace, Numeric, Schema, encode
from dpcore.schema.cell_arrays import column_of, frame_of
from dpcore.schema.cells import Decimal, as_array
from dpcore.schema.schema import label_codes
from dpcore.schema.space import SparseMatrix

# Rows, and the place of each one's class among those declared.
Encoded: TypeAlias = Iterator[tuple[BoundedRows, IntArray]]


def column_names(schema: Schema) -> tuple[str, ...]:
    """Names of the features and the label, which counters of a schema read."""
    return (*(column.name for column in schema.features), schema.label.name)


def number_names(schema: Schema) -> dict[str, Decimal]:
    """Features that are numbers, by their decimal mark; other cells stay as they are written."""
    return {column.name: "." for column in schema.features if isinstance(column, Numeric)}


def encoded(batches: Iterable[Columns], schema: Schema) -> Encoded:
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
        columns = {one.name: as_series(batch[one.name][kept]) for one in schema.features}
        design = encode(pd.DataFrame(columns, index=range(kept.size)), schema)
        yield BoundedRows.of(design.matrix, design.space), codes[kept]


@dataclass(frozen=True)
class RowCounter:
    """Adds up what an aggregate counts, as one vector of whole numbers."""

    of: type[RowAggregate]
    schema: Schema
    public: Mapping[str, Any]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that it reads."""
        return column_names(self.schema)

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        """The vector of all batches."""
        space, classes = FeatureSpace.of(self.schema), len(self.schema.label.classes)
        nobody = BoundedRows.of(np.zeros((0, len(space.features))), space)
        total = self.of._count(nobody, np.zeros(0, dtype=np.int64), classes, **self.public)
        for rows, codes in encoded(batches, self.schema):
            total += self.of._count(rows, codes, classes, **self.public)
        return total


@dataclass(frozen=True, eq=False, kw_only=True)
class RowAggregate:
    """What is counted of the rows of a table of any size; `public` is what else counting needs."""

    space: FeatureSpace
    classes: tuple[str, ...]

    @classmethod
    def _counter(cls, schema: Schema, **public: Any) -> RowCounter:
        return RowCounter(cls, schema, public)

    @classmethod
    def _count(cls, rows: BoundedRows, codes: IntArray, classes: int, **public: Any) -> IntArray:
        raise NotImplementedError

    @classmethod
    def _of(cls, counts: IntArray, schema: Schema, **public: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def from_frame(cls, frame: Any, schema: Schema, **public: Any) -> Self:
        """Count the rows of a data frame, or of a table of Arrow or polars."""
        counter, frame = cls._counter(schema, **public), frame_of(frame)
        batch: Columns = {name: as_array(column_of(frame, name)) for name in counter.columns}
        return cls._of(counter([batch]), schema, **counter.public)

    @classmethod
    def from_files(
        cls,
        paths: Sequence[Path | str] | Path,
        schema: Schema,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
        **public: Any,
    ) -> Self:
        """Count the rows of files; see `ScoreHistogram.from_files`."""
        counter = cls._counter(schema, **public)
        parts = file_parts(paths, counter.columns, numbers=number_names(schema))
        counts = count_here(parts, counter, workers=workers, progress=progress)
        return cls._of(counts, schema, **counter.public)

    @classmethod
    def from_dask(
        cls, collection: Any, schema: Schema, *, scheduler: str | None = None, **public: Any
    ) -> Self:
        """Count the rows of a Dask data frame; see `ScoreHistogram.from_dask`."""
        counter = cls._counter(schema, **public)
        counts = count_collection(collection, counter, scheduler=scheduler)
        return cls._of(counts, schema, **counter.public)

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


# Summands are whole multiples of 2^-30: up to 2^33 of them add up in 64 bits, in any order.
MOMENT_UNITS = 2.0**30


# The sums of so many are exact in double precision too, in whatever order they are added.
_EXACT_ROWS = 2**22


def moment_units(columns: Iterable[FloatArray], classes: IntArray, n_classes: int) -> IntArray:
    """Sums per class of u and of u^2 - 1/2 in units of 2^-30, shape (2, n_classes, columns).

    Examples
    --------
    >>> moment_units([np.array([1.0, 0.5])], np.array([1, 1]), 2)[:, 1] / MOMENT_UNITS
    array([[1.5 ],
           [0.25]])
    """
    members = np.equal.outer(np.arange(n_classes), classes).astype(np.float64)
    found = [np.zeros((2, n_classes, 0), dtype=np.int64)]
    for values in columns:
        units = np.rint(np.stack([values, values * values - 0.5]) * MOMENT_UNITS)
        sums = np.zeros((2, n_classes, 1), dtype=np.int64)
        for start in range(0, classes.size, _EXACT_ROWS):
            some = slice(start, start + _EXACT_ROWS)
            sums[:, :, 0] += (units[:, some] @ members[:, some].T).astype(np.int64)
        found.append(sums)
    return np.dstack(found)


# A row's share of one word is rounded down to whole units of 2^-24, which add up without rounding.
SHARE_UNITS = 2**24


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


def _by_class(rows: SparseMatrix, classes: IntArray, n: int, weights: Any = None) -> NDArray[Any]:
    """Sum of the weights of the entries, each 1 if left out, per class (of n) and column."""
    width = rows.shape[1]
    places = np.repeat(classes, np.diff(rows.indptr)) * width + rows.indices
    return np.bincount(places, weights, n * width).reshape(n, width)
