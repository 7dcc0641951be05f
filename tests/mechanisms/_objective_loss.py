"""The exact privacy loss of objective perturbation, point by point.

The minimiser w determines the tilt: it is minus the gradient of the untilted objective at w. So the
density of w is the density of that tilt times the determinant of the second derivatives at w, and
the privacy loss on two data sets is the largest absolute difference of its logarithm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore import Neighbors

Record = tuple[tuple[float, ...], int]
Data = Sequence[Record]


@dataclass(frozen=True)
class Density:
    """Log-density of the exact minimiser, up to a constant that no data set changes.

    `mechanism` can write down its objective; `law` is the log-density of the tilt; `targets` turns
    class numbers into what the objective wants.
    """

    mechanism: Any
    law: Callable[[np.ndarray], float]
    targets: Callable[[np.ndarray], np.ndarray]
    width: int

    def at(self, data: Data, points: np.ndarray) -> np.ndarray:
        """Values at points of shape (points, parameters)."""
        rows = np.array([row for row, _ in data], dtype=np.float64).reshape(-1, self.width)
        labels = np.array([label for _, label in data], dtype=np.int64)
        tilt = np.zeros(points.shape[1])
        untilted = self.mechanism.objective(rows, self.targets(labels), tilt)
        return np.array([self._at(untilted, point) for point in points])

    def _at(self, untilted: Any, point: np.ndarray) -> float:
        _, gradient = untilted.value_and_gradient(point)
        _, log_determinant = np.linalg.slogdet(untilted.hessian(point))
        return self.law(-gradient) + float(log_determinant)

    def worst_loss(self, records: Sequence[Record], bases: list[Data], points: np.ndarray) -> float:
        """Largest log-ratio over all neighbours that the bases and records make, and all points."""
        worst = 0.0
        for base in bases:
            grown = np.array([self.at([*base, record], points) for record in records])
            if self.mechanism.neighbors is Neighbors.ADD_REMOVE:
                worst = max(worst, np.abs(grown - self.at(base, points)).max())
            else:
                worst = max(worst, (grown.max(axis=0) - grown.min(axis=0)).max())
        return worst
