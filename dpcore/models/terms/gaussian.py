"""Normal laws of numbers that are scaled by their public bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.models.terms.fixed_order import fixed_order_product


@dataclass(frozen=True)
class GaussianTerm:
    """Log-densities of the numeric features, each mapped from its bounds to [-1, 1].

    Parameters
    ----------
    means, variances : float arrays, shape (scores, numeric features)
        Variances are positive.
    """

    kind: ClassVar[str] = "gaussian"
    means: FloatArray
    variances: FloatArray

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Sum of the log-densities for each score of each record, shape (n, scores)."""
        # The square of (value - mean), multiplied out, is two products.
        values, precision = rows.scaled, 1.0 / self.variances
        constant = (self.means**2 * precision + np.log(2 * np.pi * self.variances)).sum(axis=1)
        quadratic = fixed_order_product(values * values, precision)
        quadratic -= 2.0 * fixed_order_product(values, self.means * precision)
        return np.asarray(-0.5 * (quadratic + constant), dtype=np.float64)

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types."""
        return {
            "kind": self.kind,
            "means": self.means.tolist(),
            "variances": self.variances.tolist(),
        }

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> GaussianTerm:
        """Read what `to_plain` wrote."""
        return cls(
            np.array(document["means"], dtype=np.float64),
            np.array(document["variances"], dtype=np.float64),
        )
