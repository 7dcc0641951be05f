"""Scores that fail and pass, and what an attacker reads."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_scores_move_by_one(neighbors: Neighbors) -> None:
    for case in mechanism_cases(mechanism_classes()["SparseVector"], neighbors):
        for pair in case.pairs:
            change = pair.there - pair.here
            assert np.abs(change).max() == 1.0
            assert neighbors is Neighbors.REPLACE or (change >= 0).all()
        assert case.read is not None
        assert case.read(np.array([2, 0])).tolist()[:4] == [1, 0, 1, 0]
