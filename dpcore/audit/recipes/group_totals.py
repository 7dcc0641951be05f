"""`GroupTotals`: counts and sums of disjoint groups."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe
from dpcore.mechanisms.counts.group_totals import GroupTotals, Totals
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]

_UNIT = 4
_HERE = Totals(np.array([3, 2]), np.array([1, 4]), np.array([5, -3]))


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    made = mechanism(
        epsilon=1, shares=(Fraction(1, 5), Fraction(1, 2)), unit=_UNIT, neighbors=neighbors
    )
    pairs = []
    for group in (0, 1):
        there = _moved(_HERE, group, 1)
        words = f"one positive more in group {group + 1}, with the largest summand"
        if neighbors is Neighbors.REPLACE:
            there = _moved(there, 1 - group, -1)
            words += f", and one fewer in group {2 - group}"
        pairs.append(Pair(here=_HERE, there=there, words=words, neighbors=neighbors))
    yield Case(name=mechanism.__name__, mechanism=made, pairs=tuple(pairs))


def _moved(totals: Totals, group: int, by: int) -> Totals:
    """One positive record added to or removed from a group, with the largest summand."""
    change = np.zeros(2, dtype=np.int64)
    change[group] = by
    return Totals(totals.positives + change, totals.negatives, totals.offsets + _UNIT * change)


RECIPE = Recipe(fits=lambda mechanism: mechanism is GroupTotals, cases=_cases)
