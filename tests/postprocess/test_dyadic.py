"""Dyadic intervals against the definition, and the increments of a noisy curve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.postprocess.dyadic import DyadicIntervals, increments
from tests.postprocess._eq3 import paths


@st.composite
def subsets(draw):
    points = draw(st.integers(1, 40))
    kept = draw(st.lists(st.integers(0, points - 1), min_size=1, unique=True))
    return points, np.array(sorted(kept))


def as_sets(starts, ends):
    return sorted(tuple(range(a, b)) for a, b in zip(starts.tolist(), ends.tolist(), strict=True))


@given(subsets())
def test_edges_are_the_nodes_of_the_paper(case):
    points, kept = case
    nodes = paths(points, kept).toarray().T
    expected = sorted(tuple(np.flatnonzero(node).tolist()) for node in nodes)
    assert as_sets(*DyadicIntervals.over(points, kept).edges()) == expected


@given(st.integers(1, 100))
def test_without_a_subset_all_points_are_kept(points):
    intervals = DyadicIntervals.over(points)
    assert intervals.points == points
    starts, ends = intervals.edges()
    # No two of the same level overlap, so each point lies in one interval of each level.
    assert (ends - starts).sum() == points * len(intervals.marks)


def test_increments_add_up_to_the_bound():
    assert increments(np.array([1.0, 3.0, 2.0]), 5.0).tolist() == [1.0, 2.0, -1.0, 3.0]


@pytest.mark.parametrize("noisy", [[], [np.nan], [[1.0]]])
def test_unusable_values_are_refused(noisy):
    with pytest.raises(InvalidArgument, match="noisy must be"):
        increments(np.array(noisy), 1.0)


@pytest.mark.parametrize("high", [-1.0, np.inf, np.nan])
def test_an_unusable_bound_is_refused(high):
    with pytest.raises(InvalidArgument, match="high must be"):
        increments(np.array([1.0]), high)
