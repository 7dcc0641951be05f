"""Neighbours for registered methods differ by one record."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.method_pairs import (
    decision_pairs,
    feature_pairs,
    odd_score_pairs,
    score_pairs,
)
from dpcore.errors import MissingResource
from dpcore.evaluation.decisions import decision_methods
from dpcore.privacy import Neighbors


def test_score_pairs_differ_by_one_record() -> None:
    for neighbors in Neighbors:
        for pair in score_pairs(neighbors):
            moved = [
                np.abs(pair.d_prime.positives - pair.d.positives).sum(),
                np.abs(pair.d_prime.negatives - pair.d.negatives).sum(),
            ]
            assert sum(moved) == neighbors.pick(add_remove=1, replace=2)


def test_feature_pairs_differ_by_one_row() -> None:
    for neighbors in Neighbors:
        (pair,) = feature_pairs(neighbors)
        (here, _), (there, _) = pair.d, pair.d_prime
        assert there.shape[0] - here.shape[0] == neighbors.pick(add_remove=1, replace=0)
        assert (here[:3] == there[:3]).all()


def test_a_record_of_decisions_is_one_in_each_of_their_counts() -> None:
    """Of groups it is in one only; of classes and of models in every one."""
    for neighbors in Neighbors:
        for name in decision_methods():
            (pair,) = decision_pairs(name, neighbors)
            several = isinstance(pair.d, tuple)
            d, d_prime = (side if several else (side,) for side in (pair.d, pair.d_prime))
            moved = [
                int(np.abs(one.positives - other.positives).sum())
                + int(np.abs(one.negatives - other.negatives).sum())
                for one, other in zip(d, d_prime, strict=True)
            ]
            added = 1 if neighbors is Neighbors.ADD_REMOVE else 2
            once = name == "group-evaluation"
            assert sum(moved) == added * (1 if once else len(d)), (name, moved)
    with pytest.raises(MissingResource, match="'no decision'"):
        decision_pairs("no decision", Neighbors.REPLACE)


@pytest.mark.parametrize("neighbors, pairs", [(Neighbors.ADD_REMOVE, 3), (Neighbors.REPLACE, 1)])
def test_odd_records_are_counted_or_left_out_alone(neighbors: Neighbors, pairs: int) -> None:
    found = odd_score_pairs(neighbors)
    assert len(found) == pairs
    for pair in found:
        here, there = pair.d, pair.d_prime
        more = there.n_positive + there.n_negative - here.n_positive - here.n_negative
        texts = pair.words == "one record whose label and score are texts"
        assert more == (texts and neighbors is Neighbors.ADD_REMOVE)
        assert there.n_positive - here.n_positive == texts
