"""Pairs of feature rows differ by one row."""

from __future__ import annotations

from dpcore.audit.kinds.selection import feature_pairs
from dpcore.privacy import Neighbors


def test_feature_pairs_differ_by_one_row() -> None:
    for neighbors in Neighbors:
        (pair,) = feature_pairs(neighbors)
        (here, _), (there, _) = pair.here, pair.there
        assert there.shape[0] - here.shape[0] == neighbors.pick(add_remove=1, replace=0)
        assert (here[:3] == there[:3]).all()
