"""Outputs without noise tell the data sets apart, or do not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import Guarantee, Loss, Neighbors
from dpcore.audit import Pair, Target, mechanism_target
from dpcore.audit.exact.fixed_outputs import loss_of_fixed_outputs
from dpcore.mechanisms import Geometric


def counting(cap: int) -> Target:
    """Publishes a count as it is, up to a cap."""

    def sample(data: Any, trials: int, noise: Any) -> np.ndarray:
        return np.full((trials, 1), min(int(data), cap), dtype=np.float64)

    return Target(
        name="count",
        loss=Loss(1),
        guarantee=Guarantee.broken("no noise"),
        neighbors=Neighbors.ADD_REMOVE,
        sample=sample,
    )


@pytest.mark.parametrize("cap, loss", [(10, math.inf), (3, 0.0)])
def test_only_outputs_that_differ_give_the_data_away(cap: int, loss: float) -> None:
    assert loss_of_fixed_outputs(counting(cap), Pair(here=3, there=4, words="")) == loss


def test_noise_is_another_matter() -> None:
    pair = Pair(here=np.array([3]), there=np.array([4]), words="")
    assert loss_of_fixed_outputs(mechanism_target(Geometric(epsilon=1)), pair) is None
