"""private_auc: its intervals hold, it is exact where noise is small, and it says what it cost."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import BudgetExceeded, DataError, InvalidArgument
from dpcore.evaluation import AucRelease, private_auc, private_roc_curve
from dpcore.evaluation.auc.api import sampling_deviation
from tests.evaluation.roc._data import HARD, beta_scores


def test_the_sampling_deviation_is_that_of_the_simulation() -> None:
    """Of normal scores, for which the formula is known to be close."""
    generator, areas = np.random.default_rng(0), []
    for _ in range(400):
        positives, negatives = generator.normal(1.2, size=80), generator.normal(size=160)
        areas.append((positives[:, None] > negatives).mean())
    assert sampling_deviation(float(np.mean(areas)), 160, 80) == pytest.approx(
        np.std(areas), rel=0.12
    )


SCORES = beta_scores(4000)

every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))

COUNTED = ["class sizes", "class sizes again", "first pair count", "centred pair count"]


def coverage(scores: ScoreHistogram, epsilon: float, neighbors: Neighbors, draws: int) -> int:
    """How many of so many draws have an interval that holds the AUC of these records."""
    truth = scores.auc()
    held = 0
    for seed in range(draws):
        found = private_auc(scores, epsilon=epsilon, neighbors=neighbors, noise=SeededNoise(seed))
        assert found.way == "pairs"
        held += found.interval[0] <= truth <= found.interval[1]
    return held


def covers(held: int, draws: int, lowest: float, highest: float) -> bool:
    """Whether so many hits are possible with a chance in that range; odds of a slip below 1e-6."""
    least, most = binom.ppf(5e-7, draws, lowest), binom.isf(5e-7, draws, highest)
    return bool(least <= held <= most)


@pytest.mark.few(1)
@every_relation
def test_intervals_hold_the_area_as_often_as_they_say(neighbors: Neighbors) -> None:
    assert covers(coverage(SCORES, 2.0, neighbors, 150), 150, 0.88, 0.96)


@pytest.mark.slow
def test_intervals_of_another_noise_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: noise that is three times as wide as the interval believes."""
    drawn = SeededNoise.discrete_laplace
    monkeypatch.setattr(
        SeededNoise, "discrete_laplace", lambda self, scale, size: 3 * drawn(self, scale, size)
    )
    assert not covers(coverage(SCORES, 2.0, Neighbors.ADD_REMOVE, 150), 150, 0.88, 0.96)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.5, 5])
@every_relation
def test_intervals_hold_everywhere(neighbors: Neighbors, epsilon: float) -> None:
    assert covers(coverage(SCORES, epsilon, neighbors, 2000), 2000, 0.88, 0.96)


@pytest.mark.slow
def test_the_population_interval_holds_the_area_of_the_population() -> None:
    weights = np.concatenate([SCORES.positives, SCORES.negatives]).astype(float)
    weights, truth, held = weights / weights.sum(), SCORES.auc(), 0
    for seed in range(150):
        drawn = np.random.default_rng(seed).multinomial(2000, weights)
        sample = ScoreHistogram(*np.split(drawn, 2), SCORES.edges)
        low, high = private_auc(sample, epsilon=1, noise=SeededNoise(seed)).population_interval
        held += low <= truth <= high
    assert covers(held, 150, 0.88, 0.98)


@every_relation
def test_little_noise_shows_the_area(neighbors: Neighbors) -> None:
    found = private_auc(SCORES, epsilon=1000, neighbors=neighbors, noise=SeededNoise(0))
    assert found.auc == pytest.approx(SCORES.auc(), abs=1e-5)
    assert found.interval[1] - found.interval[0] < 1e-4


@every_relation
def test_few_records_give_the_area_of_the_curve(neighbors: Neighbors) -> None:
    """Draw for draw, so that it is never worse there."""
    told = {"epsilon": 0.05, "neighbors": neighbors}
    found = private_auc(SCORES, noise=SeededNoise(3), **told)
    curve = private_roc_curve(SCORES, noise=SeededNoise(3), **told)
    assert (found.way, found.auc, found.interval) == ("curve", curve.auc, curve.auc_interval)
    assert found.charges == curve.charges


@every_relation
@pytest.mark.parametrize("data", HARD)
def test_any_data_give_an_area(data: str, neighbors: Neighbors) -> None:
    for epsilon in (0.01, 1, 10_000):
        found = private_auc(HARD[data], epsilon=epsilon, neighbors=neighbors, noise=SeededNoise(0))
        low, high = found.interval
        least, most = found.population_interval
        assert 0.0 <= least <= low <= found.auc <= high <= most <= 1.0


@every_relation
def test_charges_add_up(neighbors: Neighbors) -> None:
    ledger = Ledger(Loss(1), neighbors)
    found = private_auc(SCORES, epsilon=1, neighbors=neighbors, ledger=ledger, noise=SeededNoise(0))
    assert found.charges == ledger.charges
    assert ledger.spent == Loss(1)
    # One of five is positive: rare enough for one release under add-remove.
    together = ["class sizes", "pairs and class sizes"]
    labels = neighbors.pick(add_remove=together, replace=COUNTED)
    assert [charge.label for charge in found.charges] == labels
    with pytest.raises(BudgetExceeded):
        private_auc(SCORES, epsilon="0.01", neighbors=neighbors, ledger=ledger)
    assert ledger.spent == Loss(1)


@pytest.mark.parametrize("arguments", [{"epsilon": 0}, {"confidence": 1}, {"y_score": [0.5]}])
def test_bad_arguments_cost_nothing(arguments: dict[str, object]) -> None:
    ledger = Ledger(Loss(1))
    told = {"y_score": [0.1, 0.9], "epsilon": 1, "ledger": ledger} | arguments
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        private_auc([0, 1], **told)
    assert not ledger.charges


def test_json_round_trip() -> None:
    found = private_auc(SCORES, epsilon=1, noise=SeededNoise(0), confidence=0.8)
    assert AucRelease.from_json(found.to_json()) == found
    with pytest.raises(DataError, match="exported AUC"):
        AucRelease.from_json("[]")
