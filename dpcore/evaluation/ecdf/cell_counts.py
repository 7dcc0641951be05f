"""Exact counts of values in the cells of a public grid: all that a method reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_histogram import with_left_out
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors
from dpcore.schema.cell_arrays import numbers_of


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Number of records in each cell (private) of a grid (public).

    Parameters
    ----------
    counts : int array, shape (points,)
        ``counts[i]`` records lie above ``grid[i - 1]`` and at most at ``grid[i]``. The first cell
        has no lower end.
    grid : float array, shape (points,)
        Strictly increasing.
    part : str, default "all"
        Which records were counted, if not all, such as "positives". Their number is private under
        *both* relations, because a replaced record can leave the part.
    left_out : int, default 0
        Number of records without a usable value (private): in no cell. Under replace, where the
        number of all records is public, `private_ecdf` counts them in the first one.

    Sensitivity
        L1: add-remove 1, because a record lies in one cell; replace 2.

    Examples
    --------
    >>> CellCounts.from_values([0.2, 0.5, 0.9, 7.0], [0.25, 0.5, 1.0]).counts.tolist()
    [1, 1, 2]
    """

    counts: IntArray
    grid: FloatArray
    part: str = "all"
    left_out: int = 0

    def __post_init__(self) -> None:
        grid, counts = _check.rising(self.grid), np.asarray(self.counts)
        integers = np.issubdtype(counts.dtype, np.integer)
        if counts.shape != grid.shape or not integers or (counts < 0).any():
            required = f"{grid.size} whole numbers of zero or more"
            raise InvalidArgument("counts", f"{counts.dtype} {counts.shape}", required)
        object.__setattr__(self, "grid", grid)
        object.__setattr__(self, "counts", counts.astype(np.int64))

    @classmethod
    def from_values(cls, values: ArrayLike, grid: ArrayLike) -> CellCounts:
        """Count values; those beyond an end of the grid are moved to that end.

        What is missing or no number is left out, and makes no error.

        Raises
        ------
        InvalidArgument
            If `values` is not a vector, or of a type that holds no numbers.
        """
        points = _check.rising(grid)
        numbers = numbers_of(values, "values")
        present = numbers[~np.isnan(numbers)]
        cell = np.minimum(np.searchsorted(points, present), points.size - 1)
        counts = np.bincount(cell, minlength=points.size)
        return cls(counts, points, left_out=numbers.size - present.size)

    def as_counted(self, neighbors: Neighbors) -> IntArray:
        """The counts that a method reads; see `ScoreHistogram.as_counted`."""
        return with_left_out(self.counts, self.left_out, neighbors)

    @property
    def cdf(self) -> FloatArray:
        """The exact distribution function (private): the truth, for simulations only."""
        below = np.cumsum(self.counts)
        return np.asarray(below / max(below[-1], 1), dtype=np.float64)


def require_numbers(values: ArrayLike) -> None:
    """Name the first missing value, which with real noise would be left out in silence.

    Raises
    ------
    InvalidArgument
        If a value is missing or no number.

    Examples
    --------
    >>> require_numbers([0.5, 7.0])
    """
    missing = np.isnan(numbers_of(values, "values"))
    if missing.any():
        row = int(np.argmax(missing))
        raise InvalidArgument(f"values[{row}]", "NaN", "a number; fill missing values first")


def ecdf_of_scores(
    histogram: ScoreHistogram,
    part: str = "all",
    *,
    points: int | None = None,
    grid: ArrayLike | None = None,
) -> CellCounts:
    """The scores of one class, or of all records, ready for `private_ecdf`.

    Parameters
    ----------
    histogram : ScoreHistogram
    part : str, default "all"
        "positives", "negatives" or "all".
    points : int, optional
        Merge the histogram's cells, in even steps, to this many; all of them if left out.
    grid : array-like, shape (m,), optional
        Public and increasing: count between these scores, and not by steps of cells.

    Returns
    -------
    CellCounts
        On the grid; or on the upper edges of the histogram's cells, so the last grid point is 1.

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> cells = ecdf_of_scores(scores, "negatives", points=4)
    >>> cells.counts.tolist(), cells.grid.round(4).tolist()
    ([0, 1, 1, 0], [0.0, 0.5, 1.0, 1.0])
    """
    _check.one_of(("positives", "negatives", "all"), part=part)
    sides = ("positives", "negatives") if part == "all" else (part,)
    cells = histogram.edges.size - 1
    if grid is None:
        wanted = cells if points is None else points
        _check.integer_in_range(2, cells, points=wanted)
        marks = np.linspace(0, cells, wanted + 1).round().astype(np.int64)
        below = sum(getattr(histogram, f"{side}_below") for side in sides)
        counts, ends = np.diff(below[marks]), histogram.edges[marks[1:]]
    elif points is not None:
        raise InvalidArgument("points", points, "left out beside a grid")
    else:
        ends = _check.rising(grid)
        cell = np.minimum(np.searchsorted(ends, histogram.centers), ends.size - 1)
        each = sum(getattr(histogram, side) for side in sides)
        counts = np.bincount(cell, weights=each, minlength=ends.size).astype(np.int64)
    # A record that was left out counts as a negative one, and never as a positive one.
    left_out = 0 if part == "positives" else histogram.left_out
    return CellCounts(counts, ends, part, left_out=left_out)
