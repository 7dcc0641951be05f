"""Records for the tests of federations."""

from __future__ import annotations

import numpy as np

from dpcore import SeededNoise
from dpcore.federated import Holding, Plan, divided
from dpcore.federated.trust_models import FunctionSecretSharing, SecureAggregation, TrustedCurator

MODELS = (TrustedCurator, SecureAggregation, FunctionSecretSharing)


def records(count: int, depth: int = 5, classes: int = 1, seed: int = 0) -> Holding:
    rng = np.random.default_rng(seed)
    return Holding(rng.integers(0, 1 << depth, count), rng.integers(0, classes, count))


def parties(number: int, count: int = 100, depth: int = 5, classes: int = 1) -> tuple[Holding, ...]:
    return divided(records(count, depth, classes), number)


def exact(holdings: object, depth: int = 5, classes: int = 1) -> TrustedCurator:
    return TrustedCurator(
        holdings, Plan(depth=depth, classes=classes, epsilon=None), noise=SeededNoise(0)
    )
