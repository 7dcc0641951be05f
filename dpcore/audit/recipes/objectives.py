"""Logistic regression by a tilted objective: rows in their set, with classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe
from dpcore.mechanisms import BlockObjective, ObjectivePerturbation, RowPart
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    """One record as long as rows may be, against none or against its opposite class."""
    if mechanism is BlockObjective:
        made = mechanism(epsilon=1, parts=(RowPart(kind="box", width=2),), neighbors=neighbors)
        corner, classes = np.array([[1.0, 1.0]]), (np.array([1]), np.array([0]))
    else:
        made = mechanism(epsilon=1, regularization=1.0, neighbors=neighbors)
        corner, classes = np.array([[1.0, 0.0]]), (np.array([1.0]), np.array([-1.0]))
    other = np.array([[0.25, -0.25]])
    base = (other, classes[0])
    longer = [(np.vstack([other, corner]), np.concatenate([classes[0], one])) for one in classes]
    if neighbors is Neighbors.REPLACE:
        pairs = [Pair(here=longer[0], there=longer[1], words="one record of the other class")]
    else:
        pairs = [Pair(here=base, there=one, words="one longest record more") for one in longer]
    pairs = [
        Pair(here=pair.here, there=pair.there, words=pair.words, neighbors=neighbors)
        for pair in pairs
    ]
    yield Case(name=mechanism.__name__, mechanism=made, pairs=tuple(pairs))


RECIPE = Recipe(
    fits=lambda mechanism: mechanism in (BlockObjective, ObjectivePerturbation), cases=_cases
)
