"""Mechanisms that take counts of disjoint cells: one record is one more in one cell."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe, field_names
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]

_CELLS = (2, 0, 3, 1, 0, 0, 2, 1)
# Values of the fields that such mechanisms have besides epsilon and neighbors.
_KNOWN: dict[str, Any] = {
    "l1_sensitivity": None,
    "branching": (2, 2, 2),
    "spacings": (2,),
    "root": None,
    # One share is the noise of all: any more would not protect by themselves.
    "shares": 1,
    "delta": Fraction(1, 10**6),
}


def _fits(mechanism: type[Any]) -> bool:
    """Whether all fields are known, and it says that it draws from counts or numbers."""
    extra = field_names(mechanism) - {"epsilon", "neighbors"}
    function = inspect.getattr_static(mechanism, "draw", None)
    value = str(getattr(function, "__annotations__", {}).get("value"))
    return value.endswith(("IntArray", "FloatArray")) and (
        "epsilon" in field_names(mechanism) and extra <= set(_KNOWN)
    )


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    names = field_names(mechanism)
    chosen = {name: value for name, value in _KNOWN.items() if name in names and value is not None}
    if "l1_sensitivity" in names:
        chosen["l1_sensitivity"] = neighbors.pick(add_remove=1, replace=2)
    made = mechanism(epsilon=Fraction(1), neighbors=neighbors, **chosen)
    # A table of one row serves those that take tables, and any shape the others.
    table = "l1_sensitivity" in names
    yield Case(name=mechanism.__name__, mechanism=made, pairs=tuple(count_pairs(neighbors, table)))


def count_pairs(neighbors: Neighbors, table: bool = False) -> Iterator[Pair]:
    """A record more in any cell, or one moved from any occupied cell to any other."""
    here = np.array([_CELLS] if table else _CELLS)
    size = len(_CELLS)
    for cell in (size // 2 - 1, *range(size)):
        for left in np.flatnonzero(_CELLS).tolist() if neighbors is Neighbors.REPLACE else (None,):
            if left == cell:
                continue
            there = here.copy()
            there[..., cell] += 1
            words = f"one record more in cell {cell + 1}"
            if left is not None:
                there[..., left] -= 1
                words = f"one record in cell {cell + 1} instead of cell {left + 1}"
            yield Pair(here=here, there=there, words=words, neighbors=neighbors)


RECIPE = Recipe(fits=_fits, cases=_cases)
