"""Rules of selection: which is stated, and what it picks."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Neighbors
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import OneShot
from dpcore.selection import (
    f1,
    false_negative_rate,
    jaccard,
    precision,
    recall,
    score_error_rate,
    selectors,
)
from dpcore.selection.problem import SelectionProblem, Selector

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


def problem(**rule: float) -> SelectionProblem:
    return SelectionProblem(
        scores=np.zeros(4),
        sensitivity=1,
        l1_sensitivity=1,
        monotone=True,
        whole=True,
        neighbors=Neighbors.ADD_REMOVE,
        **rule,  # type: ignore[arg-type]
    )


def selector(name: str) -> Selector:
    return cast(Selector, selectors()[name])


def test_its_facts_are_what_a_mechanism_takes() -> None:
    stated = replace(problem(top_k=2), sensitivity=2.5, monotone=False, neighbors=Neighbors.REPLACE)
    mechanism = OneShot(epsilon=1, k=stated.k, **stated.facts)
    for name in ("sensitivity", "monotone", "whole", "neighbors"):
        assert getattr(mechanism, name) == getattr(stated, name)


def test_top_k_gives_ties_to_the_lower_position() -> None:
    noisy = np.array([2.0, 5.0, 2.0, 2.0])
    assert problem(top_k=2).apply_rule(noisy).tolist() == [0, 1]


def test_threshold_is_strict() -> None:
    noisy = np.array([2.0, 5.0, 2.5, -1.0])
    assert problem(threshold=2).apply_rule(noisy).tolist() == [1, 2]


@pytest.mark.parametrize(
    "rule, message",
    [
        ({}, "^top_k must be given, or a threshold in its place, got None$"),
        ({"top_k": 1, "threshold": 2.0}, "^threshold must be left out beside top_k=1, got 2.0$"),
    ],
)
def test_exactly_one_rule(rule: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        selector("noisy-scores").require_rule(problem(**rule))


def test_a_rule_that_the_method_does_not_know() -> None:
    with pytest.raises(InvalidArgument, match="threshold must be left out"):
        selector("exponential-peeling").require_rule(problem(threshold=1.0))


def test_keeping_everything_takes_no_rule() -> None:
    selector("none").require_rule(problem())
    for rule in ({"top_k": 2}, {"threshold": 0.0}):
        message = f"^{next(iter(rule))} must be left out, because 'none' keeps every feature, got"
        with pytest.raises(InvalidArgument, match=message):
            selector("none").require_rule(problem(**rule))


def test_the_rule_is_typed() -> None:
    assert (problem(top_k=3).rule, problem(top_k=3).k) == ("top_k", 3)
    assert (problem(threshold=1.5).rule, problem(threshold=1.5).bar) == ("threshold", 1.5)
    with pytest.raises(InvalidArgument, match="^top_k must be given"):
        _ = problem(threshold=1.5).k
    with pytest.raises(InvalidArgument, match="^threshold must be given"):
        _ = problem(top_k=3).bar


def test_a_selector_that_needs_records() -> None:
    with pytest.raises(InvalidArgument, match="needs records"):
        selector("cluster").require_rule(problem(top_k=1))
