"""Peeling as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.selection import select_features

ROWS = np.eye(6)[[0, 0, 0, 1, 1, 2]]


def test_it_releases_no_scores_and_charges_once() -> None:
    picked = select_features(
        ROWS, method="exponential-peeling", top_k=2, epsilon=100, noise=SeededNoise(0)
    )
    assert picked.selected.tolist() == [0, 1]
    assert picked.scores is None
    assert [charge.loss for charge in picked.charges] == [Loss(100)]


def test_it_takes_no_threshold() -> None:
    with pytest.raises(InvalidArgument, match="selects by top_k"):
        select_features(ROWS, method="exponential-peeling", threshold=2, epsilon=1)


def frequency(neighbors: str) -> float:
    hits = [
        select_features(
            ROWS,
            method="exponential-peeling",
            top_k=1,
            epsilon=1,
            neighbors=neighbors,
            noise=SeededNoise(seed),
        ).selected[0]
        == 0
        for seed in range(2000)
    ]
    return float(np.mean(hits))


@pytest.mark.parametrize("neighbors, rate", [("add-remove", 1.0), ("replace", 0.5)])
def test_counts_are_monotone_under_add_remove_only(neighbors: str, rate: float) -> None:
    weights = np.exp(rate * ROWS.sum(axis=0))
    assert frequency(neighbors) == pytest.approx(weights[0] / weights.sum(), abs=0.05)
