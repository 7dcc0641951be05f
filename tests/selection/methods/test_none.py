"""Keeping everything."""

from __future__ import annotations

import numpy as np

from dpcore.selection import select_features
from dpcore.selection.methods.none import METHOD


def test_everything_stays_at_no_cost() -> None:
    picked = select_features(np.zeros((2, 4)), method="none")
    assert picked.selected.tolist() == [0, 1, 2, 3]
    assert picked.scores is None
    assert picked.charges == ()
    assert not METHOD.spends
