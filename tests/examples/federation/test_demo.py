"""Eight party processes and two servers on the loopback: the curator's counts, and drop-outs."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import TooFewParties
from dpcore.federated import Plan, SecureAggregation
from dpcore.noise import SeededNoise
from examples.federation.demo import demonstrate, generated_holdings
from examples.federation.setup import Setup

POINTS = np.array([5, 20, 63])


def terms(protocol: str) -> Setup:
    return Setup(
        protocol=protocol, parties=8, low=0.0, high=1.0, points=64, epsilon=None, threshold=6,
        capacity=25, seed=1, patience=30.0,
    )  # fmt: skip


def test_two_servers_count_what_a_curator_counts() -> None:
    setup = terms("function-secret-sharing")
    result = demonstrate(setup, generated_holdings(setup, 25), POINTS)
    assert result.counts.tolist() == result.exact.tolist()
    assert result.exact[-1] == 200
    assert result.stayed == list(range(8))
    assert set(result.traffic) == {"server 0", "server 1"}
    assert result.traffic["server 1"]["comparison keys"][0] == 8


def test_the_loss_of_two_parties_is_survived() -> None:
    setup = terms("secure-aggregation")
    holdings = generated_holdings(setup, 25)
    result = demonstrate(setup, holdings, POINTS, leaving={2: "inbox", 5: "survivors"})
    assert result.stayed == [0, 1, 3, 4, 5, 6, 7]
    assert result.counts.tolist() == result.exact.tolist()
    # Sockets carry the bytes that are counted inside one process.
    lost = {2: "inbox", 5: "survivors"}
    plan, noise = Plan(depth=6, epsilon=None), SeededNoise(1)
    here = SecureAggregation(holdings, plan, threshold=6, lost=lost, noise=noise)
    here.sums(POINTS)
    assert result.traffic["server 0"] == here.traffic.by_kind()


# Its exit code is asked for in test_command.py.
@pytest.mark.slow
def test_below_the_threshold_it_refuses_to_continue() -> None:
    setup = terms("secure-aggregation")
    with pytest.raises(TooFewParties, match="5 parties are left and the threshold is 6"):
        demonstrate(
            setup, generated_holdings(setup, 25), POINTS, leaving=dict.fromkeys((0, 3, 7), "inbox")
        )
