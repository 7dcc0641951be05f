"""One call that attacks a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcore import _check
from dpcore.audit.events import Search
from dpcore.audit.held_out import HeldOut
from dpcore.audit.pair import Pair
from dpcore.audit.result import AuditResult, Look
from dpcore.audit.target import Target, mechanism_target
from dpcore.errors import InvalidArgument, NeighborsMismatch
from dpcore.mechanisms import Mechanism
from dpcore.noise import SeededNoise

__all__ = ["audit"]

Progress = Callable[[Look], bool | None]


def audit(
    method: Target | Mechanism[Any, Any],
    pair: Pair,
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
        See `targets` for all that are registered.
    pair : Pair
        Synthetic data sets; never records of people.
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
    NeurIPS 33, Section 3. arXiv:2006.07709

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.mechanisms import Geometric
    >>> one_more = Pair(here=np.array([3]), there=np.array([4]), words="one record more")
    >>> result = audit(Geometric(epsilon=1), one_more, trials=20_000)
    >>> 0.8 < result.epsilon_lower < 1.0, result.violated
    (True, False)
    """
    target = method if isinstance(method, Target) else mechanism_target(method)
    _check.integer_in_range(100, None, trials=trials)
    _check.integer_in_range(1, None, looks=looks)
    if not 0.0 < confidence < 1.0:
        raise InvalidArgument("confidence", confidence, "above 0 and below 1")
    if target.neighbors is not pair.neighbors:
        raise NeighborsMismatch(pair.neighbors, target.neighbors)
    shares = looks if progress is not None else 1
    attack = _Attack(target, pair, SeededNoise(seed), (1.0 - confidence) / shares)
    seen = attack.run(trials, shares, progress)
    held_out, best = attack.held_out, attack.best
    declared = float(target.loss.epsilon)
    return AuditResult(
        method=target.name,
        pair=pair.words,
        neighbors=target.neighbors,
        declared=target.loss,
        guarantee=target.guarantee,
        trials=seen[-1].trials,
        confidence=float(confidence),
        epsilon_lower=seen[-1].epsilon_lower,
        event=best.words,
        chances=held_out.chances(best),
        likelier="first" if best.here else "second",
        tradeoff=held_out.tradeoff(
            largest=max(2.0 * declared, 1.0), risk=(1.0 - confidence) / shares
        ),
        roc=held_out.roc(),
        looks=tuple(seen),
        stopped=seen[-1].trials < trials,
    )


class _Attack:
    """One audit under way: trains, then looks at the held-out draws share by share."""

    def __init__(self, target: Target, pair: Pair, noise: SeededNoise, risk: float) -> None:
        self.target, self.pair, self.risk = target, pair, risk
        self._noise = [noise.child("here"), noise.child("there")]

    def _draw(self, trials: int) -> list[Any]:
        data = (self.pair.here, self.pair.there)
        return [
            self.target.sample(one, trials, noise)
            for one, noise in zip(data, self._noise, strict=True)
        ]

    def run(self, trials: int, shares: int, progress: Progress | None) -> list[Look]:
        """Train on one half, count on the other; the looks at it, at least one."""
        training = trials // 2
        here, there = self._draw(training)
        search = Search.on(self.target, here, there, risk=self.risk)
        self.held_out = HeldOut(search, here, there)
        self.best = search.events[0]
        if progress is not None:
            progress(Look(training, trials, 0.0))
        found: list[Look] = []
        for share in range(1, shares + 1):
            done = (trials - training) * share // shares
            self.held_out.add(*self._draw(done - self.held_out.trials))
            found.append(self._look(training + done, trials, found[-1] if found else None))
            if progress is not None and progress(found[-1]):
                break
        return found

    def _look(self, trials: int, planned: int, before: Look | None) -> Look:
        bounds = self.held_out.bounds(risk=self.risk, delta=float(self.target.loss.delta))
        largest = before.epsilon_lower if before else -1.0
        if bounds.max() > largest:
            self.best = self.held_out.events[int(bounds.argmax())]
            largest = float(bounds.max())
        return Look(trials, planned, largest)
