"""private_group_evaluation: all groups for one epsilon, each as exact as it would be alone."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, norm

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import BudgetExceeded, InvalidArgument
from dpcore.evaluation import GroupRelease, private_auc, private_group_evaluation
from dpcore.evaluation.decisions import groups
from dpcore.evaluation.decisions.groups import OTHER, score_sum, split_by_group
from tests.evaluation.roc._spy import Spy

every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))
LEVELS = ["a", "b", "c", "d"]


def records(n: int = 5000, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Five groups of like size, the last of them not declared; one ranked worse."""
    generator = np.random.default_rng(seed)
    group = np.array([*LEVELS, "?"])[generator.integers(0, 5, n)]
    label = (generator.random(n) < 0.4).astype(int)
    skill = np.where(group == "a", 0.5, 2.0)
    score = 1 / (1 + np.exp(-(generator.normal(size=n) + skill * label - 1)))
    return label, score, group


def evaluate(seed: int = 0, **arguments: Any) -> GroupRelease:
    told = {"levels": LEVELS, "epsilon": 1, "noise": SeededNoise(seed)} | arguments
    return private_group_evaluation(*records(), **told)


@every_relation
def test_all_groups_cost_epsilon_once(neighbors: Neighbors) -> None:
    for threshold in (None, 0.5):
        ledger = Ledger(Loss(1), neighbors)
        found = evaluate(threshold=threshold, neighbors=neighbors, ledger=ledger)
        assert found.charges == ledger.charges
        assert [charge.label for charge in found.charges] == ["evaluation by group"]
        assert ledger.spent == Loss(1)
        with pytest.raises(BudgetExceeded):
            evaluate(neighbors=neighbors, ledger=ledger)
    paid = Ledger(Loss(1), neighbors)
    assert not evaluate(noise=None, neighbors=neighbors, ledger=paid).simulated
    assert paid.spent == Loss(1)


@pytest.mark.parametrize("neighbors, share", [("add-remove", "0.9"), ("replace", "0.45")])
def test_a_group_has_the_error_that_it_has_alone(neighbors: str, share: str) -> None:
    """The AUC is that of `private_auc` at nine tenths of epsilon, draw for draw in the first."""
    counted = split_by_group(*records(), levels=LEVELS)
    for seed in range(5):
        found = evaluate(seed, neighbors=neighbors).groups[0].rates["auc"]
        alone = private_auc(
            counted[0], epsilon=share, noise=SeededNoise(seed), confidence=1 - 0.1 / 5
        )
        assert found == (
            alone.auc,
            pytest.approx(alone.interval),
            pytest.approx(alone.population_interval),
        )


def test_one_record_touches_one_group_and_the_sums_by_their_sensitivity() -> None:
    """Every data set of one record with cells of every kind, and every record more."""
    cells = list(itertools.product((0, 1), (0.0, 1.0), ("a", None)))

    def split(*rows: tuple[Any, Any, Any]) -> list[ScoreHistogram]:
        return split_by_group(*map(list, zip(*rows, strict=True)), levels=["a", "b"])

    for record in cells:
        before = split(record)
        for more in cells:
            moved, sums = [], 0
            for one, other in zip(before, split(record, more), strict=True):
                counts = np.abs(one.positives - other.positives)
                moved.append(int((counts + np.abs(one.negatives - other.negatives)).sum()))
                sums += abs(score_sum(one) - score_sum(other))
            assert sorted(moved) == [0, 0, 1]
            assert sums <= 512


def test_the_noise_of_a_sum_is_made_for_just_what_a_record_moves() -> None:
    moved = []
    for score in (0.0, 0.5, 1.0):
        spy = Spy(Neighbors.ADD_REMOVE)
        groups._counts(ScoreHistogram.from_arrays([1], [score]), None, Loss(1), spy)
        mechanism, value = spy.seen["sum of scores"]
        moved.append(abs(int(value[0])) / mechanism.l1_sensitivity)
    assert moved == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("threshold", [None, 0.5])
def test_little_noise_shows_each_group(threshold: float | None) -> None:
    found = evaluate(epsilon=1000, threshold=threshold)
    label, score, group = records()
    for row in found.table.itertuples():
        here = np.isin(group, LEVELS, invert=True) if row.group == OTHER else group == row.group
        counted = ScoreHistogram.from_arrays(label[here], score[here])
        assert row.size == pytest.approx(here.sum(), abs=1)
        assert row.auc == pytest.approx(counted.auc(), abs=1e-3)
        assert row.base_rate == pytest.approx(label[here].mean(), abs=1e-3)
        assert row.mean_score == pytest.approx(score[here].mean(), abs=2e-3)
        if threshold is not None:
            alarmed = score[here] >= 0.5
            assert row.tpr == pytest.approx(alarmed[label[here] == 1].mean(), abs=1e-2)
            assert row.fpr == pytest.approx(alarmed[label[here] == 0].mean(), abs=1e-2)
    gap = found.gaps["auc"]
    assert gap.lowest == "a"
    assert gap.interval[0] > 0.1
    assert gap.interval[0] <= gap.value <= gap.interval[1]


def all_held(draws: int) -> int:
    """How often the intervals of AUC, base rate and rates hold in all groups at once."""
    truth = evaluate(epsilon=100_000, threshold=0.5)
    hits = 0
    for seed in range(draws):
        found = evaluate(seed, threshold=0.5)
        hits += all(
            one.rates[name].interval[0] - 1e-3
            <= true.rates[name].value
            <= one.rates[name].interval[1] + 1e-3
            for name in ("auc", "tpr", "mean_score")
            for one, true in zip(found.groups, truth.groups, strict=True)
        )
    return hits


def test_intervals_hold_in_all_groups_at_once() -> None:
    """Three rates, each of which may miss once in ten."""
    assert all_held(25) >= binom.ppf(1e-7, 25, 0.7)


@pytest.mark.slow
def test_intervals_of_another_noise_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = SeededNoise.discrete_laplace
    monkeypatch.setattr(
        SeededNoise, "discrete_laplace", lambda self, scale, size: 5 * drawn(self, scale, size)
    )
    assert all_held(25) < binom.ppf(1e-7, 25, 0.7)


def gaps_held(draws: int, n: int) -> tuple[int, int, str]:
    """How often both intervals of the gap of AUCs hold it, and how the areas were found."""
    here = there = 0
    # Two normal laws that far apart have these areas.
    skills = np.linspace(0.8, 1.8, 5)
    areas = norm.cdf(skills / np.sqrt(2.0))
    for seed in range(draws):
        generator = np.random.default_rng(seed)
        group, label = generator.integers(0, 5, n), generator.random(n) < 0.4
        score = expit(generator.normal(size=n) + skills[group] * label - 1.0)
        counted = [
            ScoreHistogram.from_arrays(label[group == one], score[group == one]) for one in range(5)
        ]
        gap = private_group_evaluation(
            [*counted, ScoreHistogram.from_arrays(label[:0], score[:0])],
            levels=list("abcde"),
            epsilon=1,
            noise=SeededNoise(seed),
        ).gaps["auc"]
        exact = [one.auc() for one in counted]
        here += gap.interval[0] <= max(exact) - min(exact) <= gap.interval[1]
        there += gap.population_interval[0] <= np.ptp(areas) <= gap.population_interval[1]
    smallest = counted[0]
    way = private_auc(smallest, epsilon="0.9", noise=SeededNoise(0)).way
    return here, there, way


@pytest.mark.few(1)
@pytest.mark.parametrize("n, way", [(2500, "curve"), (6000, "pairs")])
def test_gaps_hold_as_often_as_they_say(n: int, way: str) -> None:
    draws = 25
    here, there, found = gaps_held(draws, n)
    assert found == way
    assert min(here, there) >= binom.ppf(1e-7, draws, 0.88)


def test_gaps_are_narrower_than_both_intervals_together() -> None:
    found = evaluate(threshold=0.5)
    for name, gap in found.gaps.items():
        low, high = np.array([one.rates[name].interval for one in found.groups]).T
        widest = high.max() - low.min() - max(low.max() - high.min(), 0.0)
        assert gap.interval[0] <= gap.value <= gap.interval[1]
        assert gap.interval[1] - gap.interval[0] < 0.95 * widest, name


def test_a_group_of_few_says_nothing() -> None:
    label, score, group = records()
    group = np.where(np.arange(group.size) < 3, "few", group)
    found = private_group_evaluation(
        label, score, group, levels=["few", *LEVELS], epsilon=0.5, noise=SeededNoise(0)
    )
    assert found.groups[0].says_nothing
    assert not found.groups[1].says_nothing
    assert "few" not in found.gaps["auc"][3:]


@every_relation
def test_odd_cells_make_no_error_with_real_noise(neighbors: Neighbors) -> None:
    odd = [None, "", [1], float("nan"), "a", object()]
    found = private_group_evaluation(
        [0, 1] * 10 + odd, [0.2, 0.7] * 10 + odd[::-1], ["a", "b"] * 10 + odd,
        levels=["a", "b"], epsilon=1, threshold=0.5, neighbors=neighbors, pos_label=1,
    )  # fmt: skip
    assert len(found.groups) == 3


@pytest.mark.parametrize(
    "arguments",
    [{"levels": []}, {"levels": ["a", "a"]}, {"levels": [1, "1.0"]}, {"levels": "abc"},
     {"levels": range(21)}, {"threshold": 2}, {"confidence": 1}, {"epsilon": 0}],
)  # fmt: skip
def test_bad_arguments_cost_nothing(arguments: dict[str, Any]) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        evaluate(**arguments, ledger=ledger)
    assert not ledger.charges
