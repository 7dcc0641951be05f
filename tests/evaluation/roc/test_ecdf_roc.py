"""ROC from two private ECDFs: sensitivity, noise in closed form, and data that are hard."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import BudgetExceeded
from dpcore.evaluation import private_roc_curve, roc_area_between
from dpcore.evaluation.roc.ecdf_roc import noisy_sums, run
from dpcore.release import Gate
from tests.evaluation.roc._data import HARD, atoms, beta_scores
from tests.evaluation.roc._spy import RECORDS, histogram
from tests.mechanisms._recorder import Recorder, query

ECDFS = ("tree", "hierarchical")
CUTS = np.array([1, 2])
N, DEPTH = 16, 4


class Spy(Gate):
    """A gate without noise; the mechanisms and values that pass, through it or made from it."""

    def __init__(self, ledger: Ledger, part: Part | None = None) -> None:
        super().__init__(ledger, Recorder(), part)
        object.__setattr__(self, "passed", {})

    def on(self, part: Part) -> Gate:
        inner = Spy(self.ledger, part)
        object.__setattr__(inner, "passed", self.passed)
        return inner

    def for_classes(self, loss: Loss, *, label: str) -> tuple[Gate, Loss]:
        gate, each = super().for_classes(loss, label=label)
        inner = Spy(gate.ledger)
        object.__setattr__(inner, "passed", self.passed)
        return inner, each

    def release(self, mechanism, value, *, label):
        self.passed[self.part.member] = mechanism, value
        return super().release(mechanism, value, label=label)


def weighed(ecdf: str, data: tuple[tuple[int, int], ...], neighbors: Neighbors):
    """The exact integers that a record can change, and the scale of the noise on each."""
    gate = Spy(Ledger(neighbors=neighbors))
    noisy_sums(histogram(data), CUTS, ecdf=ecdf, loss=Loss(1), gate=gate)
    asked = [query(*gate.passed[name]) for name in ("negatives", "positives")]
    return tuple(np.concatenate(parts) for parts in zip(*asked, strict=True))


def largest_loss(ecdf: str, neighbors: Neighbors) -> Fraction:
    """Over all pairs of neighbours of up to three records on three cells and two classes."""
    asked = {}
    for size in range(4):
        for data in itertools.combinations_with_replacement(RECORDS, size):
            asked[data], scales = weighed(ecdf, data, neighbors)
    worst = Fraction(0)
    for data in (data for data in asked if len(data) < 3):
        larger = [asked[tuple(sorted((*data, record)))] for record in RECORDS]
        pairs = neighbors.pick(
            add_remove=[(asked[data], other) for other in larger],
            replace=list(itertools.combinations(larger, 2)),
        )
        for one, other in pairs:
            moved = sum(abs(int(d)) / b for d, b in zip(other - one, scales, strict=True))
            worst = max(worst, moved)
    return worst


@pytest.mark.parametrize("neighbors", Neighbors)
def test_no_pair_of_small_neighbours_loses_more_than_epsilon(neighbors: Neighbors) -> None:
    assert largest_loss("hierarchical", neighbors) == 1


def shifted(change: np.ndarray) -> int:
    """Fewest moves, by one, of dyadic noise variables that make up a change of prefix sums."""
    steps = np.diff(change, prepend=0)
    reached, moves = {tuple(steps)}, 0
    while not any(not any(state) for state in reached):
        moves += 1
        grown = set()
        for state in reached:
            for level in range(3):
                for start in range(0, change.size, 2**level):
                    for sign in (1, -1):
                        after = np.array(state)
                        after[start] += sign
                        if start + 2**level < change.size:
                            after[start + 2**level] -= sign
                        grown.add(tuple(after))
        reached = grown
    return moves


@pytest.mark.parametrize("neighbors", Neighbors)
def test_tree_noise_makes_up_for_any_record_at_epsilon(neighbors: Neighbors) -> None:
    """The noise of the tree is shared, so what counts is how many variables hide the change."""
    gate = Spy(Ledger(neighbors=neighbors))
    noisy_sums(histogram(()), CUTS, ecdf="tree", loss=Loss(1), gate=gate)
    mechanism, _ = gate.passed["positives"]
    cost = 1 / mechanism.scale(3)
    sums = {record: np.zeros((2, 3), dtype=int) for record in RECORDS}
    for label, cell in RECORDS:
        sums[label, cell][label, cell:] = 1
    changes = neighbors.pick(
        add_remove=list(sums.values()),
        replace=[one - other for one, other in itertools.permutations(sums.values(), 2)],
    )
    losses = [cost * (shifted(change[0]) + shifted(change[1])) for change in changes]
    assert max(losses) <= 1


def test_the_classes_have_the_whole_epsilon_each_in_parallel() -> None:
    ledger, test = Ledger(Loss(1)), Part("split", "test")
    curve = private_roc_curve(
        beta_scores(300), epsilon=1, method="ecdf-roc", ledger=ledger, part=test,
        noise=SeededNoise(0),
    )  # fmt: skip
    assert [(c.part, c.loss) for c in curve.charges] == [(test, Loss(1))]
    assert ledger.spent == Loss(1)
    gate = Spy(Ledger(Loss(1)), test)
    noisy_sums(histogram(()), CUTS, ecdf="hierarchical", loss=Loss(1), gate=gate)
    assert {mechanism.loss for mechanism, _ in gate.passed.values()} == {Loss(1)}


def test_under_replace_both_run_at_half_and_one_charge_says_so() -> None:
    ledger = Ledger(Loss(1), "replace")
    gate = Spy(ledger)
    noisy_sums(histogram(()), CUTS, ecdf="hierarchical", loss=Loss(1), gate=gate)
    assert {mechanism.loss for mechanism, _ in gate.passed.values()} == {Loss("0.5")}
    assert [(c.label, c.loss) for c in ledger.charges] == [("ECDFs of both classes", Loss(1))]


def test_what_the_ledger_cannot_pay_is_not_drawn() -> None:
    gate = Spy(Ledger(Loss("0.5"), "replace"))
    with pytest.raises(BudgetExceeded):
        noisy_sums(histogram(()), CUTS, ecdf="tree", loss=Loss(1), gate=gate)
    assert gate.passed == {}


@pytest.mark.few(1)
@pytest.mark.parametrize("neighbors", Neighbors)
def test_tree_sums_are_unbiased_with_the_variance_of_the_theorem(neighbors: Neighbors) -> None:
    """2 (L + 1) ceil((L + 1) / 2)^2 / e^2 on every sum, with e epsilon or half of it."""
    rng = np.random.default_rng(0)
    scores = ScoreHistogram(*rng.integers(0, 50, (2, N)), np.linspace(0, 1, N + 1))
    epsilon, draws = Fraction(1, 50), 2500
    noise = SeededNoise(11)
    drawn = np.array([
        noisy_sums(scores, np.arange(1, N), ecdf="tree", loss=Loss(epsilon),
                   gate=Gate(Ledger(neighbors=neighbors), noise))
        for _ in range(draws)
    ])  # fmt: skip
    exact = np.stack([scores.negatives_below[1:], scores.positives_below[1:]])
    error = float(epsilon) * (drawn - exact)
    variance = 2 * (DEPTH + 1) * 3**2 * neighbors.pick(add_remove=1, replace=4)
    assert (np.abs(error.mean(axis=0)) < 5.5 * np.sqrt(variance / draws)).all()
    ratio = (error**2).mean(axis=0) / variance
    assert ((ratio > 0.8) & (ratio < 1.2)).all()
    for factor in (0.7, 1.3):
        assert not ((ratio * factor**2 > 0.8) & (ratio * factor**2 < 1.2)).any()


@pytest.mark.parametrize("ecdf", ECDFS)
def test_without_noise_the_sums_are_exact(ecdf: str) -> None:
    scores = beta_scores(500)
    marks = np.array([9_000, 30_000, 40_000])
    sums = noisy_sums(scores, marks, ecdf=ecdf, loss=Loss(1), gate=Gate(Ledger(), Recorder()))
    for found, below in zip(sums, (scores.negatives_below, scores.positives_below), strict=True):
        np.testing.assert_allclose(found, below[[*marks, -1]])


class Told(Gate):
    """A gate that says the same of all records: of each class other sums than these have."""

    def for_classes(self, loss: Loss, *, label: str) -> tuple[Gate, Loss]:
        return self, loss

    def on(self, part: Part) -> Gate:
        return self

    def release(self, mechanism, value, *, label):
        return np.geomspace(3.0, 400.0, np.size(value)) - 9.0


@pytest.mark.parametrize("smoothing", ["p1", "p2", "isotonic"])
def test_the_curve_follows_from_what_was_released(smoothing: str) -> None:
    """Of other records, even of none, for whom the gate says the same: no exact size is read."""
    curves = [
        run(scores, loss=Loss(1), gate=Told(Ledger(), Recorder()),
            points=16, ecdf="tree", smoothing=smoothing)
        for scores in (beta_scores(500), beta_scores(0))
    ]  # fmt: skip
    for name in ("fpr", "tpr", "thresholds"):
        np.testing.assert_array_equal(*(getattr(curve, name) for curve in curves))


@pytest.mark.parametrize("ecdf", ECDFS)
@pytest.mark.parametrize("smoothing", ["p1", "p2", "isotonic"])
@pytest.mark.parametrize("data", ["no record", "positives only", "piled on 0 and 1", "twenty"])
def test_hard_data_give_a_curve(ecdf: str, smoothing: str, data: str) -> None:
    curve = private_roc_curve(
        HARD[data], epsilon=1, method="ecdf-roc", ecdf=ecdf, smoothing=smoothing,
        noise=SeededNoise(3),
    )  # fmt: skip
    for rate in (curve.fpr, curve.tpr):
        assert (rate[0], rate[-1]) == (0.0, 1.0)
        assert (np.diff(rate) >= 0).all()
        assert np.isfinite(rate).all()


def test_atoms_on_0_and_1_stay_where_they_are() -> None:
    """Nine in ten scores are 0 or 1: the first and the last cell hold them, and no other."""
    scores = atoms(100_000)
    fpr, tpr, _ = scores.roc()
    curve = private_roc_curve(scores, epsilon=1, method="ecdf-roc", noise=SeededNoise(0))
    assert roc_area_between(curve.fpr, curve.tpr, fpr, tpr) < 0.003


def test_less_noise_than_the_paper_tree() -> None:
    scores = beta_scores()
    fpr, tpr, _ = scores.roc()

    def error(**parameters: str) -> float:
        curves = [
            private_roc_curve(
                scores, epsilon=0.3, method="ecdf-roc", noise=SeededNoise(seed), **parameters
            )
            for seed in range(25)
        ]
        return float(np.median([roc_area_between(c.fpr, c.tpr, fpr, tpr) for c in curves]))

    assert error(ecdf="hierarchical") < 0.8 * error(ecdf="tree")
    assert error(ecdf="tree", smoothing="p2") < error(ecdf="tree")
