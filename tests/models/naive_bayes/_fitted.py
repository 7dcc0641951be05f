"""Fits of one method on the small domain, and the losses of neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore import Loss, SeededNoise
from dpcore.models.additive import AdditiveModel
from dpcore.models.terms import GaussianTerm
from dpcore.models.training import Training
from dpcore.release import open_gate
from dpcore.schema import Feature, FeatureSpace
from tests.models._records import training

NUMBER = FeatureSpace((Feature("x", "numeric", "x", (0.0, 10.0)),))


def two_normals(n: int = 5000) -> tuple[Training, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, n)
    values = np.clip(rng.normal(np.where(labels == 1, 3.0, 6.0), 1.5), 0, 10)
    records = [((v,), y) for v, y in zip(values, labels, strict=True)]
    return training(records, 2, NUMBER), values, labels


def run(method: Callable[..., AdditiveModel], data: Training, loss: Loss, **arguments: Any) -> Any:
    """The model and the charges of a simulation."""
    gate = open_gate(loss, noise=SeededNoise(0))
    model = method(data, loss=loss, gate=gate, **arguments)
    return model, {charge.label: charge.loss for charge in gate.charges}


def normal_term(model: AdditiveModel) -> GaussianTerm:
    return next(term for term in model.terms if isinstance(term, GaussianTerm))


def check_normal_law(
    method: Callable[..., AdditiveModel], loss: Loss, n: int = 5_000, **arguments: Any
) -> None:
    """Much epsilon gives the true means and deviations, in the units of the bounds."""
    data, values, labels = two_normals(n)
    term = normal_term(run(method, data, loss, allocation=2.0, **arguments)[0])
    for label in (0, 1):
        own = values[labels == label]
        assert abs(5 + 5 * term.means[label, 0] - own.mean()) < 0.05
        assert abs(5 * np.sqrt(term.variances[label, 0]) - own.std()) < 0.08
