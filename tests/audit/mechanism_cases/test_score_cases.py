"""Pairs for the reusable holdout."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dpcore.audit.mechanism_cases import mechanism_cases, mechanism_classes
from dpcore.audit.mechanism_cases.score_cases import holdout_pair, passes
from dpcore.mechanisms import ReusableHoldout
from dpcore.privacy import Neighbors


def test_score_pairs_move_by_the_sensitivity() -> None:
    for neighbors in Neighbors:
        for case in mechanism_cases(mechanism_classes()["OneShot"], neighbors):
            for pair in case.pairs:
                change = pair.d_prime - pair.d
                assert np.abs(change).max() == 1
                assert neighbors is Neighbors.REPLACE or (change >= 0).all()


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_scores_move_by_one(neighbors: Neighbors) -> None:
    for case in mechanism_cases(mechanism_classes()["SparseVector"], neighbors):
        for pair in case.pairs:
            change = pair.d_prime - pair.d
            assert np.abs(change).max() == 1.0
            assert neighbors is Neighbors.REPLACE or (change >= 0).all()
        assert case.read is not None
        assert case.read(np.array([2, 0])).tolist()[:4] == [1, 0, 1, 0]


def test_answers_with_numbers_are_read_behind_who_passed() -> None:
    answers = SimpleNamespace(passed=np.array([2, 0]), scores=np.array([7.5, -1.0]))
    assert passes(3)(answers).tolist() == [1.0, 0.0, 1.0, -1.0, 0.0, 7.5]


def test_one_record_differs() -> None:
    pair = holdout_pair(3, 5)
    assert (pair.d != pair.d_prime).any(axis=0).tolist() == [True, *4 * [False]]
    assert pair.neighbors is Neighbors.REPLACE


def test_the_only_relation_is_replace() -> None:
    assert mechanism_cases(ReusableHoldout, Neighbors.ADD_REMOVE) == ()
    assert {
        str(case.mechanism.loss) for case in mechanism_cases(ReusableHoldout, Neighbors.REPLACE)
    } == {"epsilon 1"}
