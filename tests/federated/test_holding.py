"""Placing values, counting them, dealing them out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.federated import Holding, Plan, divided
from dpcore.privacy import Neighbors

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


@pytest.mark.parametrize(
    "odd, of_class",
    [(np.nan, 0), (None, 0), ("x", 1), (1.0, 7), (1.0, -1), (1.0, 0.5), (1.0, None), (1.0, 1e30)],
)
def test_a_record_that_cannot_be_used_makes_no_error(odd: object, of_class: object) -> None:
    """Under replace it is one record before and after it is replaced."""
    holding = Holding.of_values([0.5, 3.0, odd], GRID, [1, 0, of_class])
    for neighbors, more in ((Neighbors.ADD_REMOVE, 0), (Neighbors.REPLACE, 1)):
        plan = Plan(depth=2, classes=2, epsilon=1, neighbors=neighbors)
        counted = holding.as_counted(plan).counts_up_to(np.arange(4), plan)
        assert counted.tolist() == [[more, more, more, 1 + more], [0, 1, 1, 1]]


@pytest.mark.parametrize("cells, classes", [([4], [0]), ([-1], [0]), ([0], [1])])
def test_records_off_the_grid_are_left_out(cells: list[int], classes: list[int]) -> None:
    holding = Holding(np.array(cells), np.array(classes))
    assert holding.as_counted(Plan(depth=2, epsilon=1)).size == 0
    replaced = holding.as_counted(Plan(depth=2, epsilon=1, neighbors=Neighbors.REPLACE))
    assert (replaced.cells.tolist(), replaced.classes.tolist()) == ([0], [0])


@pytest.mark.parametrize(
    "cells, classes", [([0, 1], [0]), ([[0]], [[0]]), ([0.5], [0]), ([0], [0.5])]
)
def test_the_form_is_refused_when_it_is_held_and_no_number_is_told(
    cells: list, classes: list
) -> None:
    with pytest.raises(InvalidArgument) as told:
        Holding(np.array(cells), np.array(classes))
    assert not set("12345") & set(str(told.value).replace("64", ""))
    with pytest.raises(InvalidArgument):
        Holding.of_values(np.zeros((2, 2)), GRID)
    with pytest.raises(InvalidArgument):
        Holding.of_values(np.zeros(2), GRID, [0])
