"""Neighbours for registered methods differ by one record."""

from __future__ import annotations

import numpy as np

from dpcore.audit.method_pairs import feature_pairs, score_pairs
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
