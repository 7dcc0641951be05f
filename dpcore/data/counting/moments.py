"""Sums and sums of squares of numeric features of a table of any size, without rounding errors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.back_end import Columns
from dpcore.data.counting.encoded_rows import RowAggregate, RowCounter, encoded
from dpcore.data.counting.feature_counts import class_sizes
from dpcore.errors import InvalidArgument
from dpcore.schema import FeatureSpace, Schema

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
        return _Counter(schema)

    @classmethod
    def _of(cls, counts: IntArray, counter: RowCounter) -> Moments:
        classes = counter.schema.label.classes
        sizes, totals = counts[: len(classes)], counts[len(classes) :]
        space = FeatureSpace.of(counter.schema)
        return cls(sizes, totals.reshape(2, len(classes), -1), space, classes)

    def merge(self, other: Moments) -> Moments:
        """Add the sums of two disjoint sets of records of one schema."""
        if self.space != other.space or self.classes != other.classes:
            raise InvalidArgument("other", "moments of another table", "of the same schema")
        sizes, totals = self.sizes + other.sizes, self.totals + other.totals
        return Moments(sizes, totals, self.space, self.classes)

    __add__ = merge


class _Counter(RowCounter):
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
