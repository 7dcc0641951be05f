"""Counts whose noise is shaped like one record: answers to questions, and joint histograms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe, field_names
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    if "sizes" in field_names(mechanism):
        made = mechanism(epsilon=1, sizes=(2, 3), neighbors=neighbors)
        here = np.array([[2, 1, 1, 1, 1]])
        # In every histogram the record is in one cell.
        added, removed = np.array([[1, 0, 1, 0, 0]]), np.array([[0, 1, 0, 0, 1]])
    else:
        made = mechanism(epsilon=1, neighbors=neighbors)
        here, added = np.array([2, 0, 1]), np.array([1, 1, 1])
        removed = np.zeros(3, dtype=np.int64)
    there = here + added - neighbors.pick(add_remove=0 * removed, replace=removed)
    words = neighbors.pick(
        add_remove="one record more, which counts in every question",
        replace="one record is in other cells, or answers the other way",
    )
    pair = Pair(here=here, there=there, words=words, neighbors=neighbors)
    yield Case(name=mechanism.__name__, mechanism=made, pairs=(pair,))


RECIPE = Recipe(
    fits=lambda mechanism: (
        {"epsilon", "neighbors"} < field_names(mechanism)
        and field_names(mechanism) - {"epsilon", "neighbors"} in ({"sizes"}, {"linf_sensitivity"})
    ),
    cases=_cases,
)
