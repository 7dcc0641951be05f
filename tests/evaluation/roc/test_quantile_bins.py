"""The default method: its plan, what it releases, and how good it is."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve, roc_area_between, roc_methods
from dpcore.mechanisms import QuantileBins
from tests.evaluation.roc._data import atoms, beta_scores
from tests.evaluation.roc._spy import Spy, changes, released

DATA = ((0, 0), (0, 0), (0, 1), (1, 1), (1, 2))


@pytest.mark.parametrize("neighbors, size", [("add-remove", 2), ("replace", 1)])
def test_sensitivity_of_the_class_sizes(neighbors: str, size: int) -> None:
    """One under both relations: under replace only one size is released."""
    worst = 0
    for mechanism, change in changes("quantile-bins", "class sizes", Neighbors.of(neighbors)):
        assert change.size == size
        assert mechanism.l1_sensitivity == 1
        worst = max(worst, np.abs(change).sum())
    assert worst == 1


@pytest.mark.parametrize(
    "neighbors, sizes, guide",
    [
        ("add-remove", [9, 4], 0),
        ("add-remove", [4, 9], 1),
        ("add-remove", [5, 5], 0),
        ("replace", [1], 0),
        ("replace", [4], 1),
    ],
)
def test_the_larger_class_by_noisy_size_places_the_cuts(
    neighbors: str, sizes: list[int], guide: int
) -> None:
    """Which class that is follows from the released sizes (under replace: of the positives, of
    five records), not from the records."""
    relation = Neighbors.of(neighbors)
    answers = {"class sizes": np.array(sizes)}
    seen = released("quantile-bins", DATA, relation, answers=answers)
    mechanism, value = seen["quantile bins"]
    assert type(mechanism) is QuantileBins
    assert mechanism.neighbors is relation
    assert mechanism.loss == Loss("19/20")
    below = [[0, 2, 3, 3], [0, 0, 1, 2]]
    assert [counts.tolist() for counts in value] == [below[guide], below[1 - guide]]


@pytest.mark.parametrize(
    "neighbors, smaller, bins",
    [
        ("add-remove", 70, 3),
        ("add-remove", 80, 8),
        ("add-remove", 250, 8),
        ("add-remove", 300, 16),
        ("add-remove", 1300, 16),
        ("add-remove", 2000, 32),
        ("add-remove", 8100, 48),
        ("replace", 140, 3),
        ("replace", 160, 8),
        ("add-remove", -5, 3),
    ],
)
def test_bins_grow_with_the_signal(neighbors: str, smaller: int, bins: int) -> None:
    """By epsilon (1 here, half under replace) times the smaller noisy size, where scores crowd."""
    crowded = np.zeros(6400, dtype=np.int64)
    crowded[3200:3210] = 1000
    scores = ScoreHistogram(crowded, crowded, np.linspace(0, 1, 6401))
    answer = np.array([90_000, smaller] if neighbors == "add-remove" else [smaller])
    gate = Spy(Neighbors.of(neighbors), {"class sizes": answer})
    roc_methods()["quantile-bins"].run(scores, loss=Loss(1), gate=gate, bins="auto")
    assert len(gate.seen["quantile bins"][0].levels) == bins - 1


def test_a_number_of_bins_that_is_asked_for_has_no_look_at_the_scores() -> None:
    curve = private_roc_curve(beta_scores(20_000), epsilon=1, noise=SeededNoise(0), bins=24)
    assert [charge.label for charge in curve.charges] == ["class sizes", "quantile bins"]


def test_levels_crowd_where_the_larger_class_is_rare() -> None:
    levels = [
        released(
            "quantile-bins",
            DATA,
            Neighbors.ADD_REMOVE,
            bins="3",
            answers={"class sizes": np.array(sizes)},
        )["quantile bins"][0].levels
        for sizes in [(9, 4), (4, 9)]
    ]
    np.testing.assert_allclose(levels, [[5 / 9, 8 / 9], [1 / 9, 4 / 9]])


def errors(scores: ScoreHistogram, method: str, epsilon: float, **arguments: object) -> float:
    fpr, tpr, _ = scores.roc()
    curves = [
        private_roc_curve(
            scores, epsilon=epsilon, method=method, noise=SeededNoise(seed), **arguments
        )
        for seed in range(25)
    ]
    return float(np.median([roc_area_between(c.fpr, c.tpr, fpr, tpr) for c in curves]))


@pytest.mark.slow
@pytest.mark.parametrize("scores", [beta_scores(8000), atoms(8000)], ids=["smooth", "atoms"])
@pytest.mark.parametrize("epsilon", [1.0, 0.25])
def test_it_is_several_times_better_than_the_published_methods(
    scores: ScoreHistogram, epsilon: float
) -> None:
    published = min(errors(scores, method, epsilon) for method in ("laplace", "fixed-space"))
    assert errors(scores, "quantile-bins", epsilon) < 0.5 * published


def test_replace_costs_about_twice_the_noise() -> None:
    scores = beta_scores(20_000)
    ratio = errors(scores, "quantile-bins", 0.4, neighbors="replace") / errors(
        scores, "quantile-bins", 0.4
    )
    assert 1.0 < ratio < 3.0


def test_a_slider_can_redraw_at_once() -> None:
    """Processor time, far above the two to three milliseconds of an idle machine."""
    scores = beta_scores(100_000)
    private_roc_curve(scores, epsilon=1, noise=SeededNoise(0))
    times = []
    for seed in range(20):
        start = time.process_time()
        private_roc_curve(scores, epsilon=1, noise=SeededNoise(seed))
        times.append(time.process_time() - start)
    assert min(times) < 0.01
