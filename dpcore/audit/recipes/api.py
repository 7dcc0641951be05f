"""Finding the mechanisms, and the recipe for each."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from dpcore.audit.recipes.recipe import Case, Recipe
from dpcore.errors import MissingResource
from dpcore.privacy import Guarantee, Neighbors
from dpcore.registry import discover, modules_of

__all__ = ["mechanism_cases", "mechanism_classes", "recipes"]


@cache
def recipes() -> tuple[Recipe, ...]:
    """Every module of this package that declares ``RECIPE``, by file name."""
    return discover("dpcore.audit.recipes", "RECIPE", Recipe)


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
        "add a recipe to dpcore/audit/recipes that builds it and states which data are neighbours",
    )
