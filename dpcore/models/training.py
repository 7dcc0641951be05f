"""What a training method is given."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from dpcore._typing import IntArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.aggregates.feature_counts import class_sizes, feature_counts
from dpcore.schema import FeatureSpace

__all__ = ["Training"]


@dataclass(frozen=True)
class Training:
    """Private records, every one within its public bounds and in a declared class.

    Parameters
    ----------
    rows : BoundedRows
    classes : int array, shape (n,)
        Class of each record, 0 to n_classes - 1.
    n_classes : int
    """

    rows: BoundedRows
    classes: IntArray
    n_classes: int

    @classmethod
    def of(cls, rows: BoundedRows, classes: IntArray, n_classes: int) -> Training:
        """Leave out records of undeclared class (-1): each by its own label, whoever else is there.

        One record then still changes any sum over records by its own summand at most, under both
        neighbour relations; the number of records kept is private under both.
        """
        declared = np.flatnonzero(classes >= 0)
        if declared.size < classes.size:
            rows, classes = rows.take(declared), classes[declared]
        return cls(rows, classes, n_classes)

    @property
    def space(self) -> FeatureSpace:
        """What the columns are."""
        return self.rows.space

    @property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return class_sizes(self.classes, self.n_classes)

    @property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return feature_counts(self.rows.indicators, self.classes, self.n_classes)

    def fingerprint(self) -> str:
        """A digest of the records that is the same for a dense, a sparse or a 32-bit matrix.

        It labels the stream of simulated noise: a simulation that is run again gives the same
        model, while another fold of the records gets other noise. Never used with real noise.
        """
        means = self.rows.scaled.sum(axis=0) / max(self.rows.n_rows, 1)
        # Rounded, so that the order of summation does not show; adding 0 turns -0 into 0.
        rounded = (np.round(means, 6) + 0.0).tolist()
        summary = (self.sizes.tolist(), self.indicator_counts.tolist(), rounded)
        return hashlib.sha256(repr(summary).encode()).hexdigest()
