"""The one operation: every trust model offers it alike, and accounts alike."""

from __future__ import annotations

import pytest

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise
from dpcore.errors import BudgetExceeded, NeighborsMismatch
from dpcore.federated import Plan
from tests.federated._parties import MODELS, parties


@pytest.mark.parametrize("model", MODELS)
def test_the_loss_is_charged_once_to_the_part(model: type) -> None:
    ledger, part = Ledger(Loss(1)), Part("split", "test")
    plan = Plan(depth=4, epsilon="0.7")
    holdings = parties(4, depth=4)
    federation = model(holdings, plan, noise=SeededNoise(1), ledger=ledger, part=part)
    (charge,) = federation.charges
    assert ledger.charges == (charge,)
    assert (charge.loss, charge.part, charge.mechanism) == (Loss("0.7"), part, model.__name__)
    federation.sums([1])
    assert len(ledger.charges) == 1


@pytest.mark.parametrize("model", MODELS)
def test_what_cannot_be_afforded_is_not_formed(model: type) -> None:
    plan, noise = Plan(depth=5, epsilon=1), SeededNoise(1)
    with pytest.raises(BudgetExceeded):
        model(parties(4), plan, noise=noise, ledger=Ledger(Loss("0.5")))
    with pytest.raises(NeighborsMismatch):
        model(parties(4), plan, noise=noise, ledger=Ledger(Loss(2), Neighbors.REPLACE))


@pytest.mark.parametrize("model", MODELS)
def test_a_seed_repeats_the_federation(model: type) -> None:
    def counts(seed: int) -> list:
        plan = Plan(depth=5, epsilon=1)
        return model(parties(4), plan, noise=SeededNoise(seed)).sums([3, 9]).tolist()

    assert counts(1) == counts(1)
    assert counts(1) != counts(2)
