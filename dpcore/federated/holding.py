"""The records of one party, as cells of the public grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.federated.plan import Plan

__all__ = ["Holding", "divided"]


@dataclass(frozen=True, eq=False)
class Holding:
    """Private records of one party.

    Parameters
    ----------
    cells : int array, shape (records,)
        Cell of each record.
    classes : int array, shape (records,)
        Class of each record; zeros if there is but one.
    """

    cells: IntArray
    classes: IntArray

    @classmethod
    def of_values(
        cls, values: ArrayLike, grid: FloatArray, classes: ArrayLike | None = None
    ) -> Holding:
        """Place values: cell j holds what is above grid point j - 1 and at most grid point j.

        Values beyond the last point are moved to it.

        Raises
        ------
        InvalidArgument
            If a value is missing, or classes are not one whole number for each value.

        Examples
        --------
        >>> Holding.of_values([0.2, 0.5, 9.0], np.array([0.25, 0.5, 1.0])).cells.tolist()
        [0, 1, 2]
        """
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.ndim != 1 or np.isnan(numbers).any():
            raise InvalidArgument("values", numbers.shape, "a vector without missing numbers")
        cells = np.minimum(np.searchsorted(grid, numbers), grid.size - 1).astype(np.int64)
        labels = np.zeros(cells.size, dtype=np.int64) if classes is None else np.asarray(classes)
        if labels.shape != cells.shape or not np.issubdtype(labels.dtype, np.integer):
            raise InvalidArgument("classes", labels.shape, f"{cells.size} whole numbers")
        return cls(cells, labels.astype(np.int64))

    @property
    def size(self) -> int:
        """Number of records (private)."""
        return self.cells.size

    def checked(self, plan: Plan) -> Holding:
        """The holding itself, or `InvalidArgument` unless all records lie on the plan's grid."""
        for name, values, end in (
            ("cells", self.cells, plan.cells),
            ("classes", self.classes, plan.classes),
        ):
            if values.ndim != 1 or values.shape != self.cells.shape:
                raise InvalidArgument(name, values.shape, "one number for each record")
            if values.size and not 0 <= values.min() <= values.max() < end:
                raise InvalidArgument(name, f"{values.min()} to {values.max()}", f"below {end}")
        return self

    def counts_up_to(self, points: IntArray, plan: Plan) -> IntArray:
        """Exact numbers of records in the cells up to each point, shape (classes, points)."""
        rows = [np.sort(self.cells[self.classes == one]) for one in range(plan.classes)]
        found = [np.searchsorted(row, points, side="right") for row in rows]
        return np.asarray(found, dtype=np.int64).reshape(plan.classes, points.size)


def divided(whole: Holding, parties: int) -> tuple[Holding, ...]:
    """Records dealt out to parties in turn, for demonstrations.

    Examples
    --------
    >>> whole = Holding(np.arange(5), np.zeros(5, dtype=np.int64))
    >>> [one.cells.tolist() for one in divided(whole, 2)]
    [[0, 2, 4], [1, 3]]
    """
    return tuple(
        Holding(whole.cells[first::parties], whole.classes[first::parties])
        for first in range(parties)
    )
