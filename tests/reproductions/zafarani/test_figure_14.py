"""Figures 14 to 16 follow their numbers."""

from __future__ import annotations

import numpy as np

from reproductions.zafarani.figure_14 import synthetic_records
from tests.reproductions._verdicts import measured, verdicts

NAME = "zafarani-figure-14"


ORDER = ("1:8", "1:2", "2:1", "8:1")


def lines(adult: dict[str, float], categories: tuple[float, ...], numbers: tuple[float, ...]):
    """Values at the allocations in their order."""
    found = {"only categories tell the class": categories, "only numbers tell the class": numbers}

    def change(row) -> float:
        if row.role == "ours":
            return 0.9
        if row.panel == "Adult":
            return adult.get(row.method, 0.8)
        return found[row.panel][ORDER.index(row.method)]

    return change


def test_the_verdict_follows_the_numbers() -> None:
    little = {"1:8": 0.5, "1:2": 0.7}
    falling, rising = (0.8, 0.79, 0.78, 0.77), (0.6, 0.7, 0.75, 0.76)
    assert verdicts(NAME, lines(little, falling, rising)) == [True, True, True]
    # Equally good: nothing is wrong with weight on categories.
    assert verdicts(NAME, lines({}, falling, rising))[0] is False
    assert verdicts(NAME, lines({**little, "8:1": 0.5}, rising, falling)) == [False, True, False]
    assert verdicts(NAME, lines(little, rising, rising))[1] is False


def test_only_one_kind_of_column_tells_the_class() -> None:
    for numbers_tell in (True, False):
        design = synthetic_records(4000, numbers_tell=numbers_tell)
        assert design.y is not None
        dense = np.asarray(design.matrix)
        apart = np.abs(dense[design.y == 1].mean(axis=0) - dense[design.y == 0].mean(axis=0))
        kinds = np.array([feature.kind == "numeric" for feature in design.space.features])
        assert bool(apart[kinds].max() > 0.5) is numbers_tell
        assert bool(apart[~kinds].max() > 0.2) is not numbers_tell


def test_allocations_are_measured() -> None:
    rows = measured(
        NAME, draws=1, epsilons=("1",), allocations=(0.125, 2.0, 8.0), records=1000, synthetic=500
    )
    assert rows.methods() == ("1:8", "2:1", "8:1", "histogram")
