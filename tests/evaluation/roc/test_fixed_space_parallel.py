"""Classes in parallel: half the noise under add-remove, the same method under replace."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.evaluation import private_roc_curve, roc_area_between
from tests.evaluation.roc._data import beta_scores
from tests.evaluation.roc._spy import released

LABEL = "counts between thresholds"


@pytest.mark.parametrize("neighbors, ratio", [("add-remove", 2), ("replace", 1)])
def test_noise_against_the_published_method(neighbors: str, ratio: int) -> None:
    scales = [
        released(method, ((0, 1), (1, 2)), Neighbors.of(neighbors))[LABEL][0].scale(8)
        for method in ("fixed-space", "fixed-space-parallel")
    ]
    assert scales[0] / scales[1] == ratio


def test_it_is_more_accurate_under_add_remove() -> None:
    scores = beta_scores()
    fpr, tpr, _ = scores.roc()

    def error(method: str) -> float:
        curves = [
            private_roc_curve(scores, epsilon=0.5, method=method, noise=SeededNoise(seed))
            for seed in range(25)
        ]
        return float(np.median([roc_area_between(c.fpr, c.tpr, fpr, tpr) for c in curves]))

    assert error("fixed-space-parallel") < 0.8 * error("fixed-space")
