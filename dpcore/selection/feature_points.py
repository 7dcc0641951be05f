"""Features as points: how much of each lies outside and inside of class 1."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.feature_counts import feature_sums
from dpcore.selection.problem import Records

__all__ = ["feature_points"]


def feature_points(records: Records) -> FloatArray:
    """The two counts of every feature, or sums of weights (private), shape (features, 2).

    Without classes all records lie outside.
    """
    classes = np.zeros(records.indicators.shape[0], dtype=np.int64)
    if records.classes is not None:
        classes = (records.classes == 1).astype(np.int64)
    return np.ascontiguousarray(feature_sums(records.indicators, classes, 2).T)
