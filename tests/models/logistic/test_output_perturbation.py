"""Output perturbation as a training method: golden charges and penalty."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models import DPLogisticRegression
from dpcore.models.logistic.output_perturbation import output_perturbation
from dpcore.release import open_gate
from tests.models._every_method import data, make
from tests.models._records import ReplayGate, all_records, training


@pytest.mark.parametrize("n_classes, problems", [(2, 1), (3, 3)])
def test_golden_charges(n_classes: int, problems: int) -> None:
    gate = open_gate(Loss("0.1"), noise=SeededNoise(0))
    records = training(all_records(n_classes), n_classes)
    output_perturbation(records, loss=Loss("0.1"), gate=gate, regularization=0.0)
    assert [charge.loss.epsilon for charge in gate.charges] == [
        Fraction(1, 10 * problems)
    ] * problems


@pytest.mark.parametrize("asked, used", [(0.0, 25.0 / 0.5), (3.0, 3.0)])
def test_penalty(asked: float, used: float) -> None:
    gate = ReplayGate(Neighbors.REPLACE)
    output_perturbation(training([], 2), loss=Loss("0.5"), gate=gate, regularization=asked)  # type: ignore[arg-type]
    mechanism, _ = gate.released["weights of class 1"]
    assert mechanism.regularization == used
    assert mechanism.neighbors is Neighbors.REPLACE


def test_it_learns() -> None:
    X, y = data(4000)
    assert make(DPLogisticRegression, "output-perturbation").fit(X, y).score(X, y) > 0.65
