"""One of two servers: its own noise, its own half."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import FederationError
from dpcore.federated import Plan, comparison, key_server
from dpcore.federated.comparison import comparison_keys, key_bits
from dpcore.federated.key_server import (
    IntervalNoise,
    KeyServer,
    blocks_needed,
    child_noise,
    intervals_of,
    keys_from_message,
    keys_message,
    share_of_counts,
    shared_intervals,
)
from dpcore.federated.keys import SeededKeys, SystemKeys
from dpcore.federated.messages import Message, decoded, encoded
from dpcore.federated.parties import SharingParty
from dpcore.federated.ring64 import signed
from tests.federated._parties import records


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_each_level_gives_one_interval_that_holds_the_cell(depth: int) -> None:
    cells = np.arange(1 << depth)
    intervals = intervals_of(cells, depth)
    assert intervals.shape == (cells.size, depth + 1)
    assert np.unique(intervals).tolist() == list(range(2 * cells.size - 1))
    for level, column in enumerate(intervals.T):
        assert np.bincount(column - column.min()).tolist() == [2**level] * (cells.size >> level)
        assert (np.diff(column) >= 0).all()


def test_the_same_point_has_the_same_noise() -> None:
    plan = Plan(depth=4, classes=2, epsilon=0.3)
    noise = IntervalNoise.drawn(plan, SeededNoise(1), "somebody")
    at = noise.at(np.array([3, 9, 3]), plan)
    assert at.shape == (2, 3)
    assert at[:, 0].tolist() == at[:, 2].tolist()
    assert at[0].tolist() != at[1].tolist()
    exact = replace(plan, epsilon=None)
    none = IntervalNoise.drawn(exact, SeededNoise(1), "somebody")
    assert not none.at(np.arange(16), exact).any()


def test_the_covariance_is_that_of_shared_intervals() -> None:
    plan, points = Plan(depth=3, epsilon=1), np.array([0, 3, 7])
    source = SeededNoise(5)
    draws = np.array(
        [IntervalNoise.drawn(plan, source, "x").at(points, plan)[0] for _ in range(3000)]
    )
    expected = plan.noise_variance * shared_intervals(points, 3)
    np.testing.assert_allclose(np.cov(draws.T), expected, atol=0.25 * expected.max())


def test_seeds_are_divided_and_the_system_is_one() -> None:
    seeded, system = SeededNoise(1), SystemNoise()
    assert child_noise(seeded, "a").uniform(1) != child_noise(seeded, "b").uniform(1)
    assert child_noise(system, "a") is system


PLAN = Plan(depth=5, classes=2, epsilon=1)


def key_messages_pair(records: int) -> list:
    cells = np.arange(records) % 32
    return [comparison_keys(cells, np.ones_like(cells), 5, SystemKeys()) for _ in range(2)]


@pytest.mark.parametrize("records", [0, 1, 7])
def test_there_and_back(records: int) -> None:
    keys = [both[1] for both in key_messages_pair(records)]
    again = keys_from_message(decoded(encoded(keys_message(keys))), PLAN, 1)
    for one, two in zip(keys, again, strict=True):
        assert one.roots.tolist() == two.roots.tolist()
        for left, right in zip(one.corrections, two.corrections, strict=True):
            assert left.tolist() == right.tolist()


def test_the_message_is_as_long_as_the_keys() -> None:
    size = len(encoded(keys_message([both[0] for both in key_messages_pair(400)])))
    assert 0 <= size - 2 * 400 * key_bits(5) / 8 < 300


def test_keys_for_the_other_server_or_another_plan_are_refused() -> None:
    message = keys_message([both[0] for both in key_messages_pair(3)])
    with pytest.raises(FederationError, match="wrong server"):
        keys_from_message(message, PLAN, 1)
    with pytest.raises(FederationError, match="'roots'"):
        keys_from_message(message, Plan(depth=5, epsilon=1), 0)
    with pytest.raises(FederationError, match="'seeds'"):
        keys_from_message(message, Plan(depth=6, classes=2, epsilon=1), 0)
    with pytest.raises(FederationError, match="was due"):
        keys_from_message(Message("hello"), PLAN, 0)


def halves(count: int = 40, depth: int = 6) -> tuple:
    cells = np.arange(count) * 7 % (1 << depth)
    return comparison_keys(cells, np.ones(count, dtype=np.int64), depth, SystemKeys())


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 63), min_size=1, max_size=70))
def test_together_as_alone(points: list[int]) -> None:
    for half in halves():
        together = share_of_counts(half, np.array(points))
        alone = [int(share_of_counts(half, np.array([point]))[0]) for point in points]
        assert together.tolist() == alone


def test_records_in_pieces_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    half = halves()[1]
    whole = share_of_counts(half, np.arange(64))
    monkeypatch.setattr(key_server, "_AT_ONCE", 64 * 7)
    assert share_of_counts(half, np.arange(64)).tolist() == whole.tolist()


@pytest.mark.parametrize("points", [[5], [0, 63], list(range(64)), [8, 9, 10]])
def test_the_stated_number_of_blocks_is_enciphered(
    points: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, expanded = [], comparison.expanded

    def counting(seeds: np.ndarray, role: int) -> np.ndarray:
        counted.append(seeds.size // 2)
        return expanded(seeds, role)

    half = halves()[0]
    monkeypatch.setattr(comparison, "expanded", counting)
    share_of_counts(half, np.array(points))
    assert sum(counted) == 40 * blocks_needed(np.array(points), 6)


def pair(plan: Plan) -> list[KeyServer]:
    party = SharingParty(0, records(30), plan, capacity=30, keys=SeededKeys(1))
    servers = [KeyServer(one, plan, noise=SeededNoise(one)) for one in (0, 1)]
    for server in servers:
        server.take({"party 0": party.answer(Message("deal", {"server": server.number}))})
    return servers


def asked(servers: list[KeyServer], points: list[int]) -> np.ndarray:
    request = Message("evaluate", {}, {"points": np.array(points)})
    words = [server.answer(request).arrays["words"] for server in servers]
    return signed(words[0] + words[1])


def test_shares_add_up_to_the_counts_with_both_noises() -> None:
    exact = asked(pair(Plan(depth=5, epsilon=None)), [3, 31])
    assert (
        exact.tolist()
        == records(30).counts_up_to(np.array([3, 31]), Plan(depth=5, epsilon=None)).tolist()
    )
    plan = Plan(depth=5, epsilon=1)
    servers = pair(plan)
    added = sum(server._noise.at(np.array([3, 31]), plan) for server in servers)
    assert added.any()
    assert asked(servers, [3, 31]).tolist() == (exact + added).tolist()
    assert asked(servers, [3, 31]).tolist() == (exact + added).tolist()


@pytest.mark.parametrize("points", [[32], [-1], []])
def test_points_off_the_grid_are_refused(points: list[int]) -> None:
    server = pair(Plan(depth=5, epsilon=None))[0]
    with pytest.raises(FederationError, match="not on the grid"):
        server.answer(Message("evaluate", {}, {"points": np.array(points, dtype=np.int64)}))


def test_a_server_without_keys_says_so() -> None:
    server = KeyServer(0, Plan(depth=5, epsilon=None), noise=SeededNoise(1))
    with pytest.raises(FederationError, match="no party has sent its keys"):
        server.answer(Message("evaluate", {}, {"points": np.array([3])}))


def test_keys_that_do_not_fit_are_refused_by_name() -> None:
    server = KeyServer(0, Plan(depth=5, epsilon=None), noise=SeededNoise(1))
    with pytest.raises(FederationError, match="party 4: "):
        server.take({"party 4": Message("comparison keys", {"records": 1, "server": 1})})
