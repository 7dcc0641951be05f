"""ROC methods as targets."""

from __future__ import annotations

import numpy as np

from dpcore import SeededNoise
from dpcore.audit import kinds
from dpcore.privacy import Neighbors


def test_a_sample_is_not_one_output_again_and_again() -> None:
    roc = kinds()["ROC method"]
    method = roc.methods()["laplace"]
    target = roc.target(method, Neighbors.ADD_REMOVE)
    rows = target.sample(roc.pairs(method, Neighbors.ADD_REMOVE)[0].here, 5, SeededNoise(0))
    assert np.unique(rows, axis=0).shape[0] > 1
