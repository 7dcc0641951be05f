"""One call that attacks a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcore import _check
from dpcore.audit.attack import Attack
from dpcore.audit.pair import Pair
from dpcore.audit.result import AuditResult, Look
from dpcore.audit.target import Target
from dpcore.mechanisms import Mechanism

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
    NeurIPS 33. arXiv:2006.07709

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.mechanisms import Geometric
    >>> one_more = Pair(here=np.array([3]), there=np.array([4]), words="one record more")
    >>> result = audit(Geometric(epsilon=1), one_more, trials=20_000)
    >>> 0.8 < result.epsilon_lower < 1.0, result.violated
    (True, False)
    """
    _check.integer_in_range(1, None, looks=looks)
    shares = looks if progress is not None else 1
    attack = Attack(method, pair, trials=trials, confidence=confidence, seed=seed, looks=shares)
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
