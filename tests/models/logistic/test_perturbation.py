"""Output perturbation as a training method: golden charges and penalty."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.mechanisms import ObjectivePerturbation
from dpcore.models import DPLogisticRegression
from dpcore.models.logistic.perturbation import METHOD, one_per_class, unit_rows
from dpcore.release import open_gate
from tests.models._every_method import data, make
from tests.models._records import SPACE, ReplayGate, all_records, training

OBJECTIVE, OUTPUT = METHOD


def test_rows_fill_the_unit_ball_and_no_more() -> None:
    rows, radius = unit_rows(training(all_records(2), 2))
    assert radius == pytest.approx(np.sqrt(1 + 4 + 1))
    assert csr_array(rows).power(2).sum(axis=1).max() == pytest.approx(1.0)


@pytest.mark.parametrize("n_classes, link", [(2, "sigmoid"), (3, "one-vs-rest")])
def test_the_loss_is_divided_and_the_model_scores_as_the_rows_do(n_classes: int, link: str) -> None:
    data, gate = training(all_records(n_classes), n_classes), ReplayGate(Neighbors.ADD_REMOVE)
    asked = []

    def regression(share: Loss) -> ObjectivePerturbation:
        asked.append(share)
        return ObjectivePerturbation(epsilon=share.epsilon, regularization=1.0)

    model = one_per_class(data, regression, loss=Loss(1), gate=gate)
    assert model.link == link
    assert sum((share.epsilon for share in asked), start=0) == 1
    for score, (label, (_, (rows, signs))) in enumerate(gate.released.items()):
        np.testing.assert_allclose(model.scores(data.rows)[:, score], rows @ gate.said[label])
        positive = int(label.split()[-1])
        np.testing.assert_array_equal(signs > 0, data.classes == positive)


@pytest.mark.parametrize("n_classes, problems", [(2, 1), (3, 3), (4, 4)])
def test_golden_charges(n_classes: int, problems: int) -> None:
    gate = open_gate(Loss("0.1"), noise=SeededNoise(0))
    data = training(all_records(n_classes), n_classes)
    OBJECTIVE.run(data, loss=Loss("0.1"), gate=gate, regularization=0.0)
    assert [charge.loss.epsilon for charge in gate.charges] == [
        Fraction(1, 10 * problems)
    ] * problems


def test_the_model_scores_as_the_rows_do() -> None:
    data, gate = training(all_records(2), 2), ReplayGate(Neighbors.ADD_REMOVE)
    model = OBJECTIVE.run(data, loss=Loss(1), gate=gate, regularization=3.0)
    _, (rows, signs) = gate.released["weights of class 1"]
    np.testing.assert_allclose(
        model.scores(data.rows)[:, 0], rows @ gate.said["weights of class 1"]
    )
    np.testing.assert_array_equal(signs, np.where(data.classes == 1, 1.0, -1.0))


def test_objective_chaudhuri_rows_fill_the_unit_ball_and_no_more() -> None:
    data, gate = training(all_records(2), 2), ReplayGate(Neighbors.ADD_REMOVE)
    OBJECTIVE.run(data, loss=Loss(1), gate=gate, regularization=3.0)
    _, (rows, _) = gate.released["weights of class 1"]
    assert csr_array(rows).power(2).sum(axis=1).max() == pytest.approx(1.0)


def test_every_class_is_positive_once() -> None:
    data, gate = training(all_records(3), 3), ReplayGate(Neighbors.ADD_REMOVE)
    model = OBJECTIVE.run(data, loss=Loss(1), gate=gate, regularization=3.0)
    positives = np.array([signs > 0 for _, (_, signs) in gate.released.values()])
    assert (positives.sum(axis=0) == 1).all()
    assert model.link == "one-vs-rest"


@pytest.mark.parametrize("asked, used", [(0.0, 8.0 / 0.5), (3.0, 3.0)])
def test_penalty(asked: float, used: float) -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    OBJECTIVE.run(training([], 2), loss=Loss("0.5"), gate=gate, regularization=asked)
    mechanism, _ = gate.released["weights of class 1"]
    assert mechanism.regularization == used
    assert mechanism.neighbors is Neighbors.ADD_REMOVE


def test_without_numbers_and_without_indicators() -> None:
    for space in (SPACE.take([0]), SPACE.take([1, 2]), SPACE.take([])):
        width = len(space.features)
        data = training([((0.0,) * width, 0), ((1.0,) * width, 1)], 2, space)
        gate = open_gate(Loss(1), noise=SeededNoise(0))
        model = OBJECTIVE.run(data, loss=Loss(1), gate=gate, regularization=0.0)
        assert np.isfinite(model.scores(data.rows)).all()


@pytest.mark.parametrize("n_classes, problems", [(2, 1), (3, 3)])
def test_output_perturbation_golden_charges(n_classes: int, problems: int) -> None:
    gate = open_gate(Loss("0.1"), noise=SeededNoise(0))
    records = training(all_records(n_classes), n_classes)
    OUTPUT.run(records, loss=Loss("0.1"), gate=gate, regularization=0.0)
    assert [charge.loss.epsilon for charge in gate.charges] == [
        Fraction(1, 10 * problems)
    ] * problems


@pytest.mark.parametrize("asked, used", [(0.0, 25.0 / 0.5), (3.0, 3.0)])
def test_output_perturbation_penalty(asked: float, used: float) -> None:
    gate = ReplayGate(Neighbors.REPLACE)
    OUTPUT.run(training([], 2), loss=Loss("0.5"), gate=gate, regularization=asked)
    mechanism, _ = gate.released["weights of class 1"]
    assert mechanism.regularization == used
    assert mechanism.neighbors is Neighbors.REPLACE


def test_it_learns() -> None:
    X, y = data(4000)
    assert make(DPLogisticRegression, "output-perturbation").fit(X, y).score(X, y) > 0.65
