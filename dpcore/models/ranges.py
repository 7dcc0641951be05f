"""Where within their declared bounds numbers lie, column by column: bounds are often wide.

Bounds that are known to hold are wider than the numbers, and sometimes by much. A weight then has
less to say than its noise, and cells stand empty. A rough histogram of every number, released
before anything else, says where each gathers and how widely; what one column does not say for
noise is taken from all of them together.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from dpcore._typing import FloatArray, Interval
from dpcore.mechanisms import Geometric, KNormHistograms
from dpcore.models.grid import Ends, space_grids
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate

# Cells of [-1, 1]: the more, the more records the release stands out from its noise by.
_FEWEST_CELLS, _RECORDS = 16, 20.0

# From so many records per unit of noise on each column has a histogram. It should stand out from
# the noise by so many records, for at most this share of epsilon; many records afford more. Fewer
# have one histogram of all columns, which should stand out by as many, for less.
_ENOUGH, _WANTED, _MOST, _MOST_TOGETHER = 20.0, 10.0, 0.25, 0.15

# Normal laws that a column may follow, cut to its bounds; this share of records lies anywhere.
_MIDDLES = np.linspace(-1.0, 1.0, 65)
_SPREADS = np.array([0.0075, 0.015, 0.03, 0.06, 0.12, 0.25, 0.5])
_ANYWHERE = 0.02

# Of a normal law nearly all lies within so many spreads; fewer are known to be missing there if not
# for so many deviations of the noise.
_NEARLY_ALL, _DOUBT = 3.0, 2.0

# How far the columns' laws are taken to be alike, and how often that is looked at again: not at
# all for one histogram, which would be believed anew each time.
_ALIKE, _ROUNDS = 0.9, 5


class Places(NamedTuple):
    """The middle and the spread of each number, mapped from its bounds to [-1, 1]."""

    middle: FloatArray
    spread: FloatArray

    def within(self, spreads: float) -> Ends:
        """The parts of [-1, 1] that are so many spreads from the middles.

        Examples
        --------
        >>> Places(np.array([0.5]), np.array([0.25])).within(3.0)
        Ends(low=array([-0.25]), high=array([1.]))
        """
        reach = spreads * self.spread
        low = np.clip(self.middle - reach, -1.0, 1.0 - _SPREADS[0])
        return Ends(low, np.clip(self.middle + reach, low + _SPREADS[0], 1.0))


def rising(records_per_noise: float, ends: Interval, over: Interval) -> float:
    """From the first end, for few records, to the second for many, evenly in logs between.

    Parameters
    ----------
    over
        Where it starts and stops to rise.

    Examples
    --------
    >>> [round(rising(number, (1.0, 3.0), (100.0, 400.0)), 2) for number in (50.0, 200.0, 9e9)]
    [1.0, 2.0, 3.0]
    """
    place = np.log(max(records_per_noise, 1.0) / over[0]) / np.log(over[1] / over[0])
    return float(ends[0] + (ends[1] - ends[0]) * np.clip(place, 0.0, 1.0))


def share_for_places(records_per_noise: float, numbers: int) -> int:
    """Thousandths of epsilon for `released_places`, by records times epsilon over numbers.

    Examples
    --------
    >>> [share_for_places(records, 10) for records in (4.0, 15.0, 20.0, 200.0, 5_000.0)]
    [150, 67, 250, 71, 14]
    """
    records = max(records_per_noise, 1.0)
    of_all = min(_WANTED / (records * numbers), _MOST_TOGETHER)
    of_each = min(max(_WANTED / records, records**-0.5), _MOST)
    return max(round(1000.0 * (of_all if records < _ENOUGH else of_each)), 1)


def cells_for_places(records: float) -> int:
    """Equal cells of [-1, 1], for so many records per noise of a cell: 16, 32 or 64.

    Examples
    --------
    >>> [cells_for_places(records) for records in (5.0, 20.0, 100.0)]
    [16, 32, 64]
    """
    doublings = int(np.clip(np.log2(max(records, 1.0) / _RECORDS) + 1.0, 0.0, 2.0))
    return _FEWEST_CELLS << doublings


def released_places(
    training: Training, total: float, *, loss: Loss, gate: Gate
) -> tuple[Places, Loss]:
    """Where each number gathers within its bounds, and what is left of the loss.

    With fewer than 20 records per unit of noise, where all numbers gather together.

    Parameters
    ----------
    total
        Released number of records.
    loss
        Of all that is still to be released.

    Sensitivity
        A record is in one cell of every number, the last one if it is missing: the change that
        `KNormHistograms` is made for. In one histogram of all d numbers these are d counts, so that
        *add-remove* moves it by d in L1; *replace* by 2 d, since one record goes and one comes.
    Privacy
        A part of `loss`, by public facts and `total`; one charge. The rest is post-processing.
    """
    numbers = training.space.n_numeric
    per_noise = total * float(loss.epsilon) / (gate.neighbors.steps * numbers)
    part, together = share_for_places(per_noise, numbers), per_noise < _ENOUGH
    loss, rest = loss.split([part, 1000 - part])
    cells = cells_for_places(per_noise * part / 1000.0)
    grids = space_grids(training.space, cells=cells)
    exact = [counts.sum(axis=0) for counts in training.cell_counts(grids)]
    mechanism: Geometric | KNormHistograms
    if together:
        # Some have a cell for missing numbers.
        exact = [np.sum([np.append(one, 0)[: cells + 1] for one in exact], axis=0)]
        mechanism, total = Geometric.of_cells(loss, gate.neighbors, numbers), total * numbers
        scale = float(mechanism.scale)
    else:
        mechanism = KNormHistograms(sizes=tuple(one.size for one in exact), **gate.terms(loss))
        scale = max(mechanism.spreads) / 2.0**0.5
    released = gate.release(mechanism, np.hstack(exact)[np.newaxis], label="range of numbers")[0]
    each = np.split(released, np.cumsum([counts.size for counts in exact])[:-1])
    # A cell behind those of [-1, 1] holds the missing ones.
    totals = np.array([max(total - max(counts[cells:].sum(), 0.0), 1.0) for counts in each])
    found = likely_places(np.array([one[:cells] for one in each]), totals, scale=scale)
    return Places(*(np.repeat(one, numbers // one.size) for one in found)), rest


def likely_places(counts: FloatArray, totals: FloatArray, *, scale: float) -> Places:
    """Posterior means of middles and spreads, from noisy counts of equal cells of [-1, 1].

    A column is as likely to follow a law as other columns are found to, and as likely as any.
    What is not known of a middle counts as spread.

    Parameters
    ----------
    counts : float array, shape (columns, cells)
    totals : float array, shape (columns,)
        What they would add up to without noise.
    scale
        Of Laplace noise as wide as that of each count.

    Examples
    --------
    >>> counts = np.array([[0.0, 0, 160, 340, 340, 160, 0, 0]])
    >>> found = likely_places(counts, np.array([1000.0]), scale=5.0)
    >>> found.middle.round(2).tolist() == [0.0], found.spread.round(2).tolist()
    (True, [0.25])
    """
    middles, spreads, masses = _candidates(counts.shape[1])
    shares, ones = counts / totals[:, np.newaxis], np.ones(counts.shape[1])
    # Column by column, whose distances from all laws fit in the cache. A product with ones is a sum
    # in a fraction of the time.
    off = np.array([np.abs(one - masses) @ ones for one in shares])
    fit = -off * totals[:, np.newaxis] / scale
    fit = np.exp(fit - fit.max(axis=1, keepdims=True))
    prior = np.full(middles.size, 1.0 / middles.size)
    for _ in range(_ROUNDS if len(counts) > 1 else 1):
        each = fit * prior
        each /= each.sum(axis=1, keepdims=True)
        prior = (1.0 - _ALIKE) / middles.size + _ALIKE * each.mean(axis=0)
    middle = each @ middles
    spread = np.sqrt(each @ (spreads**2 + middles**2) - middle**2)
    return _with_others(Places(middle, spread), shares, scale / totals)


def _with_others(places: Places, shares: FloatArray, scales: FloatArray) -> Places:
    """Widen parts for the numbers that are known to lie beyond: anywhere within their bounds."""
    cells = shares.shape[1]
    away = np.abs(np.linspace(-1.0, 1.0, 2 * cells + 1)[1::2] - places.middle[:, np.newaxis])
    inside = away <= _NEARLY_ALL * places.spread[:, np.newaxis] + 1.0 / cells
    doubt = _DOUBT * np.sqrt(2.0 * inside.sum(axis=1)) * scales
    beyond = np.clip(1.0 - (shares * inside).sum(axis=1) - doubt, 0.0, 1.0)
    middle = (1.0 - beyond) * places.middle
    square = (1.0 - beyond) * (places.spread**2 + places.middle**2) + beyond / 3.0
    return Places(middle, np.sqrt(square - middle**2))


@lru_cache(maxsize=4)
def _candidates(cells: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middles and spreads of laws, shape (laws,), and their shares per cell, (laws, cells)."""
    middles, spreads = (one.ravel() for one in np.meshgrid(_MIDDLES, _SPREADS))
    edges = np.linspace(-1.0, 1.0, cells + 1)
    edges[0], edges[-1] = -np.inf, np.inf
    below = ndtr((edges - middles[:, np.newaxis]) / spreads[:, np.newaxis])
    return middles, spreads, (1.0 - _ANYWHERE) * np.diff(below, axis=1) + _ANYWHERE / cells
