"""A weight per cell of a public grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.aggregates.feature_cells import cell_of


@dataclass(frozen=True)
class CellsTerm:
    """For each numeric feature, the weight of the cell that the value lies in.

    Parameters
    ----------
    edges : tuple of float arrays
        One per numeric feature, in its own units.
    weights : tuple of float arrays, each of shape (scores, cells)
    """

    kind: ClassVar[str] = "cells"
    edges: tuple[FloatArray, ...]
    weights: tuple[FloatArray, ...]

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores)."""
        total = np.zeros((rows.n_rows, self.weights[0].shape[0]))
        for feature, (edges, weights) in enumerate(zip(self.edges, self.weights, strict=True)):
            total += weights.T[cell_of(rows.numeric[:, feature], edges)]
        return total

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types."""
        return {
            "kind": self.kind,
            "edges": [edges.tolist() for edges in self.edges],
            "weights": [weights.tolist() for weights in self.weights],
        }

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> CellsTerm:
        """Read what `to_plain` wrote."""
        return cls(
            tuple(np.array(edges, dtype=np.float64) for edges in document["edges"]),
            tuple(np.array(weights, dtype=np.float64) for weights in document["weights"]),
        )
