"""A released number with its error bars, and what every release of such numbers has in common."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpcore._check import Confidence
from dpcore._notebook import Shown
from dpcore._typing import FloatArray, Interval
from dpcore.exported import Exported
from dpcore.noise.seeded import in_square, monte_carlo
from dpcore.privacy import Charge, Neighbors


class Estimate(NamedTuple):
    """A number with its error bars.

    Parameters
    ----------
    value
        NaN if nothing released says what it is, as for the PPV of a threshold without alarms.
    interval : (float, float)
        For these very records: the noise alone.
    population_interval : (float, float)
        For all whom they were drawn from, if independently: noise and sampling.
    """

    value: float
    interval: Interval
    population_interval: Interval


@lru_cache(maxsize=16)
def laplace_draws(several: int, draws: int) -> FloatArray:
    """Laplace noise of scale one, shape (several, draws), read-only.

    The same for every interval of so many counts: to draw it takes longer than all the rest.
    """
    noise = monte_carlo(several).laplace(size=(several, draws))
    noise.setflags(write=False)
    return noise


@lru_cache(maxsize=4)
def square_draws(draws: int) -> FloatArray:
    """Noise of two numbers with density exp(-largest absolute one), shape (2, draws), read-only."""
    noise = in_square(monte_carlo(2), draws)
    noise.setflags(write=False)
    return noise


def ends(
    drawn: FloatArray, confidence: float, *, lowest: float = 0.0, highest: float = 1.0
) -> Interval:
    """The interval that holds so many of the drawn values; a NaN leaves all that is possible."""
    return ends_of_each(drawn[None], confidence, np.array([[lowest, highest]]))[0]


def ends_of_each(drawn: FloatArray, confidence: float, limits: FloatArray) -> list[Interval]:
    """The same for many numbers in one call, whose draws are the rows, with limits of each.

    Where noise has taken the middle of the draws beyond what is possible, the interval keeps its
    arms and stands around the nearest possible number, which is nearer to the true one. Cut off
    where it stood, it would be short, or a point, just where the noise is known to be large.
    """
    lowest, highest = limits.T[:, :, None]
    tail = (1.0 - confidence) / 2.0
    unknown = np.isnan(drawn)
    some = unknown.any(axis=1)
    least = np.where(unknown, lowest, drawn) if some.any() else drawn
    *found, middle = _quantiles(least, tail, 1.0 - tail, 0.5)
    if some.any():
        highest_possible = np.where(unknown, highest, drawn)[some]
        found[1][some] = _quantiles(highest_possible, 1.0 - tail)[0]
    nearer = np.clip(middle, *limits.T) - middle
    held = np.clip((np.array(found) + nearer).T, lowest, highest)
    return [(least, most) for least, most in held.tolist()]


def _quantiles(drawn: FloatArray, *shares: float) -> list[FloatArray]:
    """What `numpy.quantile` finds in each row, to the bit; NumPy sorts faster than it partitions.

    Examples
    --------
    >>> _quantiles(np.array([[3.0, 1.0, 2.0, 5.0, 4.0]]), 0.5, 0.9)
    [array([3.]), array([4.6])]
    """
    ordered = np.sort(drawn, axis=1)
    found = []
    for share in shares:
        place = share * (ordered.shape[1] - 1)
        low, high = ordered[:, math.floor(place)], ordered[:, math.ceil(place)]
        above = place - math.floor(place)
        # From the nearer of the two, as NumPy does it.
        step = high - low
        found.append(low + step * above if above < 0.5 else high - step * (1.0 - above))
    return found


def around(value: float, interval: Interval) -> Interval:
    """An interval that holds its own estimate."""
    return min(interval[0], value), max(interval[1], value)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class EstimateRelease(Exported, Shown):
    """What every release of an evaluation says of how it came about: nothing in it is private.

    Parameters
    ----------
    confidence
        Of each interval and band.
    charges
        What the ledger recorded.
    simulated
        True if the noise can be repeated: such numbers must never be called private.
    """

    confidence: Confidence
    charges: tuple[Charge, ...]
    simulated: bool
    neighbors: Neighbors

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves everything possible; False where nothing would tell."""
        return False
