"""What a recipe declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from dpcore.audit.pair import Pair
from dpcore.mechanisms import Mechanism
from dpcore.privacy import Neighbors

__all__ = ["Case", "Recipe", "field_names"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A mechanism and pairs of neighbours that are hard for it.

    Parameters
    ----------
    name : str
        Of the row that it belongs to.
    mechanism : Mechanism
    pairs : tuple of Pair
        The first one is attacked by draws; exact losses are computed on all.
    read : callable, optional
        What an attacker takes from one output; see `mechanism_target`.
    """

    name: str
    mechanism: Mechanism[Any, Any]
    pairs: tuple[Pair, ...]
    read: Callable[[Any], Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The declaration that ends a file of this package, as ``RECIPE``.

    Parameters
    ----------
    fits : callable
        Whether it knows a class of mechanism; the first recipe by file name that does is used.
    cases : callable
        Of a class that fits and a relation: its cases.
    """

    fits: Callable[[type], bool]
    cases: Callable[[type, Neighbors], Iterable[Case]]


def field_names(mechanism: type) -> frozenset[str]:
    """Names of the fields of a mechanism, which is a dataclass; none if it is not."""
    own = fields(mechanism) if is_dataclass(mechanism) else ()
    return frozenset(field.name for field in own)
