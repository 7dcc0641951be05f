"""Statistics of numbers in [-1, 1] with noise of smooth sensitivity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe, field_names
from dpcore.mechanisms.smooth.noise import Grouped, SmoothNoise
from dpcore.mechanisms.smooth.statistics import Mean
from dpcore.privacy import Neighbors

__all__ = ["RECIPE", "value_pairs"]

_BASES = ((), (-1.0,), (-1.0, -1.0, -1.0), (-1.0, 0.0, 1.0), 30 * (-1.0,))


def _grouped(values: tuple[float, ...]) -> Grouped:
    return Grouped(np.array(values).reshape(-1, 1), np.zeros(len(values), dtype=np.int64))


def value_pairs(neighbors: Neighbors) -> Iterator[Pair]:
    """One more number, or one moved from end to end, at an end of the range."""
    for base in _BASES:
        for value in (1.0, -1.0):
            if neighbors is Neighbors.ADD_REMOVE:
                here, there = base, (*base, value)
                words = f"one number of {value:+g} more beside {len(base)}"
            else:
                here, there = (*base, -value), (*base, value)
                words = f"one number of {value:+g} instead of {-value:+g} beside {len(base)}"
            yield Pair(here=_grouped(here), there=_grouped(there), words=words, neighbors=neighbors)


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    chosen = {"delta": 1e-5} if "delta" in field_names(mechanism) else {}
    made = mechanism(epsilon=1, statistic=Mean(), neighbors=neighbors, **chosen)
    yield Case(name=mechanism.__name__, mechanism=made, pairs=tuple(value_pairs(neighbors)))


RECIPE = Recipe(
    fits=lambda mechanism: issubclass(mechanism, SmoothNoise) and mechanism is not SmoothNoise,
    cases=_cases,
)
