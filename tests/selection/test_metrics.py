"""Set metrics: known values, ranges, relations between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.selection import (
    f1,
    false_negative_rate,
    jaccard,
    precision,
    recall,
    score_error_rate,
)

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


@given(SETS, SETS)
def test_what_is_not_recalled_is_a_false_negative(selected: set[int], true: set[int]) -> None:
    assert false_negative_rate(selected, true) == pytest.approx(1 - recall(selected, true))


SCORES = [5.0, 1.0, 4.0, 0.0]


@pytest.mark.parametrize(
    "selected, error", [([0, 2], 0.0), ([0, 1], 1 / 3), ([3, 1], 8 / 9), ([0], 4 / 9), ([], 1.0)]
)
def test_score_error_rate_by_hand(selected: list[int], error: float) -> None:
    assert score_error_rate(selected, SCORES, 2) == pytest.approx(error)


def test_a_position_counts_once() -> None:
    assert score_error_rate([0, 0], SCORES, 2) == pytest.approx(4 / 9)


def test_nothing_to_miss() -> None:
    assert score_error_rate([0], [0.0, 0.0], 1) == 0.0


@pytest.mark.parametrize("k", [0, 5])
def test_k_is_one_of_the_candidates(k: int) -> None:
    with pytest.raises(InvalidArgument, match="^k must be"):
        score_error_rate([0], SCORES, k)
