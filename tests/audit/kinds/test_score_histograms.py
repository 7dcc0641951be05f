"""Pairs of labelled scores differ by one record."""

from __future__ import annotations

import numpy as np

from dpcore.audit.kinds.score_histograms import score_pairs
from dpcore.privacy import Neighbors


def test_score_pairs_differ_by_one_record() -> None:
    for neighbors in Neighbors:
        for pair in score_pairs(neighbors):
            moved = [
                np.abs(pair.there.positives - pair.here.positives).sum(),
                np.abs(pair.there.negatives - pair.here.negatives).sum(),
            ]
            assert sum(moved) == neighbors.pick(add_remove=1, replace=2)
