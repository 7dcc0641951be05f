"""What is said of the trust models, and that each can be formed by its declaration."""

from __future__ import annotations

import pytest

from dpcore import SeededNoise
from dpcore.federated import TRUST_MODELS, Plan
from dpcore.federated.trust_models import trust_models
from tests.federated._parties import exact, parties


@pytest.mark.parametrize("name", TRUST_MODELS)
def test_every_trust_model_is_declared(name: str) -> None:
    method = trust_models()[name]
    assert method.run is TRUST_MODELS[name]
    assert method.guarantee.holds
    assert method.guarantee.reason
    assert method.reference
    formed = method.run(parties(4), Plan(depth=5, epsilon=None), noise=SeededNoise(1))
    assert formed.sums([7]).tolist() == exact(parties(4)).sums([7]).tolist()


def test_nothing_else_is_declared() -> None:
    assert set(trust_models()) == set(TRUST_MODELS)
