"""Histogram method: golden charges, branches by released numbers only, the exact model."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models.naive_bayes.histogram import histogram
from dpcore.models.terms import CellsTerm
from dpcore.release import open_gate
from dpcore.schema import FeatureSpace
from tests.models._records import SPACE, WITHOUT_TEXT, Record, ReplayGate, all_records, training


def charges(space: FeatureSpace, n_classes: int, epsilon: str, copies: int) -> dict[str, Fraction]:
    records = [record for record in all_records(n_classes) if record[1] >= 0] * copies
    gate = open_gate(Loss(epsilon), noise=SeededNoise(0))
    histogram(training(records, n_classes, space), loss=Loss(epsilon), gate=gate)
    spent = dict.fromkeys(("class sizes", "histograms", "calibration"), Fraction(0))
    for charge in gate.charges:
        spent[charge.label if charge.label in spent else "histograms"] += charge.loss.epsilon
    return {label: epsilon for label, epsilon in spent.items() if epsilon}


def test_golden_charges() -> None:
    few, many = charges(SPACE, 2, "0.1", 1), charges(WITHOUT_TEXT, 2, "1", 200)
    assert few == {
        "class sizes": Fraction(2, 1000),
        "histograms": Fraction(88, 1000),
        "calibration": Fraction(1, 100),
    }
    assert many == {
        "class sizes": Fraction(2, 100),
        "histograms": Fraction(73, 100),
        "calibration": Fraction(25, 100),
    }
    assert charges(SPACE, 3, "1", 1) == {
        "class sizes": Fraction(2, 100),
        "histograms": Fraction(98, 100),
    }


def test_texts_are_calibrated_all_together_however_many() -> None:
    assert charges(SPACE, 2, "1", 200)["calibration"] == Fraction(1, 10)


def test_no_features() -> None:
    assert charges(SPACE.take([]), 2, "1", 1) == {"class sizes": Fraction(2, 100)}


@pytest.mark.parametrize("n_records, edges", [(30, 4), (200, 13), (9_000, 29)])
def test_grids_get_finer_with_the_released_number_of_records(n_records: int, edges: int) -> None:
    space = FeatureSpace(SPACE.features[:1])
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=n_records)
    records: list[Record] = [((0.3,), 0), ((2.0,), 1)]
    model = histogram(training(records, 3, space), loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    term = model.terms[0]
    assert isinstance(term, CellsTerm)
    assert term.edges[0].size == edges


def test_much_epsilon_gives_the_true_ratios() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 6000)
    smoker = rng.random(6000) < np.array([0.1, 0.5, 0.8])[labels]
    records = [((0.0, 0, 0, s, 0, 0, 0), y) for s, y in zip(smoker, labels, strict=True)]
    space = SPACE.take([3])
    data = training([((row[3],), label) for row, label in records], 3, space)
    gate = open_gate(Loss(10_000), noise=SeededNoise(0))
    model = histogram(data, loss=Loss(10_000), gate=gate)
    probability = model.probabilities(model.scores(data.rows))
    for value in (False, True):
        share = np.bincount(labels[smoker == value], minlength=3) / (smoker == value).sum()
        np.testing.assert_allclose(probability[smoker == value][0], share, atol=0.01)
