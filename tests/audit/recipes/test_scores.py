"""Neighbouring scores move by the sensitivity."""

from __future__ import annotations

import numpy as np

from dpcore.audit.recipes import mechanism_cases, mechanism_classes
from dpcore.privacy import Neighbors


def test_score_pairs_move_by_the_sensitivity() -> None:
    for neighbors in Neighbors:
        for case in mechanism_cases(mechanism_classes()["OneShot"], neighbors):
            for pair in case.pairs:
                change = pair.there - pair.here
                assert np.abs(change).max() == 1
                assert neighbors is Neighbors.REPLACE or (change >= 0).all()
