"""The shipped mechanisms keep the protocol that the gate relies on."""

from __future__ import annotations

import pytest

from dpcore import Guarantee, Loss, Neighbors
from dpcore.mechanisms import Exponential, Geometric, Laplace, Mechanism


@pytest.mark.parametrize("kind", [Geometric, Laplace, Exponential])
@pytest.mark.parametrize("relation", list(Neighbors))
def test_protocol(kind: type[Geometric], relation: Neighbors) -> None:
    mechanism: Mechanism = kind(epsilon="0.7", neighbors=relation)  # type: ignore[type-arg]
    assert mechanism.loss == Loss("0.7")
    assert mechanism.neighbors is relation
    assert isinstance(mechanism.guarantee, Guarantee)
    assert mechanism.guarantee.holds
