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
        return self._of(*self._sums(data, points))

    def _sums(self, data: Data, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients and second derivatives of the untilted objective at each point."""
        rows = np.array([row for row, _ in data], dtype=np.float64).reshape(-1, self.width)
        labels = np.array([label for _, label in data], dtype=np.int64)
        tilt = np.zeros(points.shape[1])
        untilted = self.mechanism.objective(rows, self.targets(labels), tilt)
        gradients = [untilted.value_and_gradient(point)[1] for point in points]
        return np.array(gradients), np.array([untilted.hessian(point) for point in points])

    def _of(self, gradients: np.ndarray, hessians: np.ndarray) -> np.ndarray:
        determinants = np.linalg.slogdet(hessians)[1]
        return determinants + np.array([self.law(-gradient) for gradient in gradients])

    def worst_loss(self, records: Sequence[Record], bases: list[Data], points: np.ndarray) -> float:
        """Largest log-ratio over all neighbours that the bases and records make, and all points.

        The objective is a sum over the records, so what each adds is computed once for all bases;
        that it is one is looked at for a record of each base.
        """
        penalty = self._sums([], points)
        added = [
            [part - none for part, none in zip(self._sums([record], points), penalty, strict=True)]
            for record in records
        ]
        worst = 0.0
        for base in bases:
            sums = self._sums(base, points)
            grown = np.array([self._of(sums[0] + one, sums[1] + two) for one, two in added])
            whole = self.at([*base, records[-1]], points)
            np.testing.assert_allclose(grown[-1], whole, rtol=1e-9, atol=1e-9)
            if self.mechanism.neighbors is Neighbors.ADD_REMOVE:
                worst = max(worst, np.abs(grown - self._of(*sums)).max())
            else:
                worst = max(worst, (grown.max(axis=0) - grown.min(axis=0)).max())
        return worst
