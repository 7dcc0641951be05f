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

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import Geometric
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.schema.space import usable_bounds

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
