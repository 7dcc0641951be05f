"""Rules of selection: which is stated, and what it picks."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors
from dpcore.errors import InvalidArgument
from dpcore.selection import selectors
from dpcore.selection.problem import SelectionProblem


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


def test_top_k_gives_ties_to_the_lower_position() -> None:
    noisy = np.array([2.0, 5.0, 2.0, 2.0])
    assert problem(top_k=2).apply_rule(noisy).tolist() == [0, 1]


def test_threshold_is_strict() -> None:
    noisy = np.array([2.0, 5.0, 2.5, -1.0])
    assert problem(threshold=2).apply_rule(noisy).tolist() == [1, 2]


@pytest.mark.parametrize("rule", [{}, {"top_k": 1, "threshold": 2.0}])
def test_exactly_one_rule(rule: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="one of the two"):
        problem(**rule).require_rule(selectors()["noisy-scores"])  # type: ignore[arg-type]


def test_a_rule_that_the_method_does_not_know() -> None:
    with pytest.raises(InvalidArgument, match="threshold must be left out"):
        problem(threshold=1.0).require_rule(selectors()["exponential-peeling"])  # type: ignore[arg-type]


def test_no_rule_is_needed_to_keep_everything() -> None:
    problem().require_rule(selectors()["none"])  # type: ignore[arg-type]
