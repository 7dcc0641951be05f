"""Features as points: how much of each lies outside and inside of class 1."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates import FeatureCounts
from dpcore.aggregates.feature_counts import feature_sums
from dpcore.schema.matrix import SparseMatrix

__all__ = ["counted_points", "feature_points", "group_sizes"]


def feature_points(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """The two counts of every feature, or sums of weights (private), shape (features, 2).

    Without classes all records lie outside.
    """
    inside = np.zeros(indicators.shape[0], dtype=np.int64)
    if classes is not None:
        inside = (classes == 1).astype(np.int64)
    return np.ascontiguousarray(feature_sums(indicators, inside, 2).T)


def counted_points(table: FeatureCounts) -> FloatArray:
    """The same of a table that was counted elsewhere."""
    outside = np.delete(table.counts, 1, axis=0).sum(axis=0)
    inside = table.counts[1:2].sum(axis=0)
    return np.column_stack([outside, inside]).astype(np.float64)


def group_sizes(table: FeatureCounts) -> IntArray:
    """Number of records outside and inside of class 1 (private), shape (2,)."""
    inside = table.sizes[1:2].sum()
    return np.array([table.sizes.sum() - inside, inside])
