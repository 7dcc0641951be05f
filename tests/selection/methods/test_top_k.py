"""Selectors of the top k; their losses are tested with the mechanisms."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.selection import select_features, select_top_k, selectors
from dpcore.selection.methods.top_k import METHOD
from tests.selection.methods._selector_case import misses, pick

NAMES = [method.name for method in METHOD]
ROWS = np.eye(6)[[0, 0, 0, 1, 1, 2]]


@pytest.mark.parametrize("name", NAMES)
def test_it_finds_the_top_and_releases_no_scores(name: str) -> None:
    assert selectors()[name] in METHOD
    picked = pick(name)
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


def logistic(rate: float) -> float:
    return float(1 / (1 + np.exp(2 * rate)))


def half(rate: float) -> float:
    return float(0.5 * np.exp(-2 * rate))


# With k = 1 best has one number to pick, and 95 % of epsilon picks it.
LAWS = [
    ("best", half, 0.95, 0.475),
    ("canonical", logistic, 1.0, 0.5),
    ("joint", logistic, 0.5, 0.25),
    ("one-shot", half, 1.0, 0.5),
    ("permute-and-flip", half, 1.0, 0.5),
]


@pytest.mark.few(1)
@pytest.mark.parametrize("name, law, monotone, general", LAWS)
def test_general_scores_cost_twice(name, law, monotone: float, general: float) -> None:
    assert misses(name, True) == pytest.approx(law(monotone), abs=0.035)
    assert misses(name, False) == pytest.approx(law(general), abs=0.035)


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_no_threshold(name: str) -> None:
    with pytest.raises(InvalidArgument, match="selects by top_k"):
        select_features(ROWS, method=name, threshold=2, epsilon=1)


def test_best_beats_peeling_where_the_noise_hides_the_tail() -> None:
    scores = np.floor(1e5 / np.arange(1, 3001))

    def found(method: str) -> float:
        chosen = [
            select_top_k(
                scores,
                k=200,
                epsilon=0.1,
                monotone=True,
                method=method,
                noise=SeededNoise(seed),
            ).selected
            for seed in range(5)
        ]
        return float(np.mean([scores[one].sum() for one in chosen]))

    assert found("best") > 1.05 * found("exponential-peeling")


def test_peeling_charges_once() -> None:
    picked = select_features(
        ROWS, method="exponential-peeling", top_k=2, epsilon=100, noise=SeededNoise(0)
    )
    assert picked.selected.tolist() == [0, 1]
    assert [charge.loss for charge in picked.charges] == [Loss(100)]


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
