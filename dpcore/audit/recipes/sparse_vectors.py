"""The sparse vector technique: many scores that fail and a few that pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe
from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS, PublishedSparseVector, SparseVector
from dpcore.privacy import Neighbors

__all__ = ["RECIPE", "passes"]

_CUTOFF, _MANY, _FAR = 2, 20_000, -60.0


def passes(size: int) -> Any:
    """What an attacker takes from the answers: who passed, and any numbers that were answered."""

    def read(answers: Any) -> FloatArray:
        passed = getattr(answers, "passed", answers)
        flags = np.zeros(2 * size)
        flags[passed] = 1.0
        scores = getattr(answers, "scores", None)
        if scores is not None:
            flags[size + passed] = scores
        return flags

    return read


def _pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """The failing scores rise; if scores are not monotone the passing ones fall at once."""
    fall = neighbors.pick(add_remove=0.0, replace=1.0)

    def pair(fails: int, passing: float, words: str) -> Pair:
        here = np.concatenate([np.zeros(fails), np.full(_CUTOFF, passing)])
        there = np.concatenate([np.ones(fails), np.full(_CUTOFF, passing - fall)])
        return Pair(here=here, there=there, words=words, neighbors=neighbors)

    moved = "two others do not move" if fall == 0.0 else "two others fall by one"
    return (
        pair(4, 1.0, f"four scores rise from 0 to 1, and {moved}"),
        pair(_MANY, _FAR, f"{_MANY:,} scores rise from 0 to 1, and {moved}"),
    )


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    common: dict[str, Any] = {
        "epsilon": 1,
        "threshold": 0.0,
        "monotone": neighbors is Neighbors.ADD_REMOVE,
        "neighbors": neighbors,
    }
    pairs, read = _pairs(neighbors), passes(4 + _CUTOFF)
    if mechanism is SparseVector:
        for ratio in ("1:c^(2/3)", "1:1"):
            made = mechanism(k=_CUTOFF, ratio=ratio, fill=False, **common)
            yield Case(name="SparseVector", mechanism=made, pairs=pairs, read=read)
        return
    for variant, table in PUBLISHED_SPARSE_VECTORS.items():
        if table.guarantee.holds:
            made = mechanism(variant=variant, cutoff=_CUTOFF, **common)
            name = f"PublishedSparseVector {variant}"
            yield Case(name=name, mechanism=made, pairs=pairs, read=read)


RECIPE = Recipe(
    fits=lambda mechanism: mechanism in (SparseVector, PublishedSparseVector), cases=_cases
)
