"""How to build every mechanism for an attack, and which neighbours to tell apart."""

import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from dpcore.audit.target import Pair, Read, Target, mechanism_target
from dpcore.errors import MissingResource
from dpcore.mechanisms import Mechanism
from dpcore.privacy import Guarantee, Neighbors
from dpcore.registry import discover, modules_of


@dataclass(frozen=True, eq=False)
class Case:
    """A mechanism and pairs of neighbours that are hard for it.

    Parameters
    ----------
    name
        Of the row that it belongs to.
    mechanism : Mechanism
    pairs
        Draws attack the one that tells most; exact losses are computed on all.
    read
        What an attacker takes from one output; see `mechanism_target`.
    """

    name: str
    mechanism: Mechanism[Any, Any]
    pairs: tuple[Pair, ...]
    read: Read | None = None

    @property
    def target(self) -> Target:
        """What is attacked."""
        return mechanism_target(self.mechanism, name=self.name, read=self.read)


@dataclass(frozen=True)
class Recipe:
    """The declaration that ends a file of this package, as ``RECIPE``.

    Parameters
    ----------
    fits
        Whether it knows a class of mechanism; the first recipe by file name that does is used.
    cases
        Of a class that fits and a relation: its cases.
    """

    fits: Callable[[type], bool]
    cases: Callable[[type, Neighbors], Iterable[Case]]


def field_names(mechanism: type) -> frozenset[str]:
    """Names of the fields of a mechanism, which is a dataclass; none if it is not."""
    own = fields(mechanism) if is_dataclass(mechanism) else ()
    return frozenset(field.name for field in own)


@cache
def recipes() -> tuple[Recipe, ...]:
    """Every module of this package that declares ``RECIPE``, by file name."""
    return discover("dpcore.audit.mechanism_cases", "RECIPE", Recipe)


@cache
def mechanism_classes() -> dict[str, type[Any]]:
    """Every class in `dpcore.mechanisms` that can be drawn from and has a verdict, by name.

    Examples
    --------
    >>> "Geometric" in mechanism_classes()
    True
    """
    found: dict[str, type[Any]] = {}
    for loaded in modules_of("dpcore.mechanisms"):
        for name, member in vars(loaded).items():
            if inspect.isclass(member) and member.__module__ == loaded.__name__:
                complete = all(hasattr(member, part) for part in ("draw", "loss", "guarantee"))
                if complete and not getattr(member, "_is_protocol", False):
                    found[name] = member
    return dict(sorted(found.items()))


def mechanism_cases(mechanism: type[Any], neighbors: Neighbors) -> tuple[Case, ...]:
    """The cases of one class of mechanism.

    Raises
    ------
    MissingResource
        If no recipe knows the class and it is not BROKEN (those are attacked by presets).

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> [case.name for case in mechanism_cases(Geometric, Neighbors.ADD_REMOVE)]
    ['Geometric']
    """
    for recipe in recipes():
        if recipe.fits(mechanism):
            return tuple(recipe.cases(mechanism, neighbors))
    verdict = mechanism.guarantee
    if isinstance(verdict, Guarantee) and not verdict.holds:
        return ()
    raise MissingResource(
        f"the mechanism {mechanism.__name__} has no pair of neighbours to be audited on",
        "add a recipe to dpcore/audit/mechanism_cases that builds it and says which data are "
        "neighbours",
    )


@cache
def cases() -> dict[str, dict[Neighbors, Case]]:
    """Every mechanism as it is audited under each relation, by name.

    Examples
    --------
    >>> cases()["Geometric"][Neighbors.REPLACE].target.name
    'Geometric'
    """
    found: dict[str, dict[Neighbors, Case]] = {}
    for mechanism in mechanism_classes().values():
        for neighbors in Neighbors:
            # One without a pair cannot be chosen; the conformance tests complain of it.
            with suppress(MissingResource):
                for case in mechanism_cases(mechanism, neighbors):
                    found.setdefault(case.name, {}).setdefault(neighbors, case)
    return found
