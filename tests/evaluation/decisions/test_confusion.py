"""private_confusion_matrix: four counts, their rates, and how often the intervals hold them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import confusion_matrix, f1_score, matthews_corrcoef

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import DataError, InvalidArgument
from dpcore.evaluation import ConfusionRelease, private_confusion_matrix
from dpcore.evaluation.decisions.confusion import (
    MEASURES,
    cell_shares,
    release_cells,
    true_cells,
)
from tests.evaluation.roc._data import HARD, beta_scores
from tests.evaluation.roc._spy import RECORDS, Spy, histogram

SCORES = beta_scores(4000)
every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))


@every_relation
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 1.0])
def test_one_record_moves_the_counts_by_the_sensitivity_at_most(
    neighbors: Neighbors, threshold: float
) -> None:
    """Every data set of up to three records and every neighbour; the bound is met."""

    def entering(data: tuple[tuple[int, int], ...]) -> tuple[object, np.ndarray]:
        spy = Spy(neighbors)
        release_cells(histogram(data), threshold, loss=Loss(1), gate=spy)
        return spy.seen["confusion matrix"]

    largest = 0
    for size in range(3):
        for data in itertools.combinations_with_replacement(RECORDS, size):
            (mechanism, value), *_ = [entering(data)]
            larger = [entering(tuple(sorted((*data, record))))[1] for record in RECORDS]
            pairs = neighbors.pick(
                add_remove=[(value, other) for other in larger],
                replace=list(itertools.combinations(larger, 2)),
            )
            moved = max(int(np.abs(a - b).sum()) for a, b in pairs)
            assert moved <= mechanism.l1_sensitivity
            largest = max(largest, moved)
    assert largest == neighbors.pick(add_remove=1, replace=2)


def test_without_noise_it_is_the_table_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    score = np.round(generator.random(500), 2)
    label = (generator.random(500) < score).astype(int)
    found = private_confusion_matrix(
        label, score, threshold=0.3, epsilon=1000, noise=SeededNoise(0)
    )
    alarmed = (score >= 0.3).astype(int)
    tn, fp, fn, tp = confusion_matrix(label, alarmed).ravel()
    assert (found.tp, found.fp, found.fn, found.tn) == (tp, fp, fn, tn)
    assert found.f1.value == pytest.approx(f1_score(label, alarmed))
    assert found.mcc.value == pytest.approx(matthews_corrcoef(label, alarmed))
    assert 0.2999 < found.threshold <= 0.3
    assert found.per_thousand["tp"] == pytest.approx(2 * tp)


def held(neighbors: Neighbors, draws: int) -> dict[str, int]:
    """How often the interval of each measure holds what is true of these records."""
    truth = private_confusion_matrix(SCORES, threshold=0.5, epsilon=10_000, noise=SeededNoise(0))
    count = dict.fromkeys(MEASURES, 0)
    for seed in range(draws):
        found = private_confusion_matrix(
            SCORES, threshold=0.5, epsilon=0.5, neighbors=neighbors, noise=SeededNoise(seed)
        )
        for name in MEASURES:
            low, high = getattr(found, name).interval
            count[name] += low <= getattr(truth, name).value <= high
    return count


@pytest.mark.few(1)
@every_relation
def test_intervals_hold_what_is_true_as_often_as_they_say(neighbors: Neighbors) -> None:
    draws = 120
    for name, hits in held(neighbors, draws).items():
        assert hits >= binom.ppf(1e-7, draws, 0.88), name
        assert hits <= binom.isf(1e-7, draws, 0.96), name


@pytest.mark.slow
def test_intervals_of_another_noise_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = SeededNoise.discrete_laplace
    monkeypatch.setattr(
        SeededNoise, "discrete_laplace", lambda self, scale, size: 4 * drawn(self, scale, size)
    )
    assert held(Neighbors.ADD_REMOVE, 100)["sensitivity"] < binom.ppf(1e-7, 100, 0.88)


@pytest.mark.few(1)
@every_relation
def test_of_nobody_anything_may_be_so(neighbors: Neighbors) -> None:
    """A share of no record is no number: an interval that excludes one is a miss."""
    draws, nobody = 150, histogram(())
    spoke = dict.fromkeys((*MEASURES, "alert_rate"), 0)
    for seed in range(draws):
        found = private_confusion_matrix(
            nobody, threshold=0.5, epsilon=1, neighbors=neighbors, noise=SeededNoise(seed)
        )
        shares = {name: getattr(found, name) for name in MEASURES} | cell_shares(found)
        for name in spoke:
            low, high = shares[name].interval
            least, most = MEASURES.get(name, (0.0, 1.0))
            spoke[name] += low > least or high < most
    for name, misses in spoke.items():
        assert misses <= binom.isf(1e-7, draws, 0.1), name


@pytest.mark.slow
def test_population_intervals_hold_what_is_true_of_the_population() -> None:
    cells = true_cells(SCORES, 0.5)
    weights = np.concatenate([SCORES.positives, SCORES.negatives]) / cells.sum()
    truth, hits = cells[0] / (cells[0] + cells[2]), 0
    for seed in range(120):
        drawn = np.random.default_rng(seed).multinomial(1000, weights)
        sample = ScoreHistogram(*np.split(drawn, 2), SCORES.edges)
        found = private_confusion_matrix(sample, threshold=0.5, epsilon=1, noise=SeededNoise(seed))
        low, high = found.sensitivity.population_interval
        hits += low <= truth <= high
    assert hits >= binom.ppf(1e-7, 120, 0.88)


@every_relation
@pytest.mark.parametrize("data", HARD)
def test_any_data_give_a_table(data: str, neighbors: Neighbors) -> None:
    for threshold in (0.0, 0.5, 1.0):
        found = private_confusion_matrix(
            HARD[data], threshold=threshold, epsilon=0.1, neighbors=neighbors, noise=SeededNoise(1)
        )
        assert min(found.tp, found.fp, found.fn, found.tn) >= 0
        for name, (least, most) in MEASURES.items():
            value, *intervals = getattr(found, name)
            assert np.isnan(value) or least - 1e-12 <= value <= most + 1e-12
            for low, high in intervals:
                assert least - 1e-12 <= low <= high <= most + 1e-12


@every_relation
def test_one_charge_of_the_whole(neighbors: Neighbors) -> None:
    ledger = Ledger(Loss(1), neighbors)
    found = private_confusion_matrix(
        SCORES, threshold=0.5, epsilon="0.5", neighbors=neighbors, ledger=ledger
    )
    assert found.charges == ledger.charges
    assert [charge.label for charge in found.charges] == ["confusion matrix"]
    assert ledger.spent == Loss("0.5")
    assert not found.simulated


def test_json_round_trip() -> None:
    found = private_confusion_matrix(
        HARD["negatives only"], threshold=1.0, epsilon=100, noise=SeededNoise(0)
    )
    assert np.isnan(found.sensitivity.value)
    assert found.sensitivity.interval == (0.0, 1.0)
    again = ConfusionRelease.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    with pytest.raises(DataError, match="confusion matrix"):
        ConfusionRelease.from_json("{}")


@pytest.mark.parametrize("arguments", [{"threshold": 1.5}, {"confidence": 0}, {"epsilon": -1}])
def test_bad_arguments_cost_nothing(arguments: dict[str, object]) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        private_confusion_matrix(
            SCORES, **{"threshold": 0.5, "epsilon": 1, "ledger": ledger} | arguments
        )
    assert not ledger.charges
