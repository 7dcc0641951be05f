"""Cases for mechanisms that release statistics or fit a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.mechanism_cases.case import Case, Recipe, field_names
from dpcore.audit.pair import Pair
from dpcore.mechanisms import BlockObjective, RowPart
from dpcore.mechanisms.smooth.noise import Grouped, SmoothNoise
from dpcore.mechanisms.smooth.statistics import Mean
from dpcore.privacy import Neighbors

__all__ = ["_OBJECTIVES", "_SMOOTH_NOISE", "value_pairs"]

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


def _smooth_noise_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    chosen = {"delta": 1e-5} if "delta" in field_names(mechanism) else {}
    made = mechanism(epsilon=1, statistic=Mean(), neighbors=neighbors, **chosen)
    yield Case(name=mechanism.__name__, mechanism=made, pairs=tuple(value_pairs(neighbors)))


_SMOOTH_NOISE = Recipe(
    fits=lambda mechanism: issubclass(mechanism, SmoothNoise) and mechanism is not SmoothNoise,
    cases=_smooth_noise_cases,
)


# A base that pushes the weights far along one row, so that a record across it counts in full.
_BASE_ROWS, _COSINE = 2400, 0.5


def _objectives_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
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


_OBJECTIVES = Recipe(
    fits=lambda mechanism: (
        mechanism is BlockObjective
        or field_names(mechanism) == {"epsilon", "regularization", "neighbors"}
    ),
    cases=_objectives_cases,
)

RECIPE = (
    _SMOOTH_NOISE,
    _OBJECTIVES,
)
