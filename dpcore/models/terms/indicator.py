"""Weights of indicators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows


@dataclass(frozen=True)
class IndicatorTerm:
    """The sum of the weights of the indicators that a record has.

    Parameters
    ----------
    weights : float array, shape (scores, indicators)
    """

    kind: ClassVar[str] = "indicator"
    weights: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        # A sparse product adds the weights row by row, in the order of the columns: no BLAS.
        return np.asarray(cast(Any, rows.indicators) @ self.weights.T, dtype=np.float64)

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types."""
        return {"kind": self.kind, "weights": self.weights.tolist()}

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> IndicatorTerm:
        """Read what `to_plain` wrote."""
        return cls(np.array(document["weights"], dtype=np.float64))
