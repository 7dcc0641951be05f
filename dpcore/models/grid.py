"""Public cells of numeric features, and counts in them."""

from typing import NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, Interval
from dpcore.data.counting.number_cells import with_missing_cell
from dpcore.schema import FeatureSpace, Schema
from dpcore.schema.columns import usable_bounds


class Ends(NamedTuple):
    """Parts of [-1, 1], to which bounds are mapped, shape (columns,) each."""

    low: FloatArray
    high: FloatArray


def drawn_in(bounds: Interval, low: float, high: float) -> Interval:
    """The part of some bounds, which stay as they are if rounding would blur it.

    Examples
    --------
    >>> drawn_in((0.0, 200.0), -1.0, 0.0)
    (0.0, 100.0)
    """
    half, middle = bounds[1] / 2.0 - bounds[0] / 2.0, bounds[1] / 2.0 + bounds[0] / 2.0
    part = (
        bounds[0] if low == -1.0 else middle + low * half,
        bounds[1] if high == 1.0 else middle + high * half,
    )
    return part if usable_bounds(part) else bounds


def anchored_grid(
    bounds: Interval, *, cells: int, halvings: int, anchor: float | None = None
) -> FloatArray:
    """Edges of public cells, shape (cells + ... + 1,), from the lower to the upper bound.

    Amounts, counts and durations crowd near zero and thin out over their range. Besides `cells`
    equal cells the grid has edges at the anchor and at 1/2, 1/4, ... of a cell from it, on both
    sides. The anchor is 0 if the bounds hold it, else the lower bound: the data are not asked.
    Bounds that were drawn in have the anchor of the declared ones, no halvings if it is outside:
    the outermost cells, which then hold all that lies beyond, must not be the smallest.

    Parameters
    ----------
    cells
        At least 1.
    halvings
        Zero or more.
    anchor
        Of the declared bounds.

    Examples
    --------
    >>> anchored_grid((0.0, 8.0), cells=2, halvings=2).tolist()
    [0.0, 1.0, 2.0, 4.0, 8.0]
    >>> anchored_grid((-4.0, 4.0), cells=2, halvings=1).tolist()
    [-4.0, -2.0, 0.0, 2.0, 4.0]
    """
    _check.integer_in_range(1, None, cells=cells)
    _check.integer_in_range(0, 60, halvings=halvings)
    low, high = bounds
    if anchor is None:
        anchor = _anchor_of(bounds)
    # As `np.linspace`, at a third of the time.
    equal: FloatArray = np.arange(cells + 1.0) * ((high - low) / cells) + low
    equal[-1] = high
    if not halvings or not low <= anchor <= high:
        return equal
    near = (high - low) / cells * 0.5 ** np.arange(1, halvings + 1)
    edges = np.concatenate([equal, anchor - near, [anchor], anchor + near]).clip(low, high)
    edges.sort()
    return np.concatenate([edges[:1], edges[1:][edges[1:] > edges[:-1]]])


# Of methods whose grid does not depend on how many records there are.
EQUAL_CELLS = 10

# Equal cells, which grow with the root of the records per unit of noise, 4 at 150 of them, and most
# halvings, of which there is one more with every half doubling from 60 on. Three cells serve few
# records best, but hold all of them in one if bounds are far too wide; two have an edge in the
# middle, however wide bounds are.
_CELLS, _MOST_HALVINGS = (4, 6, 8, 12, 16), 6
_FEWEST = 3
_FOUR_CELLS, _NO_HALVING = 150.0, 60.0


def cells_and_halvings(records_per_noise: float) -> tuple[int, int]:
    """How finely naive Bayes cuts a number.

    Examples
    --------
    >>> [cells_and_halvings(records) for records in (30.0, 150.0, 500.0, 3_000.0)]
    [(3, 0), (4, 3), (8, 6), (16, 6)]
    """
    records = max(records_per_noise, 1.0)
    wanted = _CELLS[0] * np.sqrt(records / _FOUR_CELLS)
    cells = min((_FEWEST, *_CELLS), key=lambda number: abs(np.log(number / wanted)))
    return cells, int(np.clip(round(2.0 * np.log2(records / _NO_HALVING)), 0, _MOST_HALVINGS))


def public_grids(
    space: FeatureSpace, records_per_noise: float, ends: Ends | None = None
) -> tuple[FloatArray, ...]:
    """Fine grids where a cell's share of the records stands out from the noise of its count.

    Parameters
    ----------
    records_per_noise
        Released number of records per unit of noise.
    ends : Ends, default all of them
        The released part of their bounds in which numbers lie.
    """
    cells, halvings = cells_and_halvings(records_per_noise)
    return space_grids(space, cells=cells, halvings=halvings, ends=ends)


def space_grids(
    space: FeatureSpace, *, cells: int, halvings: int = 0, ends: Ends | None = None
) -> tuple[FloatArray, ...]:
    """The grid of each numeric feature, with one more cell if it may be missing."""
    numbers = space.numeric_features
    parts = [feature.bounds for feature in numbers]
    if ends is not None:
        parts = [
            drawn_in(bounds, *part)
            for bounds, part in zip(parts, np.transpose(ends).tolist(), strict=True)
        ]
    grids = [
        anchored_grid(part, cells=cells, halvings=halvings, anchor=_anchor_of(feature.bounds))
        for feature, part in zip(numbers, parts, strict=True)
    ]
    return tuple(
        # Up to the declared bound, for a number beyond a part is not a missing one.
        with_missing_cell(np.append(grid[:-1], feature.bounds[1])) if feature.missing else grid
        for feature, grid in zip(numbers, grids, strict=True)
    )


def _anchor_of(bounds: Interval) -> float:
    return 0.0 if bounds[0] <= 0.0 <= bounds[1] else bounds[0]


def naive_bayes_edges(schema: Schema) -> tuple[FloatArray, ...]:
    """Edges of public cells from which every method's own are put together.

    Returns
    -------
    tuple of float array
        For each numeric feature, for `FeatureHistograms`.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> schema = Schema((Numeric("age", (0, 16)), Label("ill", ("no", "yes"))))
    >>> edges = naive_bayes_edges(schema)
    >>> len(edges), edges[0].size
    (1, 45)
    """
    sizes = [(cells, _MOST_HALVINGS) for cells in (_FEWEST, *_CELLS)] + [(EQUAL_CELLS, 0)]
    space = FeatureSpace.of(schema)
    grids = [space_grids(space, cells=cells, halvings=halvings) for cells, halvings in sizes]
    return tuple(np.unique(np.concatenate(several)) for several in zip(*grids, strict=True))
