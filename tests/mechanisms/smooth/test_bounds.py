"""The grid, the smoothing, and how far a value can be from the mean."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.mechanisms.smooth.bounds import (
    UNIT,
    furthest_from_mean,
    on_unit_grid,
    relevant_edits,
    smallest_sizes,
    smoothed,
)

ordered_cells = (
    st.lists(st.integers(-UNIT, UNIT), max_size=8)
    .map(sorted)
    .map(lambda values: np.array(values, dtype=np.int64))
)


def test_values_are_cut_and_rounded_one_by_one() -> None:
    np.testing.assert_array_equal(on_unit_grid(np.array([-3.0, 0.1, 1.0])), [-UNIT, 6554, UNIT])


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=9), st.floats(0, 3))
def test_smoothed_is_the_largest_discounted_bound(bounds: list[float], beta: float) -> None:
    expected = max(np.exp(-beta * k) * bound for k, bound in enumerate(bounds))
    assert smoothed(np.array(bounds), beta) == expected


@given(st.integers(0, 10**6), st.floats(1e-4, 5))
def test_irrelevant_edits_cannot_hold_the_maximum(size: int, beta: float) -> None:
    last = relevant_edits(size, beta)
    assert last == size or np.exp(-beta * last) < 1 / (2 * size)


def test_sizes_never_fall_below_none() -> None:
    assert smallest_sizes(0, 0).tolist() == [0]
    assert smallest_sizes(2, 2).tolist() == [1, 0, 0]


@given(ordered_cells, st.integers(-UNIT, UNIT), st.integers(0, 8))
def test_no_edit_puts_a_value_further_than_stated(
    ordered: np.ndarray, added: int, removed: int
) -> None:
    """Remove some of the largest, add one: the mean stays within reach of both bounds."""
    removed = min(removed, ordered.size)
    smaller = np.append(ordered[: ordered.size - removed], added)
    edits = removed + 1
    if edits - 1 <= ordered.size:
        furthest = max(UNIT - smaller.mean(), smaller.mean() + UNIT) / UNIT
        assert (
            furthest <= furthest_from_mean(ordered, ordered.size)[min(edits, ordered.size)] + 1e-12
        )


@given(ordered_cells, st.integers(-UNIT, UNIT))
def test_one_more_edit_of_a_neighbour_is_no_nearer(ordered: np.ndarray, extra: int) -> None:
    grown = furthest_from_mean(np.sort(np.append(ordered, extra)), ordered.size + 1)
    own = furthest_from_mean(ordered, ordered.size)
    assert (own <= grown[1:] + 1e-12).all()
    assert (grown[:-2] <= own[1:] + 1e-12).all()
