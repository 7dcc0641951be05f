"""Medians with Cauchy noise: as proven, and as broken."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.audit import exact_loss
from dpcore.audit.exact.smooth import density_loss, epsilon_at, worst_smooth_loss
from dpcore.audit.mechanism_cases import mechanism_cases
from dpcore.mechanisms import PublishedSmoothMedians, SmoothMedians, cauchy_loss, cauchy_rate
from dpcore.privacy import Neighbors


def test_smooth_noise_with_delta() -> None:
    here, there = np.log([0.5, 0.5]), np.log([0.9, 0.1])
    assert epsilon_at(0.0, here, there) == pytest.approx(math.log(5))
    # 0.9 - 0.5 e^x and 0.5 - 0.1 e^x are both at most 0.1.
    assert epsilon_at(0.1, here, there) == pytest.approx(math.log(4))


def test_cauchy_densities_and_the_hyperbolic_distance() -> None:
    for shift, scale, other in [(1, 1, 1), (0.2, 1, 3), (2, 0.5, 0.4)]:
        assert density_loss(shift, scale, other) == pytest.approx(
            cauchy_loss(shift, scale, other), abs=1e-6
        )
    # A tenth less noise than the exact rate gives is too little.
    assert worst_smooth_loss(0.5, cauchy_rate(1, 0.5)) <= 1 + 1e-9
    assert worst_smooth_loss(0.5, 1.1 * cauchy_rate(1, 0.5)) > 1.05


def worst(mechanism: type[Any], neighbors: Neighbors) -> float:
    return max(
        loss
        for case in mechanism_cases(mechanism, neighbors)
        for pair in case.pairs
        if (loss := exact_loss(case.mechanism, pair)) is not None
    )


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_medians(neighbors: Neighbors) -> None:
    assert 0.3 < worst(SmoothMedians, neighbors) <= 1.0
    assert worst(PublishedSmoothMedians, neighbors) > 1.1
