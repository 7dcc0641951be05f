"""Where within their declared bounds numbers lie, all columns together: bounds are often wide.

Bounds that are known to hold are wider than the numbers, and sometimes by much. A weight then has
less to say than its noise, and cells stand empty. One release for all columns tells how much of
their bounds numbers use, as a part of [-1, 1] that is the same for every column: a histogram to
which a record adds one number for each column is too noisy for a column of its own, while together
the columns say it exactly enough with a small part of epsilon.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.feature_counts import with_missing_cell
from dpcore.mechanisms import Geometric
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.schema import FeatureSpace, Schema
from dpcore.schema.encoding import usable_bounds

# Cells of [-1, 1]: the more, the more records the release stands out from its noise by.
_FEWEST_CELLS, _MOST_CELLS = 8, 32

# The release should stand out from its noise by so many records, for at most this share of epsilon
# and at least that.
_RECORDS, _MOST, _LEAST = 20.0, 0.1, 0.01

# Before anything is counted, numbers are as likely to fill their bounds as not, and this share of
# them lies anywhere. At the end no more than that may be known to lie outside.
_FULL, _ANYWHERE = 0.5, 0.02

# So many records times epsilon need no part that is in doubt.
_NEEDLESS = 2_000.0

# Ends that are known to within this are known.
_SURE = 0.2


class Ends(NamedTuple):
    """A part of [-1, 1], and whether the counts left little doubt of it."""

    low: float
    high: float
    sure: bool = True

    def doubted(self, records: float) -> Ends:
        """A part in doubt nears all of the bounds as records times epsilon grow.

        A regression that is cut to a part and applied to numbers beyond it is far off if the part
        is wrong; the more records there are for epsilon, the less it has to win by the part.

        Examples
        --------
        >>> Ends(-1.0, -0.5, sure=False).doubted(1_000.0).high, Ends(-1.0, -0.5).doubted(9e9).high
        (0.25, -0.5)
        """
        share = 0.0 if self.sure else min(max(records, 0.0) / _NEEDLESS, 1.0)
        return Ends(
            self.low - share * (self.low + 1.0), self.high + share * (1.0 - self.high), self.sure
        )


WHOLE = Ends(-1.0, 1.0)


def share_for_ends(records: float, epsilon: float) -> int:
    """Thousandths of epsilon for `released_ends`, from public or released numbers.

    Examples
    --------
    >>> [share_for_ends(records, 1.0) for records in (50.0, 500.0, 50_000.0)]
    [100, 40, 10]
    """
    wanted = _RECORDS / max(records * epsilon, 1.0)
    return round(1000.0 * min(max(wanted, _LEAST), _MOST))


def cells_for_ends(records: float) -> int:
    """Equal cells of [-1, 1], for so many records per noise of a cell: 8, 16 or 32.

    Examples
    --------
    >>> [cells_for_ends(records) for records in (5.0, 20.0, 100.0)]
    [8, 16, 32]
    """
    doublings = int(np.clip(np.log2(max(records, 1.0) / _RECORDS) + 1.0, 0.0, 2.0))
    return _FEWEST_CELLS << doublings


def released_ends(training: Training, sizes: FloatArray, *, loss: Loss, gate: Gate) -> Ends:
    """The part of their bounds, mapped to [-1, 1], in which nearly all numbers lie.

    Parameters
    ----------
    sizes : float array, shape (classes,)
        Released.

    Sensitivity
        *Add-remove*: a record adds at most 1 per number to counts that all columns share, in one
        cell or in several: the number of columns, in L1. *Replace*: twice that.
    Privacy
        `loss`; one charge. The rest is post-processing.
    """
    columns = training.space.n_numeric
    steps = gate.neighbors.pick(add_remove=1, replace=2)
    mechanism = Geometric(
        epsilon=loss.epsilon, l1_sensitivity=columns * steps, neighbors=gate.neighbors
    )
    total = max(float(sizes.sum()), 0.0) * columns
    cells = cells_for_ends(total / float(mechanism.scale))
    counts = gate.release(mechanism, training.pooled_counts(cells), label="range of numbers")
    return likely_ends(counts, total, scale=float(mechanism.scale))


def likely_ends(counts: IntArray, total: float, *, scale: float) -> Ends:
    """Posterior means of the ends of the part in which numbers lie, from noisy counts of cells.

    Numbers lie in the part by one of four laws (even, thicker in the middle or towards an end), but
    for a few that lie anywhere. Where the counts say so, in spite of their noise, that more than
    those lie outside, the part grows.

    Parameters
    ----------
    counts : int array, shape (cells,)
        Of equal cells of [-1, 1].
    total : float
        What they would add up to without noise.
    scale : float
        Of the Laplace noise in each.

    Examples
    --------
    >>> likely_ends(np.array([0, 0, 0, 500, 500, 0, 0, 0]), 1000.0, scale=5.0)
    Ends(low=-0.25, high=0.25, sure=True)
    """
    parts, masses, log_prior = _candidates(counts.size)
    fit = -np.abs(counts - total * masses).sum(axis=2) / scale + log_prior
    weights = np.exp(fit - fit.max())
    each = weights.sum(axis=0) / weights.sum()
    low, high = (float(end) for end in each @ parts)
    spread = np.sqrt(each @ (parts - (low, high)) ** 2).max()
    return Ends(*_grown(counts, total, scale, low, high), bool(spread <= _SURE))


@lru_cache(maxsize=4)
def _candidates(cells: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Parts, shape (parts, 2), their shares per cell, (laws, parts, cells), and log-priors."""
    edges = np.linspace(-1.0, 1.0, cells + 1)
    first, last = np.triu_indices(cells)
    parts = np.column_stack([edges[first], edges[last + 1]])
    place = (edges - parts[:, :1]) / (parts[:, 1:] - parts[:, :1])
    t = np.clip(place, 0.0, 1.0)
    laws = np.stack([t, t * t * (3.0 - 2.0 * t), 1.0 - (1.0 - t) ** 3, t**3])
    masses = (1.0 - _ANYWHERE) * np.diff(laws, axis=2) + _ANYWHERE / cells
    whole = (first == 0) & (last == cells - 1)
    prior = np.where(whole, _FULL, (1.0 - _FULL) / max(first.size - 1, 1))
    return parts, masses, np.log(prior)


def _grown(
    counts: IntArray, total: float, scale: float, low: float, high: float
) -> tuple[float, float]:
    """Move the ends cell by cell while more than a few numbers are known to lie outside."""
    width = 2.0 / counts.size
    first = round((low + 1.0) / width - 1e-9)
    last = round((high + 1.0) / width + 1e-9)
    while first > 0 or last < counts.size:
        below, above = counts[:first], counts[last:]
        outside = float(below.sum() + above.sum())
        unsure = 2.0 * scale * float(np.sqrt(2.0 * (below.size + above.size)))
        if outside - unsure <= _ANYWHERE * total:
            break
        # Towards the side on which a cell holds more.
        if below.size and (not above.size or below.mean() >= above.mean()):
            first -= 1
            low = min(low, -1.0 + first * width)
        else:
            last += 1
            high = max(high, -1.0 + last * width)
    # Numbers pile up on a bound, such as a zero: an end within a cell of it is the bound itself.
    return -1.0 if low < -1.0 + width else low, 1.0 if high > 1.0 - width else high


def drawn_in(bounds: tuple[float, float], ends: Ends) -> tuple[float, float]:
    """The part of some bounds, which stay as they are if rounding would blur it.

    Examples
    --------
    >>> drawn_in((0.0, 200.0), Ends(-1.0, 0.0))
    (0.0, 100.0)
    """
    low, high = bounds
    half, middle = high / 2.0 - low / 2.0, high / 2.0 + low / 2.0
    part = (
        low if ends.low == -1.0 else middle + ends.low * half,
        high if ends.high == 1.0 else middle + ends.high * half,
    )
    return part if usable_bounds(part) else bounds


def anchored_grid(
    bounds: tuple[float, float], *, cells: int, halvings: int, anchor: float | None = None
) -> FloatArray:
    """Edges of public cells, shape (cells + ... + 1,), from the lower to the upper bound.

    Amounts, counts and durations crowd near zero and thin out over their range. Besides `cells`
    equal cells the grid has edges at the anchor and at 1/2, 1/4, ... of a cell from it, on both
    sides. The anchor is 0 if the bounds hold it, else the lower bound: the data are not asked.
    Bounds that were drawn in have the anchor of the declared ones, no halvings if it is outside:
    the outermost cells, which then hold all that lies beyond, must not be the smallest.

    Parameters
    ----------
    bounds : (float, float)
    cells : int
        At least 1.
    halvings : int
        Zero or more.
    anchor : float, optional
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
    near = (high - low) / cells * 0.5 ** np.arange(1, halvings + 1)
    close = np.concatenate([anchor - near, [anchor] if halvings else [], anchor + near])
    inside = close[(close > low) & (close < high) & (low <= anchor) & (anchor <= high)]
    return np.unique(np.concatenate([np.linspace(low, high, cells + 1), inside]))


# Of methods whose grid does not depend on how many records there are.
EQUAL_CELLS = 10

# Equal cells, which grow with the root of the records per unit of noise, 4 at 150 of them, and most
# halvings, of which there is one more with every half doubling from 60 on. Three cells serve few
# records best, but hold all of them in one if bounds are far too wide; two have an edge in the
# middle, however wide bounds are.
_CELLS, _MOST_HALVINGS = (4, 6, 8, 12, 16), 6
_FEWEST, _FEWEST_UNSURE = 3, 2
_FOUR_CELLS, _NO_HALVING = 150.0, 60.0


def cells_and_halvings(records_per_noise: float, *, sure: bool = True) -> tuple[int, int]:
    """How finely naive Bayes cuts a number.

    Examples
    --------
    >>> [cells_and_halvings(records) for records in (30.0, 150.0, 500.0, 3_000.0)]
    [(3, 0), (4, 3), (8, 6), (16, 6)]
    >>> cells_and_halvings(30.0, sure=False)
    (2, 0)
    """
    records = max(records_per_noise, 1.0)
    wanted = _CELLS[0] * np.sqrt(records / _FOUR_CELLS)
    numbers = (_FEWEST if sure else _FEWEST_UNSURE, *_CELLS)
    cells = min(numbers, key=lambda number: abs(np.log(number / wanted)))
    halvings = round(2.0 * np.log2(records / _NO_HALVING))
    return cells, int(np.clip(halvings, 0, _MOST_HALVINGS))


def public_grids(
    space: FeatureSpace, records_per_noise: float, ends: Ends = WHOLE
) -> tuple[FloatArray, ...]:
    """Fine grids where a cell's share of the records stands out from the noise of its count.

    Parameters
    ----------
    space : FeatureSpace
    records_per_noise : float
        Released number of records per unit of noise.
    ends : Ends, default all of them
        The released part of their bounds in which numbers lie.
    """
    cells, halvings = cells_and_halvings(records_per_noise, sure=ends.sure)
    return space_grids(space, cells=cells, halvings=halvings, ends=ends)


def equal_grids(training: Training, cells: int) -> tuple[FloatArray, ...]:
    """Equal cells between the public bounds of each numeric feature."""
    return space_grids(training.space, cells=cells, halvings=0)


def space_grids(
    space: FeatureSpace, *, cells: int, halvings: int, ends: Ends = WHOLE
) -> tuple[FloatArray, ...]:
    """The grid of each numeric feature, with one more cell if it may be missing."""
    return tuple(
        with_missing_cell(grid) if feature.missing else grid
        for feature in space.features
        if feature.kind == "numeric"
        for grid in [
            anchored_grid(
                drawn_in(feature.bounds, ends),
                cells=cells,
                halvings=halvings,
                anchor=_anchor_of(feature.bounds),
            )
        ]
    )


def _anchor_of(bounds: tuple[float, float]) -> float:
    return 0.0 if bounds[0] <= 0.0 <= bounds[1] else bounds[0]


def numeric_counts(training: Training, edges: tuple[FloatArray, ...]) -> list[IntArray]:
    """Count the records of each class in each cell of each numeric feature (private).

    Sensitivity
        *Add-remove*, L1: 1 per feature, because a record is in one class and one cell, which is the
        last one if the number is missing and may be. *Replace*: 2 per feature.

    Returns
    -------
    list of int array, shape (classes, cells)
    """
    return training.cell_counts(edges)


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
