"""Set metrics: known values, ranges, relations between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.selection import f1, jaccard, precision, recall

SETS = st.sets(st.integers(0, 8))


@given(SETS, SETS)
def test_ranges_and_relations(selected: set[int], true: set[int]) -> None:
    p, r, f, j = (metric(selected, true) for metric in (precision, recall, f1, jaccard))
    assert all(0 <= value <= 1 for value in (p, r, f, j))
    assert f == pytest.approx(2 * j / (1 + j))
    if selected and true and p + r:
        assert f == pytest.approx(2 * p * r / (p + r))


@given(SETS)
def test_the_true_set_is_perfect(true: set[int]) -> None:
    assert {metric(true, true) for metric in (precision, recall, f1, jaccard)} == {1.0}


def test_one_empty_set() -> None:
    assert (precision([], [1]), recall([], [1]), f1([], [1]), jaccard([], [1])) == (1, 0, 0, 0)
    assert (precision([1], []), recall([1], []), f1([1], []), jaccard([1], [])) == (0, 1, 0, 0)
