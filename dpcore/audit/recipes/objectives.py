"""Logistic regression by objective or output perturbation: rows in their set, with classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe, field_names
from dpcore.mechanisms import BlockObjective, RowPart
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]

# A base that pushes the weights far along one row, so that a record across it counts in full.
_BASE_ROWS, _COSINE = 2400, 0.5


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    """One record as long as rows may be, against none or against its opposite class."""
    signs = np.array([-1.0, 1.0])
    corner, base, classes = np.array([[1.0, 0.0]]), np.array([[0.25, -0.25]]), signs
    if mechanism is BlockObjective:
        made = mechanism(epsilon=1, parts=(RowPart(kind="box", width=2),), neighbors=neighbors)
        corner, classes = np.array([[1.0, 1.0]]), np.array([0, 1])
    else:
        made = mechanism(epsilon=1, regularization=1.0, neighbors=neighbors)
    pairs = tuple(_pairs(base, corner, classes, neighbors))
    if mechanism is not BlockObjective:
        far = np.tile([[_COSINE, np.sqrt(1.0 - _COSINE**2) - 1e-9]], (_BASE_ROWS, 1))
        pairs += tuple(_pairs(far, corner, classes, neighbors))
    yield Case(name=mechanism.__name__, mechanism=made, pairs=pairs)


def _pairs(
    base: FloatArray, corner: FloatArray, classes: Any, neighbors: Neighbors
) -> Iterator[Pair]:
    of_base = np.full(base.shape[0], classes[0])
    grown = [(np.vstack([base, corner]), np.append(of_base, one)) for one in classes]
    if neighbors is Neighbors.REPLACE:
        words = "the longest record is of the other class"
        yield Pair(here=grown[0], there=grown[1], words=words, neighbors=neighbors)
        return
    for one in grown[::-1]:
        yield Pair(here=(base, of_base), there=one, words="one longest record more")


RECIPE = Recipe(
    fits=lambda mechanism: (
        mechanism is BlockObjective
        or field_names(mechanism) == {"epsilon", "regularization", "neighbors"}
    ),
    cases=_cases,
)
