"""Running-count methods as targets."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.audit import kinds
from dpcore.privacy import Neighbors


@pytest.mark.parametrize("neighbors", Neighbors)
def test_each_method_gets_the_budget_that_it_takes(neighbors: Neighbors) -> None:
    kind = kinds()["running-count method"]
    deltas = {}
    for method in kind.methods().values():
        target, pair = kind.target(method, neighbors), kind.pairs(method, neighbors)[0]
        deltas[method.name] = float(target.loss.delta)
        rows = target.sample(pair.here, 3, SeededNoise(0))
        assert rows.shape == (3, np.size(pair.here))
    assert deltas["laplace"] == 0.0
    assert deltas["gaussian"] == 1e-6
