"""Medians with Cauchy noise: as proven, and as broken."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.audit import exact_loss
from dpcore.audit.recipes import mechanism_cases
from dpcore.mechanisms import (
    PublishedSmoothMedians,
    SmoothMedians,
)
from dpcore.privacy import Neighbors


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
