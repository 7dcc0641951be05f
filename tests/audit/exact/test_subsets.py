"""Exponential mechanisms on sets and sequences."""

from __future__ import annotations

import numpy as np

from dpcore.audit import Pair, exact_loss
from dpcore.mechanisms import (
    CanonicalTop,
    ExponentialPeeling,
    JointTop,
)


def pair(here: object, there: object) -> Pair:
    return Pair(here=np.array(here), there=np.array(there), words="")


def test_subsets_are_tight_where_the_gap_is_wide() -> None:
    wide = pair([0.0, 0.0, 40.0], [1.0, 0.0, 40.0])
    for k in (1, 2):
        assert exact_loss(ExponentialPeeling(epsilon=1, k=k, monotone=True), wide) <= 1.0
    assert exact_loss(CanonicalTop(epsilon=1, k=1, monotone=True), wide) <= 1.0
    assert exact_loss(JointTop(epsilon=1, k=1, monotone=True), wide) <= 1.0
