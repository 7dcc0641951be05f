"""The subsets that vary least and most, against all subsets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.mechanisms.variance_subsets import OrderedCells, squared_deviations

cells = st.lists(st.integers(-(2**16), 2**16), min_size=1, max_size=8).map(sorted)


def squares(values: tuple[int, ...]) -> float:
    return float(((np.array(values) - np.mean(values)) ** 2).sum())


@given(cells)
def test_least_and_greatest_over_all_subsets(values: list[int]) -> None:
    ordered = OrderedCells(np.array(values, dtype=np.int64))
    for size in range(1, len(values) + 1):
        every = [squares(subset) for subset in combinations(values, size)]
        assert ordered.least_squares(size) == pytest.approx(min(every), abs=1e-3)
        assert ordered.greatest_squares(size) == pytest.approx(max(every), abs=1e-3)


@given(cells)
def test_pairs_bound_the_least_from_below(values: list[int]) -> None:
    ordered = OrderedCells(np.array(values, dtype=np.int64))
    bound = ordered.squares_without_pairs(len(values))
    assert bound.shape == (len(values) + 1,)
    for removed in range(len(values)):
        assert bound[removed] <= ordered.least_squares(len(values) - removed) + 1e-6


@given(cells, st.integers(-(2**16), 2**16))
def test_pairs_do_not_widen_with_one_more_edit(values: list[int], extra: int) -> None:
    own = OrderedCells(np.array(values, dtype=np.int64)).squares_without_pairs(len(values))
    more = OrderedCells(np.array(sorted([*values, extra]), dtype=np.int64))
    grown = more.squares_without_pairs(len(values) + 1)
    assert (grown[1:] <= own).all()
    assert (own[1:] <= grown[:-2]).all()


def test_nothing_cancels_far_from_zero() -> None:
    values = np.full(10**6, 2**16)
    values[0] = 2**16 - 1
    exact = (10**6 - 1) / 10**6
    assert OrderedCells(values).least_squares(10**6) == pytest.approx(exact, rel=1e-12)


def test_squared_deviations_of_equal_numbers_are_zero() -> None:
    assert squared_deviations(np.array([-21]), np.array([147]), 3).tolist() == [0.0]
