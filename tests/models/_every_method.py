"""Every training method of every model, and records to fit it on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import Loss, SeededNoise
from dpcore.models import (
    DPClassifier,
    DPLogisticRegression,
    DPNaiveBayes,
    classifier_methods,
    logistic_methods,
    naive_bayes_methods,
)
from tests.models._records import SPACE

CASES = [
    *((DPClassifier, name) for name in classifier_methods()),
    *((DPNaiveBayes, name) for name in naive_bayes_methods()),
    *((DPLogisticRegression, name) for name in logistic_methods()),
]
# "auto" is the default classifier's where only names are told.
METHODS = naive_bayes_methods() | logistic_methods() | classifier_methods()
PROVEN = [(model, name) for model, name in CASES if METHODS[name].guarantee.holds]
every_method = pytest.mark.parametrize(
    "model, method", CASES, ids=[f"{model.__name__}-{name}" for model, name in CASES]
)
every_proven_method = pytest.mark.parametrize(
    "model, method", PROVEN, ids=[f"{model.__name__}-{name}" for model, name in PROVEN]
)


def spent(method: str, epsilon: Any) -> Loss:
    """What a fit with the method's defaults costs."""
    return Loss(epsilon, METHODS[method].check({}).get("delta", 0))


def make(model: type, method: str, **arguments: Any) -> Any:
    defaults = {"classes": (0, 1), "schema": SPACE, "noise": SeededNoise(0)}
    return model(arguments.pop("epsilon", 1.0), method=method, **(defaults | arguments))


def data(n: int, n_classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    job = (y + (rng.random(n) < 0.2)) % 3
    X = np.column_stack(
        [
            np.clip(y + rng.normal(size=n), -1, 3),
            job == 0,
            job == 1,
            rng.random(n) < 0.3,
            *(rng.random((3, n)) < 0.3),
        ]
    ).astype(float)
    return X, y
