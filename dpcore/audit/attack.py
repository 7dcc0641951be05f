"""An attack on one method: an audit under way, batch by batch, or in one call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.audit import events
from dpcore.audit.result import AttackerRoc, AuditResult, Look, TradeOff
from dpcore.audit.target import Pair, Target, mechanism_target
from dpcore.errors import NeighborsMismatch
from dpcore.mechanisms import Mechanism, ReusableHoldout
from dpcore.mechanisms.threshold.reusable_holdout import HoldoutSession
from dpcore.noise import NoiseSource, SeededNoise
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

    def __init__(self, search: events.Search, here: FloatArray, there: FloatArray) -> None:
        self.events, self._width = search.events, max(here.shape[1], there.shape[1])
        self._curve = search.statistics[0]
        scores = [self._curve.score(events.widened(side, self._width)) for side in (here, there)]
        self._cuts = events.thresholds(scores[0], scores[1], _CURVE_CUTS)
        self._hits = np.zeros((2, len(self.events)), dtype=np.int64)
        self._cells = np.zeros((2, self._cuts.size + 1), dtype=np.int64)
        self.trials = 0

    def add(self, here: FloatArray, there: FloatArray) -> None:
        """Count equally many more outputs of either data set."""
        for side, outputs in enumerate((here, there)):
            rows = events.widened(outputs, self._width)
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
        return events.loss_bound(likely, rare, self.trials, risk=share, delta=delta)

    def chances(self, event: events.Event) -> tuple[float, float]:
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
        here, there = np.concatenate([above, self.trials - above], axis=1)
        likely, rare = np.concatenate([here, there]), np.concatenate([there, here])
        share = risk / (2 * likely.size)
        low = events.lower_limit(likely, self.trials, share)
        high = events.upper_limit(rare, self.trials, share)
        factors = np.exp(np.linspace(0.0, largest, points))[:, np.newaxis]
        estimate = (likely - factors * rare).max(axis=1) / self.trials
        proven = (low - factors * high).max(axis=1)
        return TradeOff(np.log(factors[:, 0]), np.maximum(estimate, 0.0), np.maximum(proven, 0.0))


# Small enough to be ended at once, and a fixed number so that a seed gives the same draws to all.
_BATCH, _BATCHES = 200, 200

# Where outputs are drawn one by one, their number at a time changes nothing but the patience.
_FEW = 50

_KEPT = 20_000


class Attack:
    """An audit that its caller drives, looks at, and may leave at any time.

    The first half of the draws chooses what to look for, the second half counts how often it
    happens; see `audit`.

    Parameters
    ----------
    method, pair, trials, confidence, seed, looks
        As in `audit`.
    spent
        Draws that chose the pair, of the half that chooses.

    Attributes
    ----------
    drawn : int
        Draws so far from each data set.
    result : AuditResult or None
        As of the last look; None before the first.

    Raises
    ------
    InvalidArgument, NeighborsMismatch
        As `audit` does.

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> one_more = Pair(d=np.array([3]), d_prime=np.array([4]), words="one record more")
    >>> attack = Attack(Geometric(epsilon=1), one_more, trials=2000)
    >>> while not attack.done:
    ...     attack.advance()
    >>> attack.drawn, attack.result.violated
    (2000, False)
    """

    def __init__(
        self,
        method: Target | Mechanism[Any, Any],
        pair: Pair,
        *,
        trials: int = 20_000,
        confidence: float = 0.999,
        seed: int = 0,
        looks: int = 1,
        spent: int = 0,
    ) -> None:
        _check.integer_in_range(100, None, trials=trials)
        _check.integer_in_range(1, None, looks=looks)
        _check.inside(0, 1, confidence=confidence)
        _check.of_kind(Pair, "Pair(d=[3], d_prime=[4], words='one record more')", pair=pair)
        if not isinstance(method, Target):
            _check.of_kind(Mechanism, "Geometric(epsilon=1)", method=method)
            method = mechanism_target(method)
        self.target = method
        if self.target.neighbors is not pair.neighbors:
            raise NeighborsMismatch(pair.neighbors, self.target.neighbors)
        self.pair, self.trials, self.confidence = pair, int(trials), float(confidence)
        self.drawn = spent
        self.result: AuditResult | None = None
        self._risk = (1.0 - confidence) / looks
        self._training = trials // 2
        counted = trials - self._training
        self._ends = [self._training + counted * share // looks for share in range(1, looks + 1)]
        self._looks: list[Look] = []
        self._noise = [SeededNoise(seed).child("here"), SeededNoise(seed).child("there")]
        self._kept: tuple[list[FloatArray], list[FloatArray]] = ([], [])
        self._held_out: HeldOut | None = None
        self._width = 1
        self.event: events.Event | None = None

    @property
    def done(self) -> bool:
        """Whether everything was drawn."""
        return self.drawn >= self.trials

    @property
    def learning(self) -> bool:
        """Whether it is still choosing what to look for."""
        return self._held_out is None

    @property
    def look(self) -> Look:
        """Where it is now, with the bound of the last look."""
        found = self._looks[-1].epsilon_lower if self._looks else 0.0
        return Look(self.drawn, self.trials, found)

    @property
    def outputs(self) -> tuple[FloatArray, FloatArray]:
        """Outputs on either data set, shape (runs, numbers): of the half that is under way.

        At most the first 20,000 of the second half, in the width of the first.
        """
        found = [rows.shape[1] for side in self._kept for rows in side]
        width = max(found, default=1) if self.learning else self._width
        here, there = (
            np.vstack([np.empty((0, width)), *(events.widened(rows, width) for rows in side)])
            for side in self._kept
        )
        return here, there

    def advance(self) -> None:
        """Draw one batch from each data set; nothing if everything was drawn."""
        if self.done:
            return
        if self.drawn == self._training:
            self._kept = ([], [])
        goal = self._training if self.learning else next(e for e in self._ends if e > self.drawn)
        batch = _FEW if self.target.singly else max(_BATCH, self.trials // _BATCHES)
        number = min(batch, goal - self.drawn)
        sides = zip((self.pair.d, self.pair.d_prime), self._noise, strict=True)
        here, there = (self.target.sample(one, number, noise) for one, noise in sides)
        self.drawn += number
        if self._held_out is not None:
            self._held_out.add(here, there)
        if self.learning or sum(map(len, self._kept[0])) < _KEPT:
            self._kept[0].append(here)
            self._kept[1].append(there)
        if self._held_out is None and self.drawn == self._training:
            self._learn()
        elif self._held_out is not None and self.drawn == goal:
            self._look_at(self._held_out)

    def _learn(self) -> None:
        here, there = self.outputs
        search = events.Search.on(self.target, here, there, risk=self._risk)
        self._held_out, self.event = HeldOut(search, here, there), search.events[0]
        self._width = here.shape[1]

    def _look_at(self, held_out: HeldOut) -> None:
        bounds = held_out.bounds(risk=self._risk, delta=float(self.target.loss.delta))
        largest = self._looks[-1].epsilon_lower if self._looks else -1.0
        if bounds.max() > largest:
            self.event = held_out.events[int(bounds.argmax())]
            largest = float(bounds.max())
        self._looks.append(Look(self.drawn, self.trials, largest))
        self.result = self._result(held_out)

    def _result(self, held_out: HeldOut) -> AuditResult:
        target, best = self.target, self.event
        assert best is not None
        declared = float(target.loss.epsilon)
        return AuditResult(
            method=target.name,
            pair=self.pair.words,
            neighbors=target.neighbors,
            declared=target.loss,
            guarantee=target.guarantee,
            trials=self.drawn,
            confidence=self.confidence,
            epsilon_lower=self._looks[-1].epsilon_lower,
            event=best.words,
            chances=held_out.chances(best),
            likelier="first" if best.here else "second",
            tradeoff=held_out.tradeoff(largest=max(2.0 * declared, 1.0), risk=self._risk),
            roc=held_out.roc(),
            looks=tuple(self._looks),
            stopped=self.drawn < self.trials,
        )


Progress = Callable[[Look], bool | None]


def audit(
    method: Target | Mechanism[Any, Any],
    pair: Pair | Sequence[Pair],
    *,
    trials: int = 20_000,
    confidence: float = 0.999,
    seed: int = 0,
    progress: Progress | None = None,
    looks: int = 20,
) -> AuditResult:
    """Bound a method's privacy loss from below by its outputs on two neighbouring data sets.

    Half of the draws choose the events that tell the data sets apart best, over several statistics:
    thresholds on single numbers, histograms, a classifier, exact matches. The other half bounds the
    chances of those few events.

    Parameters
    ----------
    method : Target or Mechanism
        See `cases`, `kinds` and `presets` for those that are registered.
    pair : Pair or sequence of Pair
        Synthetic data sets; never records of people. Of several, a tenth of the draws finds out
        which tells most, and that one is audited; the first, if these would be few.
    trials : int, default 20,000
        Draws from each data set, at least 100.
    confidence : float, default 0.999
        Probability that `epsilon_lower` is a true lower bound, over the draws; in (0, 1).
    seed : int, default 0
        Of the simulated noise: the same seed gives the same result.
    progress : callable, optional
        Called with a `Look` after training and after each share of the held-out draws; what it
        returns ends the audit early if true.
    looks : int, default 20
        How many shares, if there is a `progress`. Their number is part of the multiplicity, so a
        bound stays honest wherever the audit is ended.

    Returns
    -------
    AuditResult

    Raises
    ------
    InvalidArgument
        If an argument is out of range.
    NeighborsMismatch
        If method and pair mean different neighbours.

    Notes
    -----
    The bound is that of two one-sided Clopper-Pearson limits. The risk 1 - confidence is divided
    equally among the looks, the events (four at most) and the two limits. A bound below the
    declared loss proves nothing: the attack may be weak.

    References
    ----------
    M. Jagielski, J. Ullman, A. Oprea (2020), Auditing differentially private machine learning,
    NeurIPS 33. arXiv:2006.07709

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.mechanisms import Geometric
    >>> one_more = Pair(d=np.array([3]), d_prime=np.array([4]), words="one record more")
    >>> result = audit(Geometric(epsilon=1), one_more, trials=20_000)
    >>> 0.8 < result.epsilon_lower < 1.0, result.violated
    (True, False)
    """
    _check.integer_in_range(1, None, looks=looks)
    shares = looks if progress is not None else 1
    pairs: list[Any] = [*pair] if isinstance(pair, list | tuple) and pair else [pair]
    told: Any = {"trials": trials, "confidence": confidence, "seed": seed, "looks": shares}
    # Each is one, and of these neighbours, before anything is drawn.
    attack, *_ = (Attack(method, one, **told) for one in pairs)
    noise = SeededNoise(seed).child("pairs")
    best, spent = events.most_telling(attack.target, pairs, attack.trials // 10, noise)
    attack = Attack(attack.target, best, spent=spent, **told)
    seen: AuditResult | None = None
    while not attack.done:
        was_learning = attack.learning
        attack.advance()
        if progress is None or (attack.result is seen and attack.learning is was_learning):
            continue
        # What it says of the training half ends nothing: there would be no result.
        if progress(attack.look) and attack.result is not None:
            break
        seen = attack.result
    assert attack.result is not None
    return attack.result
