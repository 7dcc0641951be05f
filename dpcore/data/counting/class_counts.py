"""Class sizes and counts of indicators of a table of any size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.counting.back_end import Columns
from dpcore.data.counting.encoded_rows import RowAggregate, RowCounter, encoded
from dpcore.data.counting.feature_counts import class_sizes, feature_counts
from dpcore.errors import InvalidArgument
from dpcore.schema import FeatureSpace, Schema


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
        return _Counter(schema)

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> FeatureCounts:
        classes = counter.schema.label.classes
        # For each class its size, and then its indicators.
        rows = counts.reshape(len(classes), -1)
        return cls(rows[:, 0], rows[:, 1:], FeatureSpace.of(counter.schema), classes)

    def merge(self, other: FeatureCounts) -> FeatureCounts:
        """Add the counts of two disjoint sets of records of one schema."""
        if self.space != other.space or self.classes != other.classes:
            raise InvalidArgument("other", "counts of another table", "of the same schema")
        sizes, counts = self.sizes + other.sizes, self.counts + other.counts
        return FeatureCounts(sizes, counts, self.space, self.classes)

    __add__ = merge


class _Counter(RowCounter):
    def __call__(self, batches: Iterable[Columns]) -> IntArray:
        classes, features = len(self.schema.label.classes), FeatureSpace.of(self.schema).features
        width = sum(feature.kind == "indicator" for feature in features)
        total = np.zeros((classes, 1 + width), dtype=np.int64)
        for rows, codes in encoded(batches, self.schema):
            total[:, 0] += class_sizes(codes, classes)
            total[:, 1:] += feature_counts(rows.indicators, codes, classes)
        return total.ravel()
