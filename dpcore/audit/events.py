"""Events that tell two data sets apart, chosen on training outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore._typing import BoolArray, FloatArray
from dpcore.audit.clopper_pearson import loss_bound
from dpcore.audit.outputs import ABSENT
from dpcore.audit.statistics import (
    Statistic,
    coordinates,
    exact_matches,
    histograms,
    logistic,
)
from dpcore.audit.target import Target

__all__ = ["Event", "Search"]

_CUTS = 400
_FINALISTS = 4


@dataclass(frozen=True, eq=False)
class Event:
    """A statistic on one side of a threshold.

    Parameters
    ----------
    statistic : Statistic
    threshold : float
    above : bool
        Whether the event is "at least" the threshold; else "at most".
    here : bool
        Whether it is likelier on the first data set; else on the second.
    promise : float
        The bound that it gave on the training outputs.
    """

    statistic: Statistic
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
    statistics: tuple[Statistic, ...]

    @classmethod
    def on(cls, target: Target, here: FloatArray, there: FloatArray, *, risk: float) -> Search:
        """Look for events in training outputs, shape (runs, numbers) each."""
        width = max(here.shape[1], there.shape[1])
        here, there = widened(here, width), widened(there, width)
        tried = _statistics(target, here, there)
        delta = float(target.loss.delta)
        found = [_best_event(one, one.score(here), one.score(there), risk, delta) for one in tried]
        order = sorted(range(len(found)), key=lambda place: -found[place].promise)
        return cls(
            tuple(found[place] for place in order[:_FINALISTS]),
            tuple(tried[place] for place in order),
        )


def widened(outputs: FloatArray, width: int) -> FloatArray:
    """The same rows with that many numbers; further ones are left out.

    Missing ones are filled up as in a `table`: otherwise the longest output of a batch would show
    in all of its rows.
    """
    if outputs.shape[1] >= width:
        return outputs[:, :width]
    missing = (0, 0), (0, width - outputs.shape[1])
    return np.pad(outputs, missing, constant_values=ABSENT)


def _statistics(target: Target, here: FloatArray, there: FloatArray) -> list[Statistic]:
    own = [] if target.score is None else [Statistic(target.score_words, target.score)]
    found = [
        *own,
        *exact_matches(here, there),
        *histograms(here, there),
        *logistic(here, there),
        *coordinates(here, there, target.columns),
    ]
    # Two samples that are the same everywhere still need something to bound: it will be zero.
    return found or [Statistic("the first number of the output", lambda outputs: outputs[:, 0])]


def _best_event(
    statistic: Statistic, ours: FloatArray, theirs: FloatArray, risk: float, delta: float
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
