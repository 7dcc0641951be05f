"""What is said of the trust models, and that each can be formed by its declaration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import (
    BudgetExceeded,
    FederationError,
    InvalidArgument,
    NotPrivate,
    PrivateInference,
    TooFewParties,
)
from dpcore.federated import Aggregator, Plan
from dpcore.federated.ecdf import TRUST_MODELS
from dpcore.federated.keys import SeededKeys
from dpcore.federated.messages import LocalWire, Traffic
from dpcore.federated.trust_models import (
    FunctionSecretSharing,
    SecureAggregation,
    TrustedCurator,
    added_shares,
    trust_models,
)
from tests.federated._parties import exact, parties, records
from tests.statistical.fit import FALSE_ALARM, discrete_laplace_p


def test_exact_counts_are_those_of_all_records() -> None:
    whole = records(100, classes=2)
    counts = exact(parties(7, classes=2), classes=2).sums(np.arange(32))
    for one in (0, 1):
        cells = whole.cells[whole.classes == one]
        assert counts[one].tolist() == [(cells <= point).sum() for point in range(32)]


def test_noise_is_stored_and_charged_once() -> None:
    ledger = Ledger(Loss(1))
    curator = TrustedCurator(parties(3), Plan(depth=5, epsilon=1), ledger=ledger)
    assert curator.sums([1, 5, 1]).tolist() == curator.sums([1, 5, 1]).tolist()
    assert ledger.spent == Loss(1)
    assert not curator.simulated
    assert curator.full_noises == 1.0


def test_the_curator_sees_every_record() -> None:
    seen = exact(parties(3)).seen["curator"]
    assert sorted(seen.tolist()) == sorted(records(100).cells.tolist())


def test_parties_send_their_records_once() -> None:
    curator = exact(parties(4))
    before = curator.traffic.by_kind()
    curator.sums([3])
    assert curator.traffic.by_kind() == before
    assert before["records"][0] == 4


@pytest.mark.parametrize("points", [[], [32], [-1], [0.5], [[1]]])
def test_points_off_the_grid_are_refused(points: list) -> None:
    with pytest.raises(InvalidArgument, match="points"):
        exact(parties(2)).sums(points)


def test_exact_counts_are_for_simulations() -> None:
    with pytest.raises(NotPrivate):
        TrustedCurator(parties(2), Plan(depth=5, epsilon=None), noise=SystemNoise())
    assert exact(parties(2)).charges == ()
    assert TrustedCurator(parties(2), Plan(depth=5, epsilon=1), noise=SeededNoise(1)).simulated


EXACT = Plan(depth=5, classes=2, epsilon=None)


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 9), st.integers(0, 60), st.integers(0, 2**32))
def test_counts_are_the_curators(number: int, count: int, seed: int) -> None:
    holdings = parties(number, count, classes=2)
    sums = SecureAggregation(holdings, EXACT, noise=SeededNoise(seed)).sums([0, 30, 7, 7])
    assert sums.tolist() == exact(holdings, classes=2).sums([0, 30, 7, 7]).tolist()


def test_two_may_be_lost_and_more_end_it() -> None:
    holdings = parties(8, classes=2)
    lost = {1: "inbox", 6: "survivors"}
    federation = SecureAggregation(holdings, EXACT, threshold=6, lost=lost, noise=SeededNoise(1))
    counts = federation.sums([4, 31])
    assert federation.stayed == (0, 2, 3, 4, 5, 6, 7)
    without = [holding for one, holding in enumerate(holdings) if one != 1]
    assert counts.tolist() == exact(without, classes=2).sums([4, 31]).tolist()
    with pytest.raises(TooFewParties):
        SecureAggregation(
            holdings,
            EXACT,
            threshold=6,
            lost=dict.fromkeys(range(3), "inbox"),
            noise=SeededNoise(1),
        ).sums([4])


def test_parties_do_not_open_a_second_sum_without_one_of_the_first() -> None:
    """The difference of two such sums would be one party's counts with one share of noise."""
    federation = SecureAggregation(
        parties(6),
        Plan(depth=5, epsilon=1),
        threshold=4,
        lost={5: "survivors"},
        noise=SeededNoise(1),
    )
    federation.sums([4])
    assert federation.stayed == (0, 1, 2, 3, 4, 5)
    with pytest.raises(FederationError, match="other parties are left than in the first sum"):
        federation.sums([4])


def test_noise_is_stored_and_shares_are_sized_for_the_honest_minimum() -> None:
    federation = SecureAggregation(
        parties(6), Plan(depth=5, epsilon=1), threshold=4, colluders=1, noise=SeededNoise(1)
    )
    assert federation.honest == 3
    assert federation.full_noises == 2.0
    alone = SecureAggregation(parties(2), Plan(depth=1, epsilon=1), noise=SeededNoise(1))
    assert (alone.honest, alone.full_noises) == (1, 2.0)
    first = federation.sums([4, 9])
    assert federation.sums([9, 4]).tolist() == first[:, ::-1].tolist()
    assert first.tolist() != exact(parties(6)).sums([4, 9]).tolist()


@pytest.mark.statistical
@pytest.mark.parametrize("colluders", [0, 2])
def test_the_honest_minimum_adds_one_full_noise(colluders: int) -> None:
    """Exactly geometric, whichever the honest parties are; one party fewer is too little."""
    plan = Plan(depth=13, epsilon=1)
    holdings = parties(5, depth=13)
    federation = SecureAggregation(
        holdings, plan, threshold=5, colluders=colluders, noise=SeededNoise(4)
    )
    shares = [role.__self__._noise.numbers[0] for role in federation._wire.answers.values()]
    # A party that nobody helps takes off its own share.
    known = max(colluders, 1)
    honest = sum(shares[known:])
    scale = float(plan.whole_noise().scale)
    for factor, fits in [(1.0, True), (0.7, False), (1.3, False)]:
        assert (discrete_laplace_p(honest, factor * scale) > FALSE_ALARM) is fits
    assert discrete_laplace_p(honest - shares[-1], scale) < FALSE_ALARM
    assert federation.full_noises == 5 / (5 - known)


@pytest.mark.parametrize("colluders", [0, 1])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_a_party_learns_no_more_of_another_than_was_charged(epsilon: float, colluders: int) -> None:
    """Both counts of two cells, as they look without its own share, in one of two parties' eyes."""
    plan = Plan(depth=1, epsilon=epsilon)
    formed = SecureAggregation(parties(2, depth=1), plan, colluders=colluders, noise=SeededNoise(1))
    left, far = 1 / formed.honest, 3000
    ones = np.arange(far)
    rate = epsilon / plan.moved
    logs = gammaln(ones + left) - gammaln(left) - gammaln(ones + 1) - rate * ones
    polya = np.exp(logs + left * np.log(-np.expm1(-rate)))
    share = np.fft.irfft(np.abs(np.fft.rfft(polya, 4 * far)) ** 2)
    numbers = np.arange(-far // 2, far // 2)

    def log_density(first: int, second: int) -> float:
        # What both counts share, and what each has of its own.
        both = share[numbers] * share[first - numbers] * share[second - numbers]
        return float(np.log(both.sum()))

    near = range(-4, 5)
    losses = [
        abs(log_density(one, two) - log_density(one - lower, two - 1))
        for one in near for two in near for lower in (0, 1)
    ]  # fmt: skip
    assert max(losses) <= epsilon * (1 + 1e-9)


def test_one_charge_before_anything_is_drawn() -> None:
    ledger = Ledger(Loss(1), Neighbors.REPLACE)
    plan = Plan(depth=5, epsilon="0.6", neighbors=Neighbors.REPLACE)
    federation = SecureAggregation(parties(4), plan, ledger=ledger)
    assert ledger.spent == Loss("0.6")
    assert federation.charges == ledger.charges
    for _ in range(3):
        federation.sums([1, 2])
    assert ledger.spent == Loss("0.6")
    with pytest.raises(BudgetExceeded):
        SecureAggregation(parties(4), plan, ledger=ledger)
    assert not federation.simulated


def test_exact_counts_and_repeatable_keys_are_for_simulations() -> None:
    with pytest.raises(NotPrivate, match="nothing hides a record"):
        SecureAggregation(parties(4), EXACT, noise=SystemNoise())
    with pytest.raises(NotPrivate, match="take the masks off"):
        SecureAggregation(parties(4), Plan(depth=5, epsilon=1), keys=SeededKeys(1))


@pytest.mark.parametrize("wrong", [{"threshold": 1}, {"threshold": 5}, {"colluders": 3}])
def test_impossible_terms_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        SecureAggregation(parties(4), Plan(depth=5, epsilon=1), **wrong)
    with pytest.raises(InvalidArgument, match="parties"):
        SecureAggregation(parties(1), Plan(depth=5, epsilon=1))


def sent_with(federation: Aggregator, role: str) -> tuple[int, int]:
    """Messages and bytes that roles of this name sent or received."""
    mine = [one for one in federation.traffic if role in f"{one.sender} {one.receiver}"]
    return len(mine), sum(one.size for one in mine)


def test_every_evaluation_costs_every_party_messages() -> None:
    """The paper's O(n |B|): two evaluations cost twice as much as one."""
    federation = SecureAggregation(parties(5), EXACT, noise=SeededNoise(1))
    federation.sums([3])
    messages, size = sent_with(federation, "party")
    federation.sums([9])
    assert sent_with(federation, "party") == (2 * messages, pytest.approx(2 * size, abs=50))
    assert messages == 5 * 8
    assert set(federation.seen) == {f"server, from party {one}" for one in range(5)}


BOTH = Plan(depth=5, classes=2, epsilon=None)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 9), st.integers(0, 60), st.integers(0, 2**32))
def test_shared_counts_are_the_curators(number: int, count: int, seed: int) -> None:
    holdings = parties(number, count, classes=2)
    sums = FunctionSecretSharing(holdings, BOTH, noise=SeededNoise(seed)).sums([0, 30, 7, 7])
    assert sums.tolist() == exact(holdings, classes=2).sums([0, 30, 7, 7]).tolist()


def test_parties_send_once_and_servers_for_every_evaluation() -> None:
    """The paper's O(n + m |B|)."""
    federation = FunctionSecretSharing(parties(5), BOTH, noise=SeededNoise(1))
    once = sent_with(federation, "party")
    assert sent_with(federation, "analyst") == (0, 0)
    federation.sums([3])
    messages, size = sent_with(federation, "analyst")
    federation.sums([9])
    assert sent_with(federation, "party") == once
    assert sent_with(federation, "analyst") == (2 * messages, pytest.approx(2 * size, abs=20))
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
    federation = FunctionSecretSharing(parties(3), BOTH, noise=SeededNoise(1))
    answers = {f"server {one.number}": one.answer for one in federation._servers}
    wire = LocalWire("analyst", answers, Traffic(), {"server 1": "evaluate"})
    with pytest.raises(FederationError, match="server 1 does not answer"):
        added_shares(np.array([3]), BOTH, wire)


@pytest.mark.parametrize("name", TRUST_MODELS)
def test_every_trust_model_is_declared(name: str) -> None:
    method = trust_models()[name]
    assert method.run is TRUST_MODELS[name]
    assert method.guarantee.holds
    assert method.guarantee.reason
    assert method.reference
    formed = method.run(parties(4), Plan(depth=5, epsilon=None), noise=SeededNoise(1))
    assert formed.sums([7]).tolist() == exact(parties(4)).sums([7]).tolist()


def test_nothing_else_is_declared() -> None:
    assert set(trust_models()) == set(TRUST_MODELS)
