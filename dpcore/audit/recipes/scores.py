"""Mechanisms that choose by scores: every score may move by the sensitivity."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe, field_names
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]

_BASES = ((1.0, 1.0, 1.0), (0.0, 9.0, 9.0), (0.0, 0.0, 40.0), (40.0, 0.0, 0.0))


def _fits(mechanism: type[Any]) -> bool:
    names = field_names(mechanism)
    return {"epsilon", "sensitivity", "monotone"} <= names and "threshold" not in names


def _pairs(neighbors: Neighbors) -> Iterator[Pair]:
    """Add-remove: all scores rise or stay, as counts do. Replace: each moves either way."""
    steps = neighbors.pick(add_remove=(0.0, 1.0), replace=(-1.0, 0.0, 1.0))
    moves = sorted(product(steps, repeat=3), key=lambda move: -np.ptp(move))
    for base in _BASES:
        for move in moves:
            if any(move):
                here = np.array(base)
                yield Pair(
                    here=here,
                    there=here + np.array(move),
                    words=f"the three scores move by {', '.join(f'{step:+g}' for step in move)}",
                    neighbors=neighbors,
                )


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    names = field_names(mechanism)
    for k in (1, 2) if "k" in names else (1,):
        chosen = {"k": k} if "k" in names else {}
        made = mechanism(
            epsilon=1, monotone=neighbors is Neighbors.ADD_REMOVE, neighbors=neighbors, **chosen
        )
        yield Case(name=mechanism.__name__, mechanism=made, pairs=tuple(_pairs(neighbors)))


RECIPE = Recipe(fits=_fits, cases=_cases)
