"""Pairs of attributes: what one record moves, when they are weighed, and what that is worth."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import roc_auc_score

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms import BlockObjective
from dpcore.models import DPClassifier, DPLogisticRegression
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import ClassSizes
from dpcore.models.logistic.layout import Basis
from dpcore.models.logistic.objective import objective_of
from dpcore.models.logistic.pairs import Pairs, share_for_pairs, with_pairs, worthwhile
from dpcore.models.ranges import Places
from dpcore.models.terms import LinearTerm, PairsTerm
from dpcore.models.training import RepeatedTraining, Training
from dpcore.noise import NoiseOff
from dpcore.release import open_gate
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._records import WITHOUT_TEXT, Record, ReplayGate, all_records, training
from tests.models._sensitivity import outside

# A model that is sure of some records and of others not, and lets age enter far out.
MODEL = AdditiveModel("sigmoid", np.array([0.3]), (LinearTerm(np.array([[9.0]])),))
PLACES = Places(np.array([0.1]), np.array([0.4]))
RECORDS = list(dict.fromkeys((row[:4], label) for row, label in all_records(2)))


def pairs_of(data: Training) -> Pairs:
    return Pairs.all_of(MODEL, data, PLACES)


def says(records: list[Record]) -> np.ndarray:
    data = training(records, 2, WITHOUT_TEXT)
    return pairs_of(data).says(data, variance=3.0)


def test_what_a_pair_says_is_the_residuals_of_its_cells() -> None:
    data = training(RECORDS, 2, WITHOUT_TEXT)
    found = pairs_of(data)
    assert found.widths == (4, 3, 2)
    assert found.chosen == ((0, 1), (0, 2), (1, 2))
    left = data.classes - expit(MODEL.scores(data.rows)[:, 0])
    cells = data.rows.attribute_cells(found.edges)
    for (one, two), told in zip(found.chosen, found.says(data, variance=3.0), strict=True):
        width = found.widths[one] * found.widths[two]
        joint = cells[one] * found.widths[two] + cells[two]
        sums = np.abs(np.bincount(joint, left, width)).sum()
        assert told == pytest.approx(sums - np.sqrt(2 / np.pi * 3.0 * width), abs=1e-4)


@pytest.mark.parametrize("base", [[], RECORDS[:5], RECORDS])
def test_one_record_moves_each_by_less_than_one(base: list[Record]) -> None:
    """Added, it moves each by less than 1, and replaced by less than 2: nearly that far, too."""
    grown = np.array([says([*base, record]) for record in RECORDS])
    added = np.abs(grown - says(base)).max()
    assert 0.9 < added < 1.0
    replaced = max(np.abs(grown - one).max() for one in grown)
    # Two that are sure and wrong, in two cells or in one.
    assert (1.8 if base else 0.9) < replaced < 2.0


def test_what_others_leave_over_is_no_concern_of_an_odd_record() -> None:
    """Sums are of whole multiples of 2^-20, each a function of its own record."""
    data = training(RECORDS, 2, WITHOUT_TEXT)
    whole = pairs_of(data).residuals(data)
    np.testing.assert_array_equal(whole * 2**20, np.rint(whole * 2**20))
    parts = [training([record], 2, WITHOUT_TEXT) for record in RECORDS]
    alone = sum(pairs_of(part).residuals(part) for part in reversed(parts))
    np.testing.assert_array_equal(alone, whole)
    told = says(RECORDS) * 2**20
    np.testing.assert_array_equal(told, np.rint(told))


def test_attributes_of_many_levels_are_in_no_pair_and_take_no_memory() -> None:
    """Sums over pairs of 3,000 levels would be 72 MB for each."""
    levels = [Feature(f"c={place}", "indicator", "c") for place in range(3_000)]
    numbers = [Feature(name, "numeric", name, (-1.0, 1.0)) for name in "ab"]
    blocks = (Block("a", "numeric", 0, 1, 1), Block("c", "one-hot", 1, 3_001, 1))
    space = FeatureSpace(
        (numbers[0], *levels, numbers[1]), (*blocks, Block("b", "numeric", 3_001, 3_002, 1))
    )
    X = np.zeros((40, 3_002))
    X[:, 0], X[np.arange(40), np.arange(1, 41)] = np.linspace(-1, 1, 40), 1.0
    data = Training.of(BoundedRows.of(X, space), np.arange(40) % 2, 2)
    model = AdditiveModel("sigmoid", np.zeros(1), (LinearTerm(np.zeros((1, 2))),))
    found = Pairs.all_of(model, data, Places(np.zeros(2), np.full(2, 0.5)))
    assert (found.chosen, found.widths, found.attributes) == (((0, 1),), (4, 4, 3_001), [0, 1])
    assert found.residuals(data).shape == (8, 8)


@pytest.mark.parametrize("some", [[], [1], [0, 1, 2]])
def test_rows_lie_in_the_declared_set(some: list[int]) -> None:
    data = training(RECORDS, 2, WITHOUT_TEXT)
    found = pairs_of(data).only(np.array(some, dtype=np.int64))
    mechanism = BlockObjective(epsilon=1, parts=found.parts)
    rows = found.columns(data.rows)
    assert rows.shape == (data.classes.size, mechanism.dimension)
    assert outside(mechanism, rows) == 1.0


def test_a_pair_stays_that_says_more_than_noise_and_chance() -> None:
    """Three deviations of both, and half the noise of all its weights."""
    data = training(RECORDS, 2, WITHOUT_TEXT)
    found = pairs_of(data)
    noise = np.sqrt(BlockObjective(epsilon=0.6, parts=found.parts, strength=2.0).tilt_variances)
    of_weights = [one.sum() for one in np.split(noise[2:], np.cumsum(found.sizes)[:-1])]
    chance = np.sqrt((1.0 - 2.0 / np.pi) * 0.6 * 0.4 * 0.6 * 1_500.0)
    bars = 3.0 * np.hypot(3.0 / 0.4, chance) + 0.5 * np.array(of_weights)
    for times, stay in ((1.001, found.chosen), (0.999, ())):
        gate: Any = ReplayGate(Neighbors.ADD_REMOVE, answers={"worth of pairs": times * bars})
        kept, _ = worthwhile(found, data, SIZES, loss=Loss(1), gate=gate)
        assert kept.chosen == stay


PAIRS = ["choice of pairs", "worth of pairs", "score and pairs"]
SIZES = ClassSizes(np.array([900.0, 600.0]), 1.0)


def replayed(
    neighbors: Neighbors, answers: dict[str, Any], records: list[Record] = RECORDS
) -> tuple[ReplayGate, AdditiveModel, AdditiveModel]:
    """What was released, the model that was weighed anew, and what became of it."""
    gate: Any = ReplayGate(neighbors, answers=answers)
    data = training(records, 2, WITHOUT_TEXT)
    basis = Basis((), data.rows.indicator_blocks, 1)
    weights = np.linspace(-1.0, 1.0, basis.width)[np.newaxis]
    found = with_pairs(basis, weights, data, SIZES, PLACES, loss=Loss(1), gate=gate)
    return gate, AdditiveModel("sigmoid", *basis.model_parts(weights)), found


@pytest.mark.parametrize("neighbors", Neighbors)
def test_all_of_the_loss_is_spent_whatever_stays(neighbors: Neighbors) -> None:
    for told in (np.zeros(3), np.full(3, 1e6)):
        answers = {"worth of pairs": told, "score and pairs": np.ones((1, 28))}
        gate, _, _ = replayed(neighbors, answers)
        parts = {label: one[0].loss.epsilon for label, one in gate.released.items()}
        assert parts == {"worth of pairs": Fraction(2, 5), "score and pairs": Fraction(3, 5)}
        worth, weights = (gate.released[label][0] for label in parts)
        assert worth.l1_sensitivity == 3 * neighbors.steps
        assert weights.dimension == 2 + (26 if told.any() else 0)
        # Without a record the score stays what it was.
        assert weights.anchor.tolist() == [0.0, 8.0] + [0.0] * (weights.dimension - 2)


@pytest.mark.parametrize("told", [0.0, 1e6])
def test_the_model_follows_from_what_was_released(told: float) -> None:
    """Of other records, even of none, for whom the gate says the same, the same model."""
    width = 28 if told else 2
    weights = np.linspace(0.5, 2.0, width)[np.newaxis]
    answers = {"worth of pairs": np.full(3, told), "score and pairs": weights}
    several = [replayed(Neighbors.ADD_REMOVE, answers, some)[2] for some in (RECORDS, [])]
    one, other = ([term.to_plain() for term in model.terms] for model in several)
    assert one == other
    assert several[0].bias == several[1].bias


@pytest.mark.parametrize("neighbors", Neighbors)
def test_chance_is_told_by_the_released_sizes_and_no_record(neighbors: Neighbors) -> None:
    """Without a record no residual is left, and chance alone enters the noise."""
    gate: Any = ReplayGate(neighbors)
    nobody, loss = training([], 2, WITHOUT_TEXT), Loss(20)
    objective_of(nobody, SIZES, loss=loss, rest=loss, gate=gate)
    _, says = gate.released["worth of pairs"]
    variance = 0.6 * 0.4 * 0.6 * 1_500.0
    chance = np.sqrt(2.0 / np.pi * variance * np.array([12, 8, 6]))
    np.testing.assert_allclose(says, -chance, atol=1e-6)


@pytest.mark.parametrize("factor, times", [(16.0, 2.0), (4.0, 0.5), (-4.0, 0.0)])
def test_a_score_is_weighed_anew_and_never_turned_round(factor: float, times: float) -> None:
    """The columns are a constant and an eighth of the score; a weight below zero is noise."""
    answers = {"worth of pairs": np.zeros(3), "score and pairs": np.array([[0.25, factor]])}
    _, before, after = replayed(Neighbors.ADD_REMOVE, answers)
    rows = training(RECORDS, 2, WITHOUT_TEXT).rows
    np.testing.assert_allclose(after.scores(rows), 0.25 + times * before.scores(rows))


WIDE = FeatureSpace(tuple(Feature(f"x{i}", "numeric", f"x{i}", (-3.0, 3.0)) for i in range(6)))


def products(n: int, seed: int, strength: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Six numbers, of which the first two count by their product alone, and the third by itself."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    odds = 2.0 * strength * X[:, 0] * X[:, 1] + X[:, 2]
    return X, (rng.random(n) < expit(odds)).astype(int)


@pytest.mark.parametrize("neighbors", Neighbors)
def test_four_of_many_pairs_are_chosen_by_what_they_say(neighbors: Neighbors) -> None:
    X, y = products(4_000, 0)
    data = Training.of(BoundedRows.of(X, WIDE), y, 2)
    places = Places(np.zeros(6), np.full(6, 1 / 3))
    model = AdditiveModel("sigmoid", np.zeros(1), (LinearTerm(np.array([[0, 0, 3.0, 0, 0, 0]])),))
    found = Pairs.all_of(model, data, places)
    assert len(found.chosen) == 15
    gate = ReplayGate(neighbors, answers={"choice of pairs": np.array([0, 3, 9, 14])})
    worth: Any = np.array([1e6, 0.0, 0.0, 1e6])
    gate.answers = {"choice of pairs": np.array([0, 3, 9, 14]), "worth of pairs": worth}
    kept, left = worthwhile(found, data, SIZES, loss=Loss(5), gate=gate)  # type: ignore[arg-type]
    assert (kept.chosen, str(left)) == (((0, 1), (4, 5)), "epsilon 3")
    choice, scores = gate.released["choice of pairs"]
    assert (choice.k, choice.sensitivity, choice.monotone) == (4, neighbors.steps, False)
    assert choice.loss == Loss(1) == gate.released["worth of pairs"][0].loss
    assert gate.released["worth of pairs"][0].l1_sensitivity == 4 * neighbors.steps
    np.testing.assert_array_equal(gate.released["worth of pairs"][1], scores[[0, 3, 9, 14]])
    # What is taken for chance is told by the released sizes, whatever the records are.
    chance = 0.6 * 0.4 * 0.6 * 1_500.0
    np.testing.assert_array_equal(scores, found.says(data, variance=chance))
    # The product stands out by far.
    assert scores.argmax() == 0
    assert scores[0] > 4 * np.delete(scores, 0).max()


def model_of(X: np.ndarray, y: np.ndarray, seed: int) -> DPLogisticRegression:
    return DPClassifier(4, classes=(0, 1), bounds=(-3, 3), noise=SeededNoise(seed)).fit(X, y)


def weighed(model: DPLogisticRegression) -> set[tuple[int, int]]:
    told = [term for term in model.model_.terms if isinstance(term, PairsTerm)]
    return set(told[0].pairs) if told else set()


def test_a_product_of_two_numbers_is_found_and_nothing_else() -> None:
    (X, y), (fresh, classes) = products(4_000, 1), products(4_000, 2)
    model = model_of(X, y, 1)
    assert weighed(model) == {(0, 1)}
    # What numbers say by themselves has an area of .65 to .66; with their product .78 to .81.
    assert roc_auc_score(classes, model.predict_proba(fresh)[:, 1]) > 0.74
    labels = [charge.label for charge in model.release_.charges]
    assert labels[-4:] == ["weights", *PAIRS]


def test_without_noise_the_best_pairs_are_chosen() -> None:
    X, y = products(4_000, 1)
    model = DPClassifier(4, classes=(0, 1), bounds=(-3, 3), noise=NoiseOff()).fit(X, y)
    assert weighed(model) == {(0, 1)}


def test_no_pair_of_a_table_without_products_is_weighed() -> None:
    """A pair of noise is weighed for one seed in a thousand at most: here none of twenty is."""
    X, y = products(4_000, 3, strength=0.0)
    assert not any(weighed(model_of(X, y, seed)) for seed in range(20))


@pytest.mark.parametrize("sizes", [(499, 499), (20_000, 200)])
def test_few_records_of_a_class_ask_for_no_pairs(sizes: tuple[int, int]) -> None:
    assert share_for_pairs(1e6, ClassSizes(np.array(sizes, dtype=float), 1.0), 5) == 0


@pytest.mark.parametrize("epsilon, asked", [("0.0011", True), ("0.0009", False), ("4e-5", False)])
def test_no_pairs_are_asked_for_where_rounding_would_use_up_a_choice(
    epsilon: str, asked: bool
) -> None:
    """Of so many records that they are worth the least share; the training ends all the same."""
    X, y = products(200, 5)
    data, loss = Training.of(BoundedRows.of(X, WIDE), y, 2), Loss(epsilon)
    sizes = ClassSizes(np.full(2, 600.0 * 6 / float(loss.epsilon) / 2), 1.0)
    gate = open_gate(loss, noise=SeededNoise(0))
    objective_of(data, sizes, loss=loss, rest=loss, gate=gate)
    labels = [charge.label for charge in gate.charges]
    assert labels == ["range of numbers", "weights", *PAIRS] if asked else labels[1:] == ["weights"]
    assert gate.ledger.spent == loss


def test_the_share_rises_without_a_jump() -> None:
    shares = [share_for_pairs(q, SIZES, 5) for q in np.geomspace(400, 4_000, 500)]
    assert (min(shares), max(shares)) == (0, 200)
    rising = [share for share in shares if share]
    # Less than this says nothing, and is not asked for.
    assert min(rising) == 20
    assert max(np.diff(rising)) <= 1


def test_pairs_of_a_draw_are_no_layout_that_other_draws_share() -> None:
    data = training(RECORDS, 2, WITHOUT_TEXT)
    kept = RepeatedTraining(data.rows, data.classes, 2)
    basis = Basis((), data.rows.indicator_blocks, 1)
    first = kept.design(basis.columns)
    for _ in range(5):
        rows, classes = kept.design(partial(Pairs.columns, pairs_of(data)))  # type: ignore[misc]
        assert rows.shape == (classes.size, 28)
    assert kept.design(basis.columns) is first
