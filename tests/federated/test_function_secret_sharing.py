"""Function secret sharing as a whole: counts, two noises, constant cost for parties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.errors import FederationError, InvalidArgument, NotPrivate, PrivateInference
from dpcore.federated import FunctionSecretSharing, Plan
from dpcore.federated.function_secret_sharing import added_shares
from dpcore.federated.keys import SeededKeys
from dpcore.federated.messages import LocalWire, Traffic
from tests.federated._parties import exact, parties
from tests.statistical.fit import FALSE_ALARM, discrete_laplace_p

EXACT = Plan(depth=5, classes=2, epsilon=None)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 9), st.integers(0, 60), st.integers(0, 2**32))
def test_counts_are_the_curators(number: int, count: int, seed: int) -> None:
    holdings = parties(number, count, classes=2)
    sums = FunctionSecretSharing(holdings, EXACT, noise=SeededNoise(seed)).sums([0, 30, 7, 7])
    assert sums.tolist() == exact(holdings, classes=2).sums([0, 30, 7, 7]).tolist()


def test_parties_send_once_and_servers_for_every_evaluation() -> None:
    """The paper's O(n + m |B|)."""
    federation = FunctionSecretSharing(parties(5), EXACT, noise=SeededNoise(1))
    once = federation.traffic.of("party")
    assert federation.traffic.of("analyst") == (0, 0)
    federation.sums([3])
    messages, size = federation.traffic.of("analyst")
    federation.sums([9])
    assert federation.traffic.of("party") == once
    assert federation.traffic.of("analyst") == (2 * messages, pytest.approx(2 * size, abs=20))
    assert messages == 4
    assert set(federation.seen) == {"server 0", "server 1"}


@pytest.mark.statistical
def test_the_counts_hold_two_full_noises() -> None:
    """Each server's is geometric, and they are independent."""
    plan = Plan(depth=13, epsilon=1)
    federation = FunctionSecretSharing(parties(2, 4, 13), plan, noise=SeededNoise(1))
    one, two = (server._noise.numbers[0] for server in federation._servers)
    scale = float(plan.whole_noise().scale)
    for drawn in (one, two):
        for factor, fits in [(1.0, True), (0.7, False), (1.3, False)]:
            assert (discrete_laplace_p(drawn, factor * scale) > FALSE_ALARM) is fits
    assert abs(np.corrcoef(one, two)[0, 1]) < 6 / np.sqrt(one.size)
    points = np.arange(0, 2**13, 500)
    added = federation.sums(points) - exact(parties(2, 4, 13), 13).sums(points)
    both = sum(server._noise.at(points, plan) for server in federation._servers)
    assert added.tolist() == both.tolist()


def test_one_charge_and_no_surprise_with_real_noise() -> None:
    ledger = Ledger(Loss(1))
    plan = Plan(depth=5, epsilon="0.6")
    with pytest.raises(PrivateInference, match="number of records"):
        FunctionSecretSharing(parties(4), plan, ledger=ledger)
    with pytest.raises(InvalidArgument, match="^capacity must be"):
        FunctionSecretSharing(parties(4), plan, capacity=-1, ledger=ledger)
    with pytest.raises(NotPrivate, match="take the masks off"):
        FunctionSecretSharing(parties(4), plan, capacity=50, ledger=ledger, keys=SeededKeys(1))
    assert ledger.spent == Loss(0)
    federation = FunctionSecretSharing(parties(4), plan, capacity=50, ledger=ledger)
    federation.sums([3])
    assert ledger.spent == Loss("0.6")
    assert federation.charges == ledger.charges
    assert not federation.simulated


def test_under_replace_numbers_of_records_are_public() -> None:
    plan = Plan(depth=5, epsilon=1, neighbors=Neighbors.REPLACE)
    assert FunctionSecretSharing(parties(4), plan).sums([3]).shape == (1, 1)


def test_both_servers_are_needed() -> None:
    federation = FunctionSecretSharing(parties(3), EXACT, noise=SeededNoise(1))
    answers = {f"server {one.number}": one.answer for one in federation._servers}
    wire = LocalWire("analyst", answers, Traffic(), {"server 1": "evaluate"})
    with pytest.raises(FederationError, match="server 1 does not answer"):
        added_shares(np.array([3]), EXACT, wire)
