"""A training method with its parameters, and the records that it is compared on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcore.errors import UnknownMethod
from dpcore.models import (
    DPLogisticRegression,
    DPNaiveBayes,
    logistic_methods,
    naive_bayes_methods,
)
from dpcore.noise import NoiseSource
from dpcore.privacy import Neighbors
from dpcore.registry import Method
from dpcore.schema import Design
from dpcore.study.methods import ESTIMATORS

__all__ = ["Records", "Trainer", "trainer"]


@dataclass(frozen=True, eq=False)
class Records:
    """Encoded records to train and to test on (private).

    Parameters
    ----------
    train, test : Design
        With labels: positions of the declared classes.
    n_classes : int
    positive : int
        Position of the class that scores are about.
    digest : str
        Names the records, how they are divided, and which features they have.
    """

    train: Design
    test: Design
    n_classes: int
    positive: int
    digest: str


@dataclass(frozen=True)
class Trainer:
    """One way to train a private model.

    Parameters
    ----------
    kind : {"naive-bayes", "logistic"}
    method : str
    parameters : tuple of (name, value)
        What the method is told; its defaults for the rest.
    """

    kind: str
    method: str
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def declared(self) -> Method:
        """Title, guarantee and parameters of the method."""
        return (naive_bayes_methods() | logistic_methods())[self.method]

    @property
    def uncalibrated(self) -> Trainer:
        """The same method before it weighs what it found, if it does."""
        if not any(parameter.name == "calibration" for parameter in self.declared.parameters):
            return self
        told = dict(self.parameters) | {"calibration": "none"}
        return replace(self, parameters=tuple(sorted(told.items())))

    def fit(
        self,
        train: Design,
        *,
        n_classes: int,
        epsilon: Fraction,
        neighbors: Neighbors,
        noise: NoiseSource,
    ) -> DPNaiveBayes | DPLogisticRegression:
        """Train with simulated noise."""
        estimator = ESTIMATORS[self.kind](
            epsilon,
            method=self.method,
            classes=tuple(range(n_classes)),
            schema=train.space,
            neighbors=neighbors,
            noise=noise,
            **dict(self.parameters),
        )
        return estimator.fit(train.matrix, train.y)


def trainer(method: str, **parameters: Any) -> Trainer:
    """The trainer of that method; its kind follows from its name.

    Raises
    ------
    UnknownMethod

    Examples
    --------
    >>> trainer("objective").kind
    'logistic'
    """
    listed = {"naive-bayes": naive_bayes_methods(), "logistic": logistic_methods()}
    for kind, methods in listed.items():
        if method in methods:
            return Trainer(kind, method, tuple(sorted(parameters.items())))
    raise UnknownMethod(
        "training method", method, [name for one in listed.values() for name in one]
    )
