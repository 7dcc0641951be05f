"""Weights of numbers that are scaled by their public bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.models.terms.fixed_order import fixed_order_product


@dataclass(frozen=True)
class LinearTerm:
    """A weighted sum of the numeric features, each mapped from its bounds to [-1, 1].

    Parameters
    ----------
    weights : float array, shape (scores, numeric features)
    """

    kind: ClassVar[str] = "linear"
    weights: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        return fixed_order_product(rows.scaled, self.weights)

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types."""
        return {"kind": self.kind, "weights": self.weights.tolist()}

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> LinearTerm:
        """Read what `to_plain` wrote."""
        return cls(np.array(document["weights"], dtype=np.float64))
