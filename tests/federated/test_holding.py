"""Placing values, counting them, dealing them out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.federated import Holding, Plan, divided

GRID = np.array([0.0, 1.0, 2.0, 3.0])


@given(st.lists(st.floats(-5, 5), max_size=30))
def test_counts_are_those_of_the_values(values: list[float]) -> None:
    holding = Holding.of_values(values, GRID)
    counts = holding.counts_up_to(np.arange(4), Plan(depth=2, epsilon=None))[0]
    clipped = np.minimum(np.array(values, dtype=float), 3.0)
    assert counts.tolist() == [(clipped <= point).sum() for point in GRID]


def test_classes_are_counted_apart() -> None:
    holding = Holding.of_values([0, 1, 1], GRID, [1, 0, 1])
    plan = Plan(depth=2, classes=2, epsilon=None)
    assert holding.counts_up_to(np.array([1, 0]), plan).tolist() == [[1, 0], [2, 1]]


@given(st.integers(0, 40), st.integers(1, 7))
def test_dealing_out_loses_nobody(count: int, number: int) -> None:
    whole = Holding(np.arange(count), np.zeros(count, dtype=np.int64))
    dealt = divided(whole, number)
    assert sorted(np.concatenate([one.cells for one in dealt]).tolist()) == list(range(count))
    assert max(one.size for one in dealt) - min(one.size for one in dealt) <= 1


@pytest.mark.parametrize("values, classes", [([np.nan], None), ([[1.0]], None), ([1.0], [0.5])])
def test_unusable_values_are_refused(values: list, classes: list | None) -> None:
    with pytest.raises(InvalidArgument):
        Holding.of_values(values, GRID, classes)


@pytest.mark.parametrize("cells, classes", [([4], [0]), ([-1], [0]), ([0], [1]), ([0, 1], [0])])
def test_records_off_the_grid_are_refused(cells: list[int], classes: list[int]) -> None:
    with pytest.raises(InvalidArgument):
        Holding(np.array(cells), np.array(classes)).checked(Plan(depth=2, epsilon=1))
