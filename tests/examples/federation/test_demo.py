"""Party processes and two servers on the loopback: the curator's counts, and drop-outs."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import TooFewParties
from dpcore.federated import Plan
from dpcore.federated.trust_models import SecureAggregation
from dpcore.noise import SeededNoise
from examples.federation.demo import demonstrate, generated_holdings
from examples.federation.setup import Setup

POINTS = np.array([5, 20, 63])


def terms(protocol: str, parties: int, threshold: int = 2) -> Setup:
    return Setup(
        protocol=protocol, parties=parties, low=0.0, high=1.0, points=64, epsilon=None,
        threshold=threshold, capacity=25, seed=1, patience=30.0,
    )  # fmt: skip


@pytest.mark.parametrize("parties", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_two_servers_count_what_a_curator_counts(parties: int) -> None:
    setup = terms("function-secret-sharing", parties)
    result = demonstrate(setup, generated_holdings(setup, 25), POINTS)
    assert result.counts.tolist() == result.exact.tolist()
    assert result.exact[-1] == 25 * parties
    assert result.stayed == list(range(parties))
    assert set(result.traffic) == {"server 0", "server 1"}
    assert result.traffic["server 1"]["comparison keys"][0] == parties


@pytest.mark.parametrize("parties, threshold", [(5, 3), pytest.param(8, 6, marks=pytest.mark.slow)])
def test_the_loss_of_two_parties_is_survived(parties: int, threshold: int) -> None:
    setup = terms("secure-aggregation", parties, threshold)
    holdings = generated_holdings(setup, 25)
    # One before it has sent anything that others add to theirs, and one after.
    lost = {2: "inbox", parties - 1: "survivors"}
    result = demonstrate(setup, holdings, POINTS, leaving=lost)
    assert result.stayed == [party for party in range(parties) if party != 2]
    assert result.counts.tolist() == result.exact.tolist()
    # Sockets carry the bytes that are counted inside one process.
    plan, noise = Plan(depth=6, epsilon=None), SeededNoise(1)
    here = SecureAggregation(holdings, plan, threshold=threshold, lost=lost, noise=noise)
    here.sums(POINTS)
    assert result.traffic["server 0"] == here.traffic.by_kind()


# Its exit code is asked for in test_command.py.
@pytest.mark.slow
def test_below_the_threshold_it_refuses_to_continue() -> None:
    setup = terms("secure-aggregation", 8, 6)
    with pytest.raises(TooFewParties, match="5 parties are left and the threshold is 6"):
        demonstrate(
            setup, generated_holdings(setup, 25), POINTS, leaving=dict.fromkeys((0, 3, 7), "inbox")
        )
