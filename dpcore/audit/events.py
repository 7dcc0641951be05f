"""Events that tell two data sets apart, chosen on training outputs, and what their hits prove."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.audit import statistics
from dpcore.audit.statistics import OutputStatistic
from dpcore.audit.target import ABSENT, Pair, Target
from dpcore.noise import NoiseSource


def lower_limit(hits: IntArray, trials: int, risk: float) -> FloatArray:
    """Largest chances that so many hits leave too small with at most that risk.

    Parameters
    ----------
    hits
        Successes among independent trials.
    trials
        At least 1.
    risk
        Probability of a limit above the true chance; in (0, 1).

    References
    ----------
    C. J. Clopper, E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the
    case of the binomial, Biometrika 26(4). doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> lower_limit(np.array([0, 10]), 10, 0.05).round(3).tolist()
    [0.0, 0.741]
    """
    counts = np.asarray(hits, dtype=np.float64)
    limits = betaincinv(np.maximum(counts, 1.0), trials - counts + 1.0, risk)
    return np.where(counts > 0, limits, 0.0)


def upper_limit(hits: IntArray, trials: int, risk: float) -> FloatArray:
    """Smallest chances that so many hits leave too large with at most that risk.

    Examples
    --------
    >>> upper_limit(np.array([0, 10]), 10, 0.05).round(3).tolist()
    [0.259, 1.0]
    """
    return 1.0 - lower_limit(trials - np.asarray(hits), trials, risk)


def loss_bound(
    here: IntArray, there: IntArray, trials: int, *, risk: float, delta: float = 0.0
) -> FloatArray:
    """Losses that an event proves by its hits on two neighbouring data sets.

    Parameters
    ----------
    here, there : int arrays of one shape
        Hits among `trials` draws from each data set.
    risk
        Probability of a bound above the true loss; half for each of the two one-sided limits.
    delta : float, default 0
        Chance that the claim excuses.

    Returns
    -------
    float array
        log((lower limit of P(here) - delta) / upper limit of P(there)), 0 if that is negative.

    Privacy
        If a method is (epsilon, delta)-DP, P(here) <= e^epsilon P(there) + delta for every event,
        so the bound exceeds epsilon with at most that risk.

    Examples
    --------
    >>> loss_bound(np.array([900]), np.array([100]), 1000, risk=1e-3).round(2).tolist()
    [1.86]
    """
    low = lower_limit(here, trials, risk / 2.0) - delta
    high = upper_limit(there, trials, risk / 2.0)
    return np.log(np.maximum(np.maximum(low, 0.0) / high, 1.0))


_CUTS = 400

_FINALISTS = 4

# Of a pair that is only looked at: draws at least, and with which risk an event would prove what it
# promises.
_LOOKED_AT, _PASSING = 100, 0.05


@dataclass(frozen=True, eq=False)
class Event:
    """A statistic on one side of a threshold.

    Parameters
    ----------
    above
        Whether the event is "at least" the threshold; else "at most".
    here
        Whether it is likelier on the first data set; else on the second.
    promise
        The bound that it gave on the training outputs.
    """

    statistic: OutputStatistic
    threshold: float
    above: bool
    here: bool
    promise: float

    def happens(self, outputs: FloatArray) -> BoolArray:
        """For each output, shape (runs,)."""
        scores = self.statistic.score(outputs)
        return scores >= self.threshold if self.above else scores <= self.threshold

    @property
    def words(self) -> str:
        """The event as a clause."""
        side = "at least" if self.above else "at most"
        return f"{self.statistic.words} is {side} {self.threshold:.6g}"


@dataclass(frozen=True, eq=False)
class Search:
    """What was found on the training outputs: the best event of each of a few statistics.

    `statistics` has every statistic that was tried, best first.
    """

    events: tuple[Event, ...]
    statistics: tuple[OutputStatistic, ...]

    @classmethod
    def on(cls, target: Target, here: FloatArray, there: FloatArray, *, risk: float) -> Search:
        """Look for events in training outputs, shape (runs, numbers) each."""
        width = max(here.shape[1], there.shape[1])
        here, there = widened(here, width), widened(there, width)
        tried = _statistics(target, here, there)
        delta = float(target.loss.delta)
        found = [_best_event(one, one.score(here), one.score(there), risk, delta) for one in tried]
        order = sorted(range(len(found)), key=lambda place: -found[place].promise)
        finalists = tuple(found[place] for place in order[:_FINALISTS])
        return cls(finalists, tuple(tried[place] for place in order))


def most_telling(
    target: Target, pairs: Sequence[Pair], draws: int, noise: NoiseSource
) -> tuple[Pair, int]:
    """The pair of neighbours that draws from each side, shared by all, tell apart best.

    A quarter of them goes on to the next round, as long as there are several. With it comes how
    many were drawn: none, and the first pair, if there is one or each would get few.
    """
    left, rounds = [*pairs], max(math.ceil(math.log(len(pairs), 4)), 1)
    if len(left) == 1 or draws < _LOOKED_AT * len(left):
        return left[0], 0
    while len(left) > 1:
        promises = dict[float, Pair]()
        for pair in left:
            number = draws // rounds // len(left)
            here, there = (target.sample(one, number, noise) for one in (pair.d, pair.d_prime))
            promises[Search.on(target, here, there, risk=_PASSING).events[0].promise] = pair
        left = [promises[one] for one in sorted(promises)[-(len(left) // 4 or 1) :]]
    return left[0], draws


def widened(outputs: FloatArray, width: int) -> FloatArray:
    """The same rows with that many numbers; further ones are left out.

    Missing ones are filled up as in a `table`: otherwise the longest output of a batch would show
    in all of its rows.
    """
    if outputs.shape[1] >= width:
        return outputs[:, :width]
    missing = (0, 0), (0, width - outputs.shape[1])
    return np.pad(outputs, missing, constant_values=ABSENT)


def _statistics(target: Target, here: FloatArray, there: FloatArray) -> list[OutputStatistic]:
    own = [] if target.score is None else [OutputStatistic(target.score_words, target.score)]
    found = [
        *own,
        *statistics.exact_matches(here, there),
        *statistics.histograms(here, there),
        *statistics.differences(here, there),
        *statistics.logistic(here, there),
        *statistics.coordinates(here, there, target.columns),
    ]
    # Two samples that are the same everywhere still need something to bound: it will be zero.
    return found or [OutputStatistic("the first number of the output", lambda drawn: drawn[:, 0])]


def _best_event(
    statistic: OutputStatistic, ours: FloatArray, theirs: FloatArray, risk: float, delta: float
) -> Event:
    """The threshold, side and direction of the largest bound on the training outputs."""
    cuts = thresholds(ours, theirs)
    trials = min(ours.size, theirs.size)
    ours, theirs = np.sort(ours[:trials]), np.sort(theirs[:trials])
    best: tuple[float, float, bool, bool] = (-1.0, 0.0, True, True)
    for above in (True, False):
        if above:
            hits = [trials - np.searchsorted(side, cuts, side="left") for side in (ours, theirs)]
        else:
            hits = [np.searchsorted(side, cuts, side="right") for side in (ours, theirs)]
        for here in (True, False):
            likely, rare = hits if here else hits[::-1]
            bounds = loss_bound(likely, rare, trials, risk=risk, delta=delta)
            place = int(np.argmax(bounds))
            best = max(best, (float(bounds[place]), float(cuts[place]), above, here))
    promise, threshold, above, here = best
    return Event(statistic, threshold, above, here, promise)


def thresholds(ours: FloatArray, theirs: FloatArray, most: int = _CUTS) -> FloatArray:
    """Public cuts at quantiles of both samples, ascending and different, at most about `most`."""
    levels = np.linspace(0.0, 1.0, most // 2)
    # Ends are looked at more closely: rare events are where a pure guarantee fails.
    levels = np.concatenate([levels, levels**4, 1.0 - levels**4])
    found: Sequence[FloatArray] = [
        np.quantile(side, np.unique(levels), method="nearest") for side in (ours, theirs)
    ]
    return np.unique(np.concatenate(found))
