"""Block-wise objective: golden charges, branches by released numbers, the anchor."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from scipy.stats import zscore
from sklearn.linear_model import LogisticRegression

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.reading import samples
from dpcore.mechanisms import BlockObjective
from dpcore.models import DPLogisticRegression
from dpcore.models.class_sizes import ClassSizes
from dpcore.models.logistic.layout import Basis
from dpcore.models.logistic.objective import (
    cells_for,
    exaggeration_for,
    objective,
    steadied,
    weigh_texts,
)
from dpcore.models.terms import BagTerm, CellsTerm, PolylineTerm
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.release import open_gate
from dpcore.schema import Binary, Block, Feature, FeatureSpace, Label, Numeric, Schema, encode
from tests.models._records import SPACE, WITHOUT_TEXT, ReplayGate, all_records, training

ONLY_TEXT = SPACE.take([4, 5, 6])


def weighed(space: FeatureSpace, times: float = 1) -> tuple:
    data = training([(row[-len(space.features) :], y) for row, y in all_records(2)], 2, space)
    basis = Basis((), data.rows.indicator_blocks, data.rows.numeric.shape[1])
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    weights = times * np.linspace(-2, 3, basis.width)[np.newaxis]
    model = weigh_texts(basis, weights, data, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    return data, gate, model


@pytest.mark.parametrize("space, columns", [(SPACE, 4), (ONLY_TEXT, 3)])
def test_the_model_is_what_was_fitted_but_for_the_cuts(space: FeatureSpace, columns: int) -> None:
    data, gate, model = weighed(space)
    mechanism, (rows, _) = gate.released["weights of texts"]
    assert rows.shape[1] == columns == mechanism.parts[0].width
    assert np.abs(rows).max() <= 1
    inside = (np.abs(rows[:, 1:]) < 1).all(axis=1)
    assert inside.any()
    fitted = rows @ gate.said["weights of texts"][0]
    np.testing.assert_allclose(model.scores(data.rows)[inside, 0], fitted[inside])


def test_rows_lie_in_the_box_whatever_was_released() -> None:
    _, (rows, _) = weighed(SPACE, times=100)[1].released["weights of texts"]
    assert np.abs(rows).max() == 1


def test_a_negative_factor_does_not_turn_the_other_features_round() -> None:
    data = training(all_records(2), 2)
    basis = Basis((), data.rows.indicator_blocks, 1)
    gate = ReplayGate(
        Neighbors.ADD_REMOVE, answers={"weights of texts": np.array([[1.0, 2.0, 3.0, -4.0]])}
    )
    weights = np.ones((1, basis.width))
    model = weigh_texts(basis, weights, data, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    plain = [term for term in model.terms if not isinstance(term, BagTerm)]
    assert all((term.scores(data.rows) == 0).all() for term in plain)


def test_a_message_in_many_buckets_is_told_by_its_words_and_its_length() -> None:
    """The mean weight of hundreds of noisy words alone would be close to nothing here."""
    rng, words, n = np.random.default_rng(0), 400, 3000
    y = rng.integers(0, 2, n)
    X = (rng.random((n, words)) < np.where(y == 1, 0.04, 0.02)[:, np.newaxis]).astype(float)
    X[:, :3] = rng.random((n, 3)) < np.where(y == 1, 0.6, 0.05)[:, np.newaxis]
    features = tuple(Feature(f"text:{i}", "indicator", "text") for i in range(words))
    space = FeatureSpace(features, (Block("text", "bag", 0, words, 20),))
    model = DPLogisticRegression("0.5", classes=(0, 1), schema=space, noise=SeededNoise(0))
    assert model.fit(X, y).score(X, y) > 0.9


DATA = training(all_records(2), 2)


@pytest.mark.parametrize(
    "n_classes, space, weights, texts, places",
    [(2, WITHOUT_TEXT, 98, 0, 150), (3, SPACE, 98, 0, 250), (2, SPACE, 84, 14, 150)],
)
def test_golden_charges(
    n_classes: int, space: FeatureSpace, weights: int, texts: int, places: int
) -> None:
    gate = open_gate(Loss("0.2"), noise=SeededNoise(0))
    data = training(all_records(n_classes), n_classes, space)
    objective(data, loss=Loss("0.2"), gate=gate, regularization=0.0)
    # Few records for epsilon: a tenth goes to the class sizes once more, and a part of what the
    # weights have says where numbers lie: all together, or each if there are enough.
    weights, texts = (Fraction(88, 98) * one for one in (weights, texts))
    expected = {
        "class sizes": Fraction(2),
        "class sizes again": Fraction(10),
        "range of numbers": weights * Fraction(places, 1000),
        "weights": weights * Fraction(1000 - places, 1000),
    } | ({"weights of texts": texts} if texts else {})
    assert {charge.label: charge.loss.epsilon for charge in gate.charges} == {
        label: percent / 500 for label, percent in expected.items()
    }


@pytest.mark.parametrize(
    "per_noise, n_classes, space, reach, strength",
    [
        (12, 2, SPACE, None, 1 + 2 * (1 - 12 / 300)),
        (12, 3, WITHOUT_TEXT, None, 9 + 9 * (1 - 12 / 300)),
        (250, 2, SPACE, 50 / 800, 1 + 2 * (1 - 250 / 300)),
        (600, 3, WITHOUT_TEXT, 0.5, 9.0),
        (600, 3, SPACE, 0.5, 1.0),
        (20_000, 2, SPACE, 1.0, 1.0),
    ],
)
def test_layout_and_penalty_follow_the_released_sizes(
    per_noise: int, n_classes: int, space: FeatureSpace, reach: float | None, strength: float
) -> None:
    """Epsilon is 1, and there are as many columns as follows."""
    data = training(all_records(n_classes), n_classes, space)
    columns = 1 + len(data.rows.indicator_blocks)
    # Of several classes the records of two count.
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=per_noise * columns // 2)
    model = objective(data, loss=Loss(1), gate=gate, regularization=0.0)  # type: ignore[arg-type]
    cells = any(isinstance(term, CellsTerm) for term in model.terms)
    assert any(isinstance(term, PolylineTerm) for term in model.terms) is (per_noise < 2_000)
    mechanism, _ = gate.released["weights"]
    assert mechanism.strength == pytest.approx(strength, rel=0.02)
    assert cells is (reach is not None)
    distances = [part for part in mechanism.parts[1:] if part.kind == "box"]
    assert bool(distances) is (40 < per_noise < 2_000)
    if reach is not None:
        assert mechanism.parts[1 + len(distances)].reach == pytest.approx(reach, rel=0.02)


def test_what_is_chosen_changes_smoothly_with_epsilon() -> None:
    """Cells came at once and whole, with AUC .81 at epsilon 1 and .97 at 3 on one table."""
    numbers = np.geomspace(1.0, 1_999.0, 2_000)
    cells, halvings, reaches = map(np.array, zip(*map(cells_for, numbers), strict=True))
    assert (np.diff(cells) >= 0).all()
    assert np.diff(cells).max() == 1
    assert (np.diff(halvings) >= 0).all()
    assert np.diff(halvings).max() == 1
    assert np.diff(reaches).max() < 0.01
    assert (cells[0], cells[-1], halvings[-1], reaches[-1]) == (4, 6, 3, 1.0)


@pytest.mark.parametrize("asked, used", [(0.0, 1 + 2 * (1 - 10 / 300)), (0.3, 1.0), (7.0, 7.0)])
def test_a_penalty_that_is_asked_for(asked: float, used: float) -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=20)
    objective(DATA, loss=Loss(1), gate=gate, regularization=asked)  # type: ignore[arg-type]
    assert gate.released["weights"][0].strength == pytest.approx(used, rel=0.01)


def test_intercepts_are_drawn_towards_the_noisy_sizes() -> None:
    said = dict.fromkeys(("class sizes", "class sizes again"), np.array([99, 9, -5]))
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    three = training(all_records(3), 3)
    gate.answers = said | {"range of numbers": np.ones((1, 16)), "weights": np.zeros((3, 8))}
    objective(three, loss=Loss(1), gate=gate, regularization=0.0)  # type: ignore[arg-type]
    anchor = gate.released["weights"][0].anchor.reshape(3, -1)
    # Noise of scales 50 and 10, averaged, and sqrt(2) of it pseudo-records beside the usual one.
    scale = (50.0**-2 + 10.0**-2) ** -0.5
    logs = np.log(np.array([100, 10, 1]) + scale * np.sqrt(2))
    np.testing.assert_allclose(anchor[:, 0], logs - logs.mean())
    assert (anchor[:, 1:] == 0).all()


@pytest.mark.parametrize("epsilon", [0.5, 1, 3])
def test_the_model_without_noise_is_no_worse_than_with_it(epsilon: float) -> None:
    """What is held against noisy weights must not be held against weights without noise."""
    sample = samples()["breast-cancer"]
    records = encode(sample.frame(), sample.schema())
    order = np.random.default_rng(0).permutation(records.y.size)
    train, test = records.rows(order[:427]), records.rows(order[427:])

    def right(noise: NoiseSource) -> float:
        model = DPLogisticRegression(epsilon, classes=(0, 1), schema=train.space, noise=noise)
        return model.fit(train.matrix, train.y).score(test.matrix, test.y)

    assert right(NoiseOff()) > np.mean([right(SeededNoise(seed)) for seed in range(10)]) - 0.02


def test_a_strong_penalty_is_made_up_for_and_noise_gives_way_to_the_sizes() -> None:
    basis, anchor = Basis((), (), 9), np.append(1.0, np.zeros(9))
    mechanism = BlockObjective(epsilon=1, parts=basis.parts, anchor=anchor)
    weights = np.full((1, 10), 0.5)

    def moved(records: float, weights: np.ndarray, *, noise_off: bool = False) -> float:
        sizes = ClassSizes(np.full(2, records / 2), 1.0)
        steady = steadied(weights, mechanism, basis, sizes, noise_off=noise_off)
        factor = steady[0, 1] / weights[0, 1]
        assert steady[0, 0] == pytest.approx(factor * weights[0, 0] + 1.0 - factor)
        return float(factor)

    # Curvature is a quarter of 0.23 for each record, the penalty about 10: what was drawn, large or
    # small, does not tell how noisy it is.
    assert moved(10.0, weights, noise_off=True) == 2.0
    left = 150 * 0.23 / (150 * 0.23 + 10)
    of_chance = 9 * 150 * 0.23**2 / (150 * 0.23 + 10) ** 2
    expected = 2 * left / (2 * left**2 + of_chance)
    assert moved(600.0, weights, noise_off=True) == pytest.approx(expected, rel=1e-2)
    assert moved(1e9, weights) == pytest.approx(1.0, rel=1e-3)
    assert moved(10.0, weights / 100) == moved(10.0, weights) == pytest.approx(0.131, rel=2e-2)


@pytest.mark.parametrize("kind", [Binary, Numeric])
def test_log_odds_are_no_farther_apart_than_what_few_records_know(kind: type) -> None:
    """The slope of labels on them is one if they say no more, and here at least three quarters."""
    draw, columns = np.random.default_rng(5), 14
    said = draw.normal(size=columns) * (2.0 / columns) ** 0.5
    facts = {Binary: ("0", "1"), Numeric: (-4.0, 4.0)}[kind]
    space = Schema(
        (*(kind(f"x{place}", facts) for place in range(columns)), Label("y", ("0", "1")))
    )
    odds, labels = [], []
    for seed in range(12):
        rows = draw.normal(size=(2_000, columns))
        rows = rows if kind is Numeric else (rows > 0.3).astype(np.float64)
        y = (draw.random(2_000) < expit(zscore(rows) @ said - 1.5)).astype(int)
        table = pd.DataFrame(rows, columns=[f"x{place}" for place in range(columns)])
        if kind is Binary:
            table = table.astype(int).astype(str)
        design = encode(table, space)
        train, test = design.rows(np.arange(1_000)), design.rows(np.arange(1_000, 2_000))
        model = DPLogisticRegression(
            0.5, classes=(0, 1), schema=design.space, noise=SeededNoise(seed)
        )
        odds.append(logit(model.fit(train.matrix, y[:1_000]).predict_proba(test.matrix)[:, 1]))
        labels.append(y[1_000:])
    plain = LogisticRegression(C=np.inf).fit(
        np.concatenate(odds)[:, np.newaxis], np.concatenate(labels)
    )
    assert plain.coef_[0, 0] > 0.75


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_exaggerated_labels_say_the_same_chances(share: float) -> None:
    """Chances are those of the class sizes where scores are, and what was stretched shrinks."""
    basis, sizes = Basis((), (), 4), ClassSizes(np.array([1.0 - share, share]) * 1e6, 1.0)
    exaggeration, start = exaggeration_for(20.0, 2.0, share), logit(share)
    low, high = exaggeration
    assert max(exaggeration) <= 1.0
    assert share * (1.0 + high) - (1.0 - share) * low == pytest.approx(share, abs=0.02)
    mechanism = BlockObjective(
        epsilon=1,
        parts=basis.parts,
        strength=2.0,
        exaggeration=exaggeration,
        anchor=np.append(start, np.zeros(4)),
    )
    at_sizes = np.append(start, np.zeros(4))[np.newaxis]
    found = steadied(at_sizes, mechanism, basis, sizes, noise_off=True)
    np.testing.assert_allclose(found[0], np.append(start, np.zeros(4)), atol=1e-12)
    # What the penalty took is next to nothing here.
    away = steadied(at_sizes + 1.0, mechanism, basis, sizes, noise_off=True)
    assert away[0, 1] == pytest.approx(1.0 / (1.0 + low + high), rel=1e-3)


@pytest.mark.parametrize("space, exaggerated", [(WITHOUT_TEXT, True), (SPACE, False)])
def test_labels_are_exaggerated_where_records_are_few(
    space: FeatureSpace, exaggerated: bool
) -> None:
    """Not where there are texts or many records."""
    data, found = training(all_records(2), 2, space), []
    for records in (20, 5_000):
        gate = ReplayGate(Neighbors.ADD_REMOVE, records=records)
        objective(data, loss=Loss(1), gate=gate, regularization=0.0)  # type: ignore[arg-type]
        found.append(gate.released["weights"][0].exaggeration)
    assert (min(found[0]) > 0.5) is exaggerated
    assert found[1] == (0.0, 0.0)
