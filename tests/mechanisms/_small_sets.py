"""Every small multiset of a few values, and the true sensitivities of a statistic over them."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from dpcore.mechanisms.smooth import UNIT, Statistic

Members = tuple[int, ...]

VALUES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
LARGEST = 7
SETS: list[Members] = [
    members
    for size in range(LARGEST + 1)
    for members in combinations_with_replacement(range(VALUES.size), size)
]
EDGES = [
    (members, tuple(sorted((*members, extra))))
    for members in SETS
    if len(members) < LARGEST
    for extra in range(VALUES.size)
]


def cells(members: Members) -> np.ndarray:
    return np.rint(VALUES[list(members)] * UNIT).astype(np.int64)


@cache
def measured(statistic: Statistic, beta: float) -> dict[Members, tuple[float, float]]:
    return {members: statistic.measure(cells(members), beta) for members in SETS}


def exact_smooth_sensitivity(statistic: Statistic, beta: float) -> dict[Members, float]:
    """By its definition, over these sets only: at most the true one."""
    values = measured(statistic, beta)
    local = dict.fromkeys(SETS, 0.0)
    for smaller, larger in EDGES:
        change = abs(values[smaller][0] - values[larger][0])
        local[smaller], local[larger] = max(local[smaller], change), max(local[larger], change)
    counts = np.array([np.bincount(np.array(one, dtype=int), minlength=5) for one in SETS])
    locals_ = np.array([local[one] for one in SETS])
    return {
        one: float((np.exp(-beta * np.abs(counts - own).sum(axis=1)) * locals_).max())
        for one, own in zip(SETS, counts, strict=True)
    }
