"""Block-wise objective: golden charges, branches by released numbers, the anchor."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models.logistic.objective import objective
from dpcore.models.terms import CellsTerm, LinearTerm
from dpcore.release import open_gate
from dpcore.schema import FeatureSpace
from tests.models._records import SPACE, WITHOUT_TEXT, ReplayGate, all_records, training

DATA = training(all_records(2), 2)


@pytest.mark.parametrize(
    "n_classes, space, weights, texts",
    [(2, WITHOUT_TEXT, 95, 0), (3, SPACE, 95, 0), (2, SPACE, 81, 14)],
)
def test_golden_charges(n_classes: int, space: FeatureSpace, weights: int, texts: int) -> None:
    gate = open_gate(Loss("0.2"), noise=SeededNoise(0))
    data = training(all_records(n_classes), n_classes, space)
    objective(data, loss=Loss("0.2"), gate=gate, regularization=0.0)
    expected = {"class sizes": 5, "weights": weights} | (
        {"weights of texts": texts} if texts else {}
    )
    assert {charge.label: charge.loss.epsilon for charge in gate.charges} == {
        label: Fraction(percent, 500) for label, percent in expected.items()
    }


@pytest.mark.parametrize(
    "records, n_classes, kind, strength",
    [
        (20, 2, LinearTerm, 3.0),
        (20, 3, LinearTerm, 2.0),
        (2000, 2, LinearTerm, 1.0),
        (2000, 3, LinearTerm, 1.0),
        (20_000, 2, CellsTerm, 1.0),
    ],
)
def test_layout_and_penalty_follow_the_released_sizes(
    records: int, n_classes: int, kind: type, strength: float
) -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=records)
    data = training(all_records(n_classes), n_classes)
    model = objective(data, loss=Loss(1), gate=gate, regularization=0.0)  # type: ignore[arg-type]
    assert isinstance(model.terms[0], kind)
    mechanism, _ = gate.released["weights"]
    assert mechanism.strength == strength


@pytest.mark.parametrize("asked, used", [(0.0, 3.0), (0.3, 1.0), (7.0, 7.0)])
def test_a_penalty_that_is_asked_for(asked: float, used: float) -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=20)
    objective(DATA, loss=Loss(1), gate=gate, regularization=asked)  # type: ignore[arg-type]
    assert gate.released["weights"][0].strength == used


def test_intercepts_are_drawn_towards_the_noisy_sizes() -> None:
    said = {"class sizes": np.array([99, 9, -5])}
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    three = training(all_records(3), 3)
    gate.answers = said | {"weights": np.zeros((3, 8))}
    objective(three, loss=Loss(1), gate=gate, regularization=0.0)  # type: ignore[arg-type]
    anchor = gate.released["weights"][0].anchor.reshape(3, -1)
    # Noise of scale 20, so 20 * sqrt(2) pseudo-records beside the usual one.
    logs = np.log(np.array([100, 10, 1]) + 20 * np.sqrt(2))
    np.testing.assert_allclose(anchor[:, 0], logs - logs.mean())
    assert (anchor[:, 1:] == 0).all()
