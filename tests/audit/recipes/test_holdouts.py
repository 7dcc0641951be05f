"""Pairs for the reusable holdout."""

from __future__ import annotations

from dpcore.audit.recipes import mechanism_cases
from dpcore.audit.recipes.holdouts import holdout_pair
from dpcore.mechanisms import ReusableHoldout
from dpcore.privacy import Neighbors


def test_one_record_differs() -> None:
    pair = holdout_pair(3, 5)
    assert (pair.here != pair.there).any(axis=0).tolist() == [True, *4 * [False]]
    assert pair.neighbors is Neighbors.REPLACE


def test_the_only_relation_is_replace() -> None:
    assert mechanism_cases(ReusableHoldout, Neighbors.ADD_REMOVE) == ()
    assert {
        str(case.mechanism.loss) for case in mechanism_cases(ReusableHoldout, Neighbors.REPLACE)
    } == {"epsilon 1"}
