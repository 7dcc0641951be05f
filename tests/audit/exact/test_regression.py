"""Perturbed regressions stay within their loss."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.audit import exact_loss
from dpcore.audit.mechanism_cases import mechanism_cases
from dpcore.mechanisms import BlockObjective, ObjectivePerturbation
from dpcore.mechanisms.regression.perturbation import OutputPerturbation
from dpcore.privacy import Neighbors


def worst(mechanism: type[Any], neighbors: Neighbors) -> float:
    return max(
        loss
        for case in mechanism_cases(mechanism, neighbors)
        for pair in case.pairs
        if (loss := exact_loss(case.mechanism, pair)) is not None
    )


@pytest.mark.parametrize("mechanism", [BlockObjective, ObjectivePerturbation, OutputPerturbation])
def test_half_the_noise_costs_more(mechanism: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rate = mechanism.rate.fget
    monkeypatch.setattr(mechanism, "rate", property(lambda self: 2 * rate(self)))
    assert worst(mechanism, Neighbors.ADD_REMOVE) > 1.2


def objectives_worst(mechanism: type[Any], neighbors: Neighbors) -> float:
    return max(
        loss
        for case in mechanism_cases(mechanism, neighbors)
        for pair in case.pairs
        if (loss := exact_loss(case.mechanism, pair)) is not None
    )


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("mechanism", [BlockObjective, ObjectivePerturbation, OutputPerturbation])
def test_regressions(mechanism: type[Any], neighbors: Neighbors) -> None:
    assert 0.2 < objectives_worst(mechanism, neighbors) <= 1.0
