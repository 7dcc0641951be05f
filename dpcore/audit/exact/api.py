"""The exact privacy loss of a mechanism on a pair, where somebody knows how to compute it."""

from __future__ import annotations

from functools import cache
from typing import Any

from dpcore.audit.exact.law import ExactLaw
from dpcore.audit.exact.probe import probed_loss
from dpcore.audit.pair import Pair
from dpcore.mechanisms import Mechanism
from dpcore.registry import discover

__all__ = ["exact_laws", "exact_loss"]


@cache
def exact_laws() -> dict[type, ExactLaw]:
    """By class of mechanism: every module of this package that declares ``EXACT``."""
    found: dict[type, ExactLaw] = {}
    for law in discover("dpcore.audit.exact", "EXACT", ExactLaw):
        found.update(dict.fromkeys(law.mechanisms, law))
    return found


def exact_loss(mechanism: Mechanism[Any, Any], pair: Pair) -> float | None:
    """The largest absolute log-ratio of probabilities on two neighbouring data sets.

    Parameters
    ----------
    mechanism : Mechanism
    pair : Pair

    Returns
    -------
    float or None
        None if nobody knows how to compute it. Where noise is shared among outputs
        (`probed_loss`), an upper bound.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.mechanisms import Geometric
    >>> one_more = Pair(here=np.array([3]), there=np.array([4]), words="one record more")
    >>> exact_loss(Geometric(epsilon=2), one_more)
    2.0
    """
    law = exact_laws().get(type(mechanism))
    return probed_loss(mechanism, pair) if law is None else law.loss(mechanism, pair)
