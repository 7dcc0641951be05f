"""DPLogisticRegression: defaults, decision function, and the accuracy that it owes on real data."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from dpcore import Ledger, Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.models import DPLogisticRegression, logistic_methods
from dpcore.schema import Schema, encode
from tests._real_data import ROOT, real_data

SCHEMAS = ROOT / "dpcore" / "data" / "reading" / "openml_schemas"
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 600)
X = RNG.normal(size=(600, 2)) / 2 + np.array([[0, 0], [2, 0], [0, 2]])[Y]


def test_the_default_method_is_registered() -> None:
    assert DPLogisticRegression().method == "objective"
    assert {"objective", "objective-chaudhuri"} <= set(logistic_methods())


@pytest.mark.parametrize("method", logistic_methods())
def test_decision_function(method: str) -> None:
    binary, labels = X[Y < 2], Y[Y < 2]
    two = DPLogisticRegression(5.0, method=method, noise=SeededNoise(0)).fit(binary, labels)
    scores = two.decision_function(binary)
    assert scores.shape == (labels.size,)
    np.testing.assert_array_equal(scores > 0, two.predict(binary) == 1)
    three = DPLogisticRegression(5.0, method=method, noise=SeededNoise(0)).fit(X, Y)
    many = three.decision_function(X)
    assert many.shape == (600, 3)
    np.testing.assert_array_equal(many.argmax(axis=1), three.predict(X))


@pytest.mark.parametrize("method", logistic_methods())
def test_a_heavier_penalty_makes_smaller_scores(method: str) -> None:
    sizes = [
        np.abs(
            DPLogisticRegression(5.0, method=method, regularization=penalty, noise=SeededNoise(0))
            .fit(X[Y < 2], Y[Y < 2])
            .decision_function(X)
        ).mean()
        for penalty in (2.0, 50.0, 5000.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


@pytest.mark.parametrize("penalty", [-1.0, float("nan"), "weak"])
def test_a_penalty_is_a_number_from_zero(penalty: object) -> None:
    with pytest.raises(InvalidArgument, match="^regularization must be"):
        DPLogisticRegression(regularization=penalty, noise=SeededNoise(0)).fit(X, Y)  # type: ignore[arg-type]


def test_one_class_is_not_enough() -> None:
    with pytest.raises(InvalidArgument, match="there is one class"):
        DPLogisticRegression(noise=SeededNoise(0)).fit(X, np.ones(600))


@pytest.mark.few(1)
@pytest.mark.parametrize("method, owed", [("objective", 0.90), ("objective-chaudhuri", 0.88)])
def test_adult_at_epsilon_one(method: str, owed: float) -> None:
    design = encode(pd.read_csv(real_data("adult.csv.gz")), Schema.read(SCHEMAS / "adult.toml"))
    is_test = np.random.default_rng(0).random(design.matrix.shape[0]) < 0.3
    train, test = design.rows(~is_test), design.rows(is_test)
    aucs, seconds = [], []
    for seed in range(3):
        start = time.process_time()
        model = DPLogisticRegression(
            1.0, method=method, classes=(0, 1), schema=train.space, noise=SeededNoise(seed)
        ).fit(train.matrix, train.y)
        seconds.append(time.process_time() - start)
        aucs.append(roc_auc_score(test.y, model.predict_proba(test.matrix)[:, 1]))
    assert min(aucs) > owed
    assert min(seconds) < 3.0


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("method", sorted(logistic_methods()))
def test_a_fit_ends_however_large_epsilon_is(method: str, n_classes: int) -> None:
    """A penalty as light as that let a search for the minimum go on for ever."""
    X = np.linspace(0, 1, 300)[:, np.newaxis]
    y = np.digitize(X[:, 0], np.linspace(0, 1, n_classes + 1)[1:-1])
    told = {"method": method, "classes": range(n_classes), "bounds": (0, 1)}
    found = [
        DPLogisticRegression(epsilon, **told, noise=SeededNoise(0)).fit(X, y).predict_proba(X)
        for epsilon in (1e15, 1e20, 1e100)
    ]
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-3)
    assert (found[0].argmax(axis=1) == y).mean() > 0.9


def test_a_penalty_that_rounding_hides_is_refused_before_a_charge() -> None:
    ledger = Ledger(Loss(1))
    told = {"classes": (0, 1), "bounds": (0, 1), "regularization": 1e-12, "ledger": ledger}
    for method in ("objective-chaudhuri", "output-perturbation"):
        with pytest.raises(InvalidArgument, match="regularization must be between 9.3"):
            DPLogisticRegression(1, method=method, **told).fit(np.zeros((4, 1)), [0, 1, 0, 1])
    assert ledger.charges == ()
