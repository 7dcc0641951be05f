"""The default classifier: what it chooses, what the choice costs, and what it is worth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models import DPClassifier, DPLogisticRegression, DPNaiveBayes
from dpcore.models.classifier.auto import auto
from dpcore.models.logistic.objective import objective
from dpcore.models.naive_bayes.histogram import histogram
from dpcore.models.naive_bayes.l1_counts import l1_counts
from dpcore.schema import Categorical, Label, Schema
from tests.models._every_method import data, make
from tests.models._records import SPACE, WITHOUT_TEXT, ReplayGate, all_records, training


@pytest.mark.parametrize(
    "records, space, alone",
    [
        (5, WITHOUT_TEXT, histogram),
        (6, WITHOUT_TEXT, objective),
        (59, WITHOUT_TEXT.take([1, 2]), histogram),
        (60, WITHOUT_TEXT.take([1, 2]), objective),
        (1, WITHOUT_TEXT.take([0]), objective),
        (3_000, SPACE, l1_counts),
    ],
)
def test_it_is_the_model_that_it_chooses(records: int, space, alone) -> None:
    """Released sizes and the schema choose, and nothing is paid for the choice."""
    some = training(all_records(2), 2, space)
    told = {"regularization": 0.0} if alone is objective else {}
    gates = [ReplayGate(Neighbors.ADD_REMOVE, records=records) for _ in range(2)]
    chosen = auto(some, loss=Loss(1), gate=gates[0])  # type: ignore[arg-type]
    expected = alone(some, loss=Loss(1), gate=gates[1], **told)
    assert chosen.to_plain() == expected.to_plain()
    spent = [sum(one.loss.epsilon for one, _ in gate.released.values()) for gate in gates]
    assert spent[0] == spent[1] <= 1


@pytest.mark.parametrize(
    "columns, records, regression",
    [([0], 13, False), ([0], 14, True), ([1, 2], 73, False), ([1, 2], 74, True)],
)
def test_several_classes_wait_longer_for_the_regression(
    columns: list[int], records: int, regression: bool
) -> None:
    """40 records of three classes per unit of noise for a number, 220 for levels."""
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=records)
    some = training(all_records(3), 3, WITHOUT_TEXT.take(columns))
    auto(some, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    assert ("weights" in gate.released) is regression


def test_noise_alone_does_not_call_anybody_of_the_smaller_class() -> None:
    """Accuracy was as much as .04 below the larger class's on 1,000 records at epsilon 0.1."""
    rng = np.random.default_rng(0)
    below = []
    for seed in range(30):
        X, y = rng.uniform(size=(1_000, 12)), (rng.random(1_000) < 0.3).astype(np.int64)
        told = {"classes": (0, 1), "bounds": (0.0, 1.0), "noise": SeededNoise(seed)}
        below.append(1.0 - y.mean() - DPNaiveBayes("0.1", **told).fit(X, y).score(X, y))
    assert np.mean(below) < 0.01


def test_noise_in_many_columns_of_levels_does_not_either() -> None:
    """The regression was .08 below: its noise was measured by what was drawn of it."""
    rng, below = np.random.default_rng(0), []
    names = [f"x{place}" for place in range(12)]
    schema = Schema((*(Categorical(name, tuple("abcd")) for name in names), Label("y", ("0", "1"))))
    for seed in range(10):
        X = pd.DataFrame({name: rng.choice(list("abcd"), 1_000) for name in names})
        y = np.where(rng.random(1_000) < 0.25, 1, 0)
        model = DPLogisticRegression("0.1", schema=schema, noise=SeededNoise(seed)).fit(X, y)
        below.append((y == 0).mean() - model.score(X, y))
    assert np.mean(below) < 0.01


def test_json_brings_it_back() -> None:
    X, y = data(400)
    model = make(DPClassifier, "auto").fit(X, y)
    again = DPClassifier.from_json(model.to_json())
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
