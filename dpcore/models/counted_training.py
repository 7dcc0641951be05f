"""What a training method is given of records that were counted elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates import FeatureCounts, Moments
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.models.training import Training

__all__ = ["CountedTraining"]


@dataclass(frozen=True)
class CountedTraining(Training):
    """Aggregates in place of records, for methods that read sums alone.

    `rows` is empty: it says what the columns are, and nothing else.

    Parameters
    ----------
    counts : FeatureCounts
    moments : Moments
    """

    counts: FeatureCounts
    moments: Moments

    @classmethod
    def of_aggregates(cls, counts: FeatureCounts, moments: Moments) -> CountedTraining:
        """Take the counts of a table, and the sums of its numbers.

        Both are of the same schema; the sizes are those of `counts`.
        """
        nobody = BoundedRows.of(np.zeros((0, len(counts.space.features))), counts.space)
        none = np.zeros(0, dtype=np.int64)
        return cls(nobody, none, counts.sizes.size, counts, moments)

    @property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return self.counts.sizes

    @property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return self.counts.counts

    @property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features)."""
        return self.moments.sums

    def _totals(self) -> FloatArray:
        return np.asarray(self.moment_sums[0].sum(axis=0), dtype=np.float64)
