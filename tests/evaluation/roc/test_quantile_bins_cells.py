"""Public cells: what the look at the scores costs, which cells it chooses, and what they gain."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import expit

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve, roc_area_between
from dpcore.evaluation.roc.quantile_bins import Cells, cells_curve, look
from dpcore.privacy import Loss as Spent
from dpcore.release import open_gate
from tests.evaluation.roc._data import atoms, beta_scores
from tests.evaluation.roc._spy import Spy

GRID = np.linspace(0.0, 1.0, 65)
PLACES = (0, 1, 32, 63)
RECORDS = list(itertools.product((0, 1), PLACES))
REST = Spent("19/20")


def small(records: tuple[tuple[int, int], ...]) -> ScoreHistogram:
    counts = np.zeros((2, 64), dtype=np.int64)
    for label, cell in records:
        counts[label, cell] += 1
    return ScoreHistogram(counts[1], counts[0], GRID)


def rough_counts(data: tuple[tuple[int, int], ...], neighbors: Neighbors) -> tuple[object, object]:
    spy = Spy(neighbors)
    look(small(data), (900, 900), 900.0, REST, spy)
    return spy.seen["rough counts"]


def fine_counts(data: tuple[tuple[int, int], ...], neighbors: Neighbors) -> tuple[object, object]:
    spy, cuts = Spy(neighbors), np.array([1, 16, 32, 63])
    cells_curve(small(data), Cells(cuts, np.zeros(5, dtype=bool)), loss=REST, gate=spy)
    return spy.seen["counts per bin"]


@pytest.mark.parametrize("counts", [rough_counts, fine_counts])
@pytest.mark.parametrize("neighbors, needed", [("add-remove", 1), ("replace", 2)])
def test_sensitivity_over_all_small_neighbours(
    neighbors: str, needed: int, counts: Callable[..., tuple[object, object]]
) -> None:
    relation, worst = Neighbors.of(neighbors), 0
    for data in [(), *itertools.product(RECORDS, repeat=1), *itertools.product(RECORDS, repeat=2)]:
        larger = [counts((*data, record), relation)[1] for record in RECORDS]
        mechanism, value = counts(data, relation)
        assert mechanism.l1_sensitivity == needed
        pairs = [(value, other) for other in larger]
        if relation is Neighbors.REPLACE:
            pairs = list(itertools.combinations(larger, 2))
        worst = max(worst, *(int(np.abs(one - other).sum()) for one, other in pairs))
    assert worst == needed


@pytest.mark.parametrize("records, hundredths", [(4_000, 6), (40_000, 3)])
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_charges_add_up(records: int, hundredths: int, neighbors: str) -> None:
    epsilon = 1 if neighbors == "add-remove" else 2
    curve = private_roc_curve(
        beta_scores(records), epsilon=epsilon, neighbors=neighbors, noise=SeededNoise(0)
    )
    charged = [(c.label, c.mechanism, c.loss.epsilon / epsilon * 100) for c in curve.charges]
    assert charged == [
        ("class sizes", "Geometric", 5),
        ("rough counts", "Geometric", hundredths),
        ("counts per bin", "Geometric", 95 - hundredths),
    ]


def chosen(scores: ScoreHistogram, strength: float = 1e9) -> Cells | None:
    """What is chosen where noise is nothing."""
    sizes = scores.n_negative, scores.n_positive
    return look(scores, sizes, strength, Loss(10**6), Spy(Neighbors.ADD_REMOVE))[0]


def of(score: np.ndarray, chance: np.ndarray) -> ScoreHistogram:
    labels = np.random.default_rng(5).random(score.size) < chance
    return ScoreHistogram.from_arrays(labels.astype(int), score)


def spread(n: int = 20_000) -> ScoreHistogram:
    score = np.random.default_rng(4).random(n)
    return of(score, score)


def values(n: int, several: int, seed: int = 4) -> ScoreHistogram:
    score = np.random.default_rng(seed).integers(0, several, n) / several + 0.5 / several
    return of(score, score)


@pytest.mark.parametrize("several", [None, 12])
def test_what_is_chosen_follows_from_what_was_released(several: int | None) -> None:
    """Of other records, even of none, for whom the gate says the same, the same cells."""
    scores = spread() if several is None else values(20_000, several)
    nobody = ScoreHistogram(*np.zeros((2, scores.edges.size - 1), dtype=np.int64), scores.edges)
    sizes, loss, first = (scores.n_negative, scores.n_positive), Loss(1), Spy(Neighbors.ADD_REMOVE)
    cells, rest = look(scores, sizes, 9_000.0, loss, first)
    said = first.seen["rough counts"]
    again = Spy(Neighbors.ADD_REMOVE, {"rough counts": said[0].draw(said[1], SeededNoise(0))})
    others, left = look(nobody, sizes, 9_000.0, loss, again)
    assert cells is not None
    assert others is not None
    np.testing.assert_array_equal(others.cuts, cells.cuts)
    np.testing.assert_array_equal(others.straight, cells.straight)
    assert left == rest


def test_even_scores_have_equal_cells() -> None:
    cells = chosen(spread(), 1000.0)
    assert cells is not None
    np.testing.assert_allclose(spread().edges[cells.cuts], np.arange(1, 16) / 16, atol=1e-3)
    assert not cells.straight.any()
    larger = chosen(spread(), 1e6)
    assert larger is not None
    assert larger.cuts.size == 47


def test_each_of_a_few_values_has_a_cell_of_its_own() -> None:
    cells = chosen(values(20_000, 12))
    assert cells is not None
    edges = spread().edges[cells.cuts]
    places = np.searchsorted(edges, np.arange(12) / 12 + 0.5 / 12, side="right")
    assert places.tolist() == list(range(12))
    assert cells.straight.all()


def test_scores_of_zero_and_one_stay_by_themselves() -> None:
    inner = np.random.default_rng(6).random(20_000)
    ends = np.random.default_rng(7).choice([0.0, 1.0], 10_000)
    cells = chosen(of(np.concatenate([inner, ends]), np.concatenate([inner, 0.1 + 0.8 * ends])))
    assert cells is not None
    last = spread().edges.size - 2
    assert cells.cuts[[0, -1]].tolist() == [1, last]
    assert np.flatnonzero(cells.straight).tolist() == [0, cells.cuts.size]


def test_an_end_where_many_pairs_meet_is_cut_further() -> None:
    score = 0.001 + 0.998 * np.random.default_rng(8).beta(0.5, 1.0, 50_000)
    cells = chosen(of(score, 0.1 + 0.8 * score), 1000.0)
    assert cells is not None
    edges = spread().edges[cells.cuts]
    np.testing.assert_allclose(edges[:3], [1 / 256, 1 / 64, 1 / 16], atol=1e-3)
    assert cells.cuts.size == 17


def test_noise_of_all_cells_together_hardly_makes_even_scores_a_few_values() -> None:
    """Of 400 draws at the weakest signal looked at, a dozen took them for ties."""
    scores, mistaken = spread(540), 0
    for seed in range(400):
        gate = open_gate(Loss(1), noise=SeededNoise(seed))
        sizes = scores.n_negative, scores.n_positive
        cells = look(scores, sizes, 262.0, REST, gate)[0]
        mistaken += cells is not None and bool(cells.straight.all())
    assert mistaken <= 2


@pytest.mark.parametrize(
    "score",
    [
        0.5 + 0.02 * np.tanh(np.random.default_rng(1).normal(size=20_000)),
        expit(40.0 * np.random.default_rng(2).normal(size=20_000)) * 0.999,
        np.full(20_000, 0.4),
    ],
    ids=["squeezed", "at the ends", "one value"],
)
def test_scores_that_crowd_are_left_to_quantiles(score: np.ndarray) -> None:
    assert chosen(of(score, np.clip(np.argsort(np.argsort(score)) / score.size, 0.2, 0.8))) is None


def test_a_weak_signal_and_a_coarse_grid_are_not_looked_at() -> None:
    spy = Spy(Neighbors.ADD_REMOVE)
    assert look(spread(), (900, 250), 250.0, REST, spy) == (None, REST)
    coarse = ScoreHistogram(np.full(20, 90), np.full(20, 90), np.linspace(0, 1, 21))
    assert look(coarse, (1800, 1800), 1800.0, REST, spy) == (None, REST)
    assert spy.seen == {}


@pytest.mark.parametrize("least", [33, 34, 40, 65, 129])
def test_any_grid_gives_a_curve(least: int) -> None:
    counts = np.full(least, 200, dtype=np.int64)
    scores = ScoreHistogram(counts * 2, counts, np.linspace(0, 1, least + 1))
    for seed in range(5):
        curve = private_roc_curve(scores, epsilon=1, noise=SeededNoise(seed))
        assert abs(curve.auc - 0.5) < 0.1
        low, high = curve.auc_interval
        assert low <= 0.5 <= high


def error(scores: ScoreHistogram, method: str) -> float:
    fpr, tpr, _ = scores.roc()
    curves = [
        # Seeds of its own for each method, or one lucky seed would show in both.
        private_roc_curve(
            scores, epsilon=1, method=method, noise=SeededNoise(1000 * len(method) + seed)
        )
        for seed in range(100)
    ]
    return float(np.median([roc_area_between(c.fpr, c.tpr, fpr, tpr) for c in curves]))


@pytest.mark.parametrize(
    "scores, most",
    [(spread(2_000), 1.05), (values(20_000, 12), 0.85), (atoms(8_000), 0.85)],
    ids=["even", "values", "piled on 0 and 1"],
)
def test_equal_bins_with_all_of_epsilon_are_not_better(scores: ScoreHistogram, most: float) -> None:
    """Quantiles alone are 1.14, 1.35 and 1.45 times as far off as equal bins here."""
    assert error(scores, "quantile-bins") < most * error(scores, "equal-width")


def test_predictions_of_two_values_need_hardly_more_than_two_cells() -> None:
    score = np.random.default_rng(3).choice([0.0, 1.0], 8_000)
    scores = of(score, 0.2 + 0.6 * score)
    curves = [private_roc_curve(scores, epsilon=1, noise=SeededNoise(seed)) for seed in range(40)]
    assert np.median([curve.bins.negatives.size for curve in curves]) < 12
    assert np.median([abs(curve.auc - scores.auc()) for curve in curves]) < 0.001
