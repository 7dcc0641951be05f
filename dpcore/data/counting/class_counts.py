"""Class sizes and counts of indicators of a table of any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.counting.back_end import Columns, Progress, count_here
from dpcore.data.counting.dask_back_end import count_collection
from dpcore.data.counting.encoded_rows import batch_of, column_names, encoded, number_names
from dpcore.data.counting.feature_counts import class_sizes, feature_counts
from dpcore.data.counting.files import file_parts
from dpcore.errors import InvalidArgument
from dpcore.schema import FeatureSpace, Schema

__all__ = ["FeatureCounts"]


@dataclass(frozen=True, eq=False)
class FeatureCounts:
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
    def from_frame(cls, frame: Any, schema: Schema) -> FeatureCounts:
        """Count the rows of a pandas data frame."""
        return cls.from_vector(_Counter(schema)([batch_of(frame, schema)]), schema)

    @classmethod
    def from_files(
        cls,
        paths: Sequence[Path],
        schema: Schema,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> FeatureCounts:
        """Count the rows of files; see `ScoreHistogram.from_files`."""
        counter = _Counter(schema)
        parts = file_parts(paths, counter.columns, numbers=number_names(schema))
        return cls.from_vector(
            count_here(parts, counter, workers=workers, progress=progress), schema
        )

    @classmethod
    def from_dask(
        cls, collection: Any, schema: Schema, *, scheduler: str | None = None
    ) -> FeatureCounts:
        """Count the rows of a Dask data frame; see `ScoreHistogram.from_dask`."""
        counts = count_collection(collection, _Counter(schema), scheduler=scheduler)
        return cls.from_vector(counts, schema)

    @classmethod
    def from_vector(cls, counts: IntArray, schema: Schema) -> FeatureCounts:
        """Read what was counted: for each class its size, and then its indicators."""
        classes = schema.label.classes
        rows = counts.reshape(len(classes), -1)
        return cls(rows[:, 0], rows[:, 1:], FeatureSpace.of(schema), classes)

    def merge(self, other: FeatureCounts) -> FeatureCounts:
        """Add the counts of two disjoint sets of records of one schema."""
        if self.space != other.space or self.classes != other.classes:
            raise InvalidArgument("other", "counts of another table", "of the same schema")
        sizes, counts = self.sizes + other.sizes, self.counts + other.counts
        return FeatureCounts(sizes, counts, self.space, self.classes)

    __add__ = merge


@dataclass(frozen=True)
class _Counter:
    schema: Schema

    @property
    def columns(self) -> tuple[str, ...]:
        return column_names(self.schema)

    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        classes, features = len(self.schema.label.classes), FeatureSpace.of(self.schema).features
        width = sum(feature.kind == "indicator" for feature in features)
        total = np.zeros((classes, 1 + width), dtype=np.int64)
        for rows, codes in encoded(batches, self.schema):
            total[:, 0] += class_sizes(codes, classes)
            total[:, 1:] += feature_counts(rows.indicators, codes, classes)
        return total.ravel()
