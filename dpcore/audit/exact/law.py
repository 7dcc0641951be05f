"""How an exact loss is declared, and the loss between two discrete laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dpcore.audit.pair import Pair

__all__ = ["ExactLaw", "Law", "loss_between"]

Law: TypeAlias = Mapping[Any, float]


@dataclass(frozen=True, kw_only=True)
class ExactLaw:
    """The declaration that ends a file of this package, as ``EXACT``.

    Parameters
    ----------
    mechanisms : tuple of type
        The classes that it knows.
    loss : callable
        Of a mechanism and a pair: the largest absolute log-ratio of the probabilities of any
        outcome on the two data sets, infinite if only one of them is zero. None if it cannot tell.
    """

    mechanisms: tuple[type, ...]
    loss: Callable[[Any, Pair], float | None]


def loss_between(here: Law, there: Law) -> float:
    """The largest absolute log-ratio of two laws; infinite where only one is zero.

    Examples
    --------
    >>> round(loss_between({"a": 0.5, "b": 0.5}, {"a": 0.25, "b": 0.75}), 3)
    0.693
    """
    worst = 0.0
    for outcome in {**here, **there}:
        p, q = here.get(outcome, 0.0), there.get(outcome, 0.0)
        if (p == 0.0) != (q == 0.0):
            return float("inf")
        if p > 0.0:
            worst = max(worst, abs(float(np.log(p / q))))
    return worst
