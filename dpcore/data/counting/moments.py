"""Sums and sums of squares of numeric features of a table of any size, without rounding errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.back_end import Columns, Progress, count_here
from dpcore.data.counting.dask_back_end import count_collection
from dpcore.data.counting.encoded_rows import batch_of, column_names, encoded, number_names
from dpcore.data.counting.feature_counts import class_sizes
from dpcore.data.counting.files import file_parts
from dpcore.errors import InvalidArgument
from dpcore.schema import FeatureSpace, Schema

__all__ = ["Moments"]

# Summands are whole multiples of 2^-30: up to 2^33 of them add up in 64 bits, in any order.
_UNITS = 2.0**30


@dataclass(frozen=True, eq=False)
class Moments:
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
    def from_frame(cls, frame: Any, schema: Schema) -> Moments:
        """Add up the rows of a pandas data frame."""
        return cls.from_vector(_Counter(schema)([batch_of(frame, schema)]), schema)

    @classmethod
    def from_files(
        cls,
        paths: Sequence[Path],
        schema: Schema,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Moments:
        """Add up the rows of files; see `ScoreHistogram.from_files`."""
        counter = _Counter(schema)
        parts = file_parts(paths, counter.columns, numbers=number_names(schema))
        return cls.from_vector(
            count_here(parts, counter, workers=workers, progress=progress), schema
        )

    @classmethod
    def from_dask(cls, collection: Any, schema: Schema, *, scheduler: str | None = None) -> Moments:
        """Add up the rows of a Dask data frame; see `ScoreHistogram.from_dask`."""
        counts = count_collection(collection, _Counter(schema), scheduler=scheduler)
        return cls.from_vector(counts, schema)

    @classmethod
    def from_vector(cls, counts: IntArray, schema: Schema) -> Moments:
        """Read what was added up: the sizes, and then the totals."""
        classes = len(schema.label.classes)
        totals = counts[classes:].reshape(2, classes, -1)
        return cls(counts[:classes], totals, FeatureSpace.of(schema), schema.label.classes)

    def merge(self, other: Moments) -> Moments:
        """Add the sums of two disjoint sets of records of one schema."""
        if self.space != other.space or self.classes != other.classes:
            raise InvalidArgument("other", "moments of another table", "of the same schema")
        sizes, totals = self.sizes + other.sizes, self.totals + other.totals
        return Moments(sizes, totals, self.space, self.classes)

    __add__ = merge


@dataclass(frozen=True)
class _Counter:
    schema: Schema

    @property
    def columns(self) -> tuple[str, ...]:
        return column_names(self.schema)

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
