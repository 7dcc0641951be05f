"""private_model_comparison: the difference of two AUCs, its sensitivity and its interval."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore._numbers import signed
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import DataError, InvalidArgument
from dpcore.evaluation import ComparisonRelease, private_model_comparison
from dpcore.evaluation.auc.api import pair_interval
from dpcore.evaluation.auc.pair_count import NoisySizes, PairCount
from dpcore.evaluation.decisions.comparison import compare_histograms
from tests.evaluation.roc._spy import GRID, Spy

every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))
# Class, cell by the first model, cell by the second.
RECORDS = list(itertools.product((0, 1), range(3), range(3)))


def two_models(n: int = 1500, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    label = (generator.random(n) < 0.3).astype(int)
    common = generator.normal(size=n) + label
    a, b = (common + generator.normal(scale=spread, size=n) for spread in (1.0, 0.6))
    return label, 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))


def histograms(data: tuple[tuple[int, int, int], ...]) -> list[ScoreHistogram]:
    counts = np.zeros((2, 2, GRID.size - 1), dtype=np.int64)
    for label, *cells in data:
        for model, cell in enumerate(cells):
            counts[model, label, cell] += 1
    return [ScoreHistogram(one[1], one[0], GRID) for one in counts]


@pytest.mark.few(2)
@pytest.mark.parametrize("size", [-100, 1, 2])
@every_relation
def test_one_record_moves_what_enters_by_its_sensitivity_at_most(
    neighbors: Neighbors, size: int
) -> None:
    """Every data set of up to three records and every neighbour, with small caps (scripted)."""
    sizes = np.array(neighbors.pick(add_remove=[size, size], replace=[size]))
    # Little noise in the sizes, so that the caps are as small as the data.
    values = {}
    for number in range(4):
        for data in itertools.combinations_with_replacement(RECORDS, number):
            spy = Spy(neighbors, {"class sizes": sizes})
            compare_histograms(*histograms(data), loss=Loss(10_000), gate=spy)
            values[data] = spy.seen["difference of pairs"]
    largest = 0
    for data in (data for data in values if len(data) < 3):
        larger = [values[tuple(sorted((*data, record)))] for record in RECORDS]
        pairs = neighbors.pick(
            add_remove=[(values[data], other) for other in larger],
            replace=list(itertools.combinations(larger, 2)),
        )
        for (mechanism, before), (same, after) in pairs:
            if mechanism == same:
                moved = int(np.abs(after - before).sum())
                assert moved <= mechanism.l1_sensitivity
                largest = max(largest, moved)
    assert largest > 0


def coverage(neighbors: Neighbors, draws: int) -> int:
    label, a, b = two_models()
    scores = [ScoreHistogram.from_arrays(label, one).auc() for one in (a, b)]
    hits = 0
    for seed in range(draws):
        low, high = private_model_comparison(
            label, a, b, epsilon=1, neighbors=neighbors, noise=SeededNoise(seed)
        ).interval
        hits += low <= scores[1] - scores[0] <= high
    return hits


@pytest.mark.few(1)
@every_relation
def test_intervals_hold_the_difference_as_often_as_they_say(neighbors: Neighbors) -> None:
    hits = coverage(neighbors, 100)
    assert binom.ppf(1e-7, 100, 0.88) <= hits <= binom.isf(1e-7, 100, 0.96)


@pytest.mark.slow
def test_intervals_of_another_noise_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = SeededNoise.discrete_laplace
    monkeypatch.setattr(
        SeededNoise, "discrete_laplace", lambda self, scale, size: 4 * drawn(self, scale, size)
    )
    assert coverage(Neighbors.ADD_REMOVE, 100) < binom.ppf(1e-7, 100, 0.88)


def test_little_noise_shows_the_difference() -> None:
    label, a, b = two_models()
    found = private_model_comparison(label, a, b, epsilon=1000, noise=SeededNoise(0))
    one, other = (ScoreHistogram.from_arrays(label, scores).auc() for scores in (a, b))
    assert found.difference == pytest.approx(other - one, abs=1e-4)
    assert (found.auc_a, found.auc_b) == pytest.approx((one, other), abs=1e-3)
    assert "model B is better by" in found.verdict
    same = private_model_comparison(label, a, a, epsilon=1, noise=SeededNoise(0))
    assert "These records cannot tell which model is better" in same.verdict
    # As the card beside it writes them: a minus, not a hyphen.
    low, high = same.interval
    assert low < 0 < high
    assert f"between {signed(low)} and {signed(high)}." in same.verdict
    assert "-" not in same.verdict
    hardly = replace(found, difference=0.0006, interval=(0.0002, 0.00104))
    assert "B is better by 0.0006 (0.0002 to 0.0010), with" in hardly.verdict
    least, most = found.population_interval
    assert least < found.interval[0] < found.interval[1] < most


@pytest.mark.parametrize("epsilon", [1, 1000])
def test_a_model_that_ranks_backwards_is_not_called_worse_alone(epsilon: float) -> None:
    label, a, b = two_models(20_000)
    told = {"epsilon": epsilon, "noise": SeededNoise(0)}
    for one, other, whose in ((1 - a, b, "A"), (a, 1 - b, "B"), (1 - a, 1 - b, "A and B")):
        says = private_model_comparison(label, one, other, **told).verdict
        assert says.endswith(
            f"But high scores of {whose} speak for the other class: turn them round before you "
            "compare."
        )
    alike = private_model_comparison(label, 1 - a, 1 - a, **told).verdict
    assert "cannot tell" in alike
    assert "But high scores of A and B speak" in alike


def test_a_model_that_guesses_is_not_taken_for_one_that_ranks_backwards() -> None:
    draws = np.random.default_rng(3)
    label = (draws.random(3000) < 0.3).astype(int)
    for seed in range(60):
        guess, other = draws.random((2, 3000))
        found = private_model_comparison(
            label, guess, other, epsilon=0.3 + seed % 2, noise=SeededNoise(seed)
        )
        assert "But" not in found.verdict, seed


@every_relation
def test_charges_add_up(neighbors: Neighbors) -> None:
    ledger = Ledger(Loss(1), neighbors)
    label, a, b = two_models(500)
    found = private_model_comparison(
        label, a, b, epsilon=1, neighbors=neighbors, ledger=ledger, noise=SeededNoise(0)
    )
    assert found.charges == ledger.charges
    assert ledger.spent == Loss(1)
    paid = Ledger(Loss(1), neighbors)
    assert not private_model_comparison(
        label, a, b, epsilon=1, neighbors=neighbors, ledger=paid
    ).simulated
    assert paid.spent == Loss(1)


@every_relation
@pytest.mark.parametrize("odd", [(1, None, 0.5), (1, 0.5, "x"), ([], 0.5, 0.5), (0, 7.0, 0.5)])
def test_an_odd_record_is_left_out_of_both(neighbors: Neighbors, odd: tuple) -> None:
    """With real noise it raises nothing and changes nothing about another."""
    label, a, b = (list(one) for one in two_models(50))
    for column, value in zip((label, a, b), odd, strict=True):
        column.append(value)
    found = private_model_comparison(label, a, b, epsilon=1, neighbors=neighbors)
    assert not found.simulated


def test_a_simulation_names_a_score_that_is_none() -> None:
    with pytest.raises(InvalidArgument, match=r"y_score_b\[1\]"):
        private_model_comparison([0, 1], [0.1, 0.9], [0.1, 9], epsilon=1, noise=SeededNoise(0))


def test_json_round_trip() -> None:
    found = private_model_comparison(*two_models(500), epsilon=1, noise=SeededNoise(0))
    assert ComparisonRelease.from_json(found.to_json()) == found
    with pytest.raises(DataError, match="exported comparison"):
        ComparisonRelease.from_json("[]")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_counted_scores_do_not_say_which_record_is_whose(place: int) -> None:
    arguments = [[0, 1], [0.1, 0.9], [0.2, 0.8]]
    arguments[place] = ScoreHistogram.empty()
    with pytest.raises(InvalidArgument, match="must be a vector, such as an array"):
        private_model_comparison(*arguments, epsilon=1)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_model_is_called_better_only_beyond_what_noise_does_once_in_twenty(side: float) -> None:
    """At epsilon 0.01 no better model is known: each side is wrong in 5 % of draws, as promised.

    Laplace noise is beyond t scales with a chance of exp(-t)/2, and so is discrete noise of a large
    scale: one in twenty at t = log 10. However uncertain the sizes are, the sign is decided there.
    """
    sizes = NoisySizes(500.0, 500.0, (1.0,), (1000.0,), total_is_public=False)
    for scales, calls in ((0.95, False), (1.05, True)):
        excess = side * scales * np.log(10.0) * 4000.0
        low, high = pair_interval(PairCount(sizes, 0.0, excess, 4000.0), 0.9, lowest=-1.0)
        assert (low > 0.0 or high < 0.0) is calls


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_noise_of_thousands_of_pairs_does_not_order_the_models_of_nine(side: float) -> None:
    """However far it goes: a difference of one, for sure, would be what such noise seems to say."""
    sizes = NoisySizes(3.0, 3.0, (1.0,), (1000.0,), total_is_public=False)
    counted = PairCount(sizes, 0.0, side * 10_000.0, 4000.0)
    assert pair_interval(counted, 0.9, lowest=-1.0) == (-1.0, 1.0)
