"""Mechanisms that choose edges of a public grid: they take numbers of records below each edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore._typing import IntArray
from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe, field_names
from dpcore.mechanisms import QuantileBins
from dpcore.privacy import Neighbors

__all__ = ["RECIPE"]

_EDGES = np.linspace(0.0, 1.0, 9)
_LOW, _BOTH, _EMPTY = (2, 0, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 1, 0, 0), 8 * (0,)


def _below(counts: Any) -> IntArray:
    """Numbers of records below each edge, from the counts of the cells."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _changed(counts: tuple[int, ...], neighbors: Neighbors) -> Iterator[tuple[IntArray, str]]:
    """Every neighbour of some counts, in cells."""
    size = len(counts)
    for cell in (size - 1, *range(size - 1)):
        grown = np.array(counts) + np.eye(size, dtype=np.int64)[cell]
        if neighbors is Neighbors.ADD_REMOVE:
            yield grown, f"one record more in cell {cell + 1}"
            continue
        for left in np.flatnonzero(counts).tolist():
            if left != cell:
                moved = grown - np.eye(size, dtype=np.int64)[left]
                yield moved, f"one record in cell {cell + 1} instead of cell {left + 1}"


def _pairs(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Pair]:
    for counts in (_LOW, _BOTH, _EMPTY):
        for changed, words in _changed(counts, neighbors):
            here, there = _below(counts), _below(changed)
            if not issubclass(mechanism, QuantileBins):
                yield Pair(here=here, there=there, words=words, neighbors=neighbors)
                continue
            rest = _below(_BOTH)
            for one, other in (((here, rest), (there, rest)), ((rest, here), (rest, there))):
                yield Pair(here=one, there=other, words=words, neighbors=neighbors)


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    names = field_names(mechanism)
    if "levels" in names:
        made = mechanism(epsilon=1, levels=(0.5,), positions=_EDGES, neighbors=neighbors)
    else:
        chosen = {"selection_epsilon": 10} if "selection_epsilon" in names else {}
        made = mechanism(
            epsilon=1, positions=_EDGES, cuts=np.array([0, 8]), neighbors=neighbors, **chosen
        )
    pairs = tuple(_pairs(mechanism, neighbors))
    yield Case(name=mechanism.__name__, mechanism=made, pairs=pairs)


RECIPE = Recipe(
    fits=lambda mechanism: (
        "positions" in field_names(mechanism) and bool({"levels", "cuts"} & field_names(mechanism))
    ),
    cases=_cases,
)
