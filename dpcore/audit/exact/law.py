"""How an exact loss is declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpcore.audit.pair import Pair

__all__ = ["ExactLaw"]


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
