"""Counts of events among held-out outputs, from which the bounds are computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.events import (
    Event,
    Search,
    loss_bound,
    lower_limit,
    thresholds,
    upper_limit,
    widened,
)
from dpcore.audit.result import AttackerRoc, TradeOff
from dpcore.mechanisms import ReusableHoldout
from dpcore.mechanisms.threshold.reusable_holdout import HoldoutSession
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors


@dataclass(frozen=True, kw_only=True, eq=False)
class HoldoutAnswers:
    """Open a reusable holdout and ask it everything: one draw is the whole conversation.

    `ReusableHoldout` is given its records question by question; this takes them at once, so that an
    attack sees two data sets and one output.

    Parameters
    ----------
    train : float array, shape (questions, training records)
        What the questions give the training records, which are not protected.

    Privacy
        That of the holdout.
    """

    holdout: ReusableHoldout
    train: FloatArray

    guarantee: ClassVar[Guarantee] = ReusableHoldout.guarantee

    @property
    def loss(self) -> Loss:
        """The loss of all answers together."""
        return self.holdout.loss

    @property
    def neighbors(self) -> Neighbors:
        """The relation of the holdout."""
        return self.holdout.neighbors

    def draw(self, value: FloatArray, noise: NoiseSource) -> list[FloatArray]:
        """Answers, and which of them came from the holdout records of shape (questions, records).

        Questions beyond the end of the budget get no answer.
        """
        answers, overfit = HoldoutSession(self.holdout, noise).ask(self.train, value)
        return [overfit.astype(float), answers]


_CURVE_CUTS = 64


class HeldOut:
    """Running counts over the held-out outputs of both data sets.

    Parameters
    ----------
    search
        Events and statistics that were fixed on the training outputs.
    here, there : float arrays, shape (runs, numbers)
        The training outputs, which place the cuts of the curve.

    Notes
    -----
    Everything that is counted was fixed before the first held-out draw, so each count is binomial,
    and the limits of Clopper and Pearson hold exactly.
    """

    def __init__(self, search: Search, here: FloatArray, there: FloatArray) -> None:
        self.events, self._width = search.events, max(here.shape[1], there.shape[1])
        self._curve = search.statistics[0]
        scores = [self._curve.score(widened(side, self._width)) for side in (here, there)]
        self._cuts = thresholds(scores[0], scores[1], _CURVE_CUTS)
        self._hits = np.zeros((2, len(self.events)), dtype=np.int64)
        self._cells = np.zeros((2, self._cuts.size + 1), dtype=np.int64)
        self.trials = 0

    def add(self, here: FloatArray, there: FloatArray) -> None:
        """Count equally many more outputs of either data set."""
        for side, outputs in enumerate((here, there)):
            rows = widened(outputs, self._width)
            self._hits[side] += [int(event.happens(rows).sum()) for event in self.events]
            places = np.searchsorted(self._cuts, self._curve.score(rows), side="right")
            self._cells[side] += np.bincount(places, minlength=self._cuts.size + 1)
        self.trials += here.shape[0]

    def bounds(self, *, risk: float, delta: float) -> FloatArray:
        """The loss that each event proves; all hold together with probability 1 - risk."""
        share = risk / len(self.events)
        forward = np.array([event.here for event in self.events])
        likely = np.where(forward, self._hits[0], self._hits[1])
        rare = np.where(forward, self._hits[1], self._hits[0])
        return loss_bound(likely, rare, self.trials, risk=share, delta=delta)

    def chances(self, event: Event) -> tuple[float, float]:
        """Share of outputs in which an event happened, on the likelier data set first."""
        ours, theirs = (self._hits[:, self.events.index(event)] / self.trials).tolist()
        return (ours, theirs) if event.here else (theirs, ours)

    @property
    def _above(self) -> IntArray:
        """Outputs at or above each cut, shape (2, cuts), falling."""
        reached: IntArray = np.cumsum(self._cells[:, ::-1], axis=1)[:, ::-1]
        return reached[:, 1:]

    def roc(self) -> AttackerRoc:
        """The attacker's curve: calling "first" whatever is at or above a cut, or below it."""
        rates = self._above[:, ::-1] / max(self.trials, 1)
        fpr = np.concatenate([[0.0], rates[1], [1.0]])
        tpr = np.concatenate([[0.0], rates[0], [1.0]])
        if np.trapezoid(tpr, fpr) < 0.5:
            fpr, tpr = 1.0 - fpr[::-1], 1.0 - tpr[::-1]
        return AttackerRoc(fpr, tpr)

    def tradeoff(self, *, largest: float, risk: float, points: int = 41) -> TradeOff:
        """The delta that each epsilon from 0 to `largest` would need."""
        above = self._above
        events = np.concatenate([above, self.trials - above], axis=1)
        likely = np.concatenate([events[0], events[1]])
        rare = np.concatenate([events[1], events[0]])
        share = risk / (2 * likely.size)
        low, high = lower_limit(likely, self.trials, share), upper_limit(rare, self.trials, share)
        factors = np.exp(np.linspace(0.0, largest, points))[:, np.newaxis]
        estimate = (likely - factors * rare).max(axis=1) / self.trials
        proven = (low - factors * high).max(axis=1)
        return TradeOff(np.log(factors[:, 0]), np.maximum(estimate, 0.0), np.maximum(proven, 0.0))
