"""The records of one party, as cells of the public grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.federated.session import Plan
from dpcore.privacy import Neighbors
from dpcore.schema.cell_arrays import numbers_of

# Of a record without a value or a class; and beyond it no plan has classes.
_NONE, _MOST_CLASSES = -1, 2**31


@dataclass(frozen=True, eq=False)
class Holding:
    """Private records of one party.

    Parameters
    ----------
    cells : int array, shape (records,)
        Cell of each record; one that is on no grid, such as -1, if it has no value.
    classes : int array, shape (records,)
        Class of each record; zeros if there is but one.

    Raises
    ------
    InvalidArgument
        If there is not one whole number of either kind for each record.
    """

    cells: IntArray
    classes: IntArray

    def __post_init__(self) -> None:
        for name, column in (("cells", self.cells), ("classes", self.classes)):
            if column.ndim != 1 or not np.issubdtype(column.dtype, np.integer):
                raise InvalidArgument(name, str(column.dtype), "a vector of whole numbers")
        if self.cells.size != self.classes.size:
            raise InvalidArgument("classes", "another number of them", "one for each record")

    @classmethod
    def of_values(
        cls, values: ArrayLike, grid: FloatArray, classes: ArrayLike | None = None
    ) -> Holding:
        """Place values: cell j holds what is above grid point j - 1 and at most grid point j.

        Values beyond the last point are moved to it. What is missing or no number has no cell, and
        a class that is no whole number is none; see `under`.

        Raises
        ------
        InvalidArgument
            If values or classes are no vectors of equal length, or of a type that holds no numbers.

        Examples
        --------
        >>> Holding.of_values([0.2, 0.5, 9.0, None], np.array([0.25, 0.5, 1.0])).cells.tolist()
        [0, 1, 2, -1]
        """
        numbers = numbers_of(values, "values")
        places = np.minimum(np.searchsorted(grid, numbers), grid.size - 1)
        cells = np.where(np.isnan(numbers), _NONE, places).astype(np.int64)
        if classes is None:
            return cls(cells, np.zeros_like(cells))
        labels = numbers_of(classes, "classes").astype(np.float64)
        known = (labels >= 0) & (labels < _MOST_CLASSES) & (np.floor(labels) == labels)
        return cls(cells, np.where(known, labels, _NONE).astype(np.int64))

    @property
    def size(self) -> int:
        """Number of records (private)."""
        return self.cells.size

    def as_counted(self, plan: Plan) -> Holding:
        """The records that are counted: those on the plan's grid, and of one of its classes.

        Privacy
            No record makes an error, which would tell of it for nothing. Under add-remove one off
            the grid is left out. Under replace, where the number of records is public, it counts in
            the first cell of the first class: it is then one record before and after it is
            replaced.

        Examples
        --------
        >>> some = Holding(np.array([1, -1, 7]), np.zeros(3, dtype=np.int64))
        >>> [
        ...     some.as_counted(Plan(depth=2, epsilon=1, neighbors=neighbors)).cells.tolist()
        ...     for neighbors in Neighbors
        ... ]
        [[1], [1, 0, 0]]
        """
        usable = np.ones(self.size, dtype=np.bool_)
        for column, end in ((self.cells, plan.cells), (self.classes, plan.classes)):
            usable &= (column >= 0) & (column < end)
        if plan.neighbors is Neighbors.REPLACE:
            return Holding(np.where(usable, self.cells, 0), np.where(usable, self.classes, 0))
        return Holding(self.cells[usable], self.classes[usable])

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
