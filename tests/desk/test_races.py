"""Eight processes at once: for the last epsilon, and for the same release."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dpcore import LedgerStore, Loss
from tests.store._children import driver

COUNT = 8
slow = partial(pytest.param, marks=pytest.mark.slow)
Run = Callable[[Any], Any]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> LedgerStore:
    return LedgerStore(tmp_path_factory.mktemp("race") / "ledger.sqlite")


@pytest.fixture(scope="module")
def run(store: LedgerStore) -> Iterator[Run]:
    with driver(Path(__file__).with_name("_race.py"), str(store.path)) as ask:
        yield ask


@pytest.mark.parametrize("rounds", [3, slow(10)])
def test_charges_race_for_the_last_epsilon(
    store: LedgerStore, run: Run, rounds: int, record_property: pytest.RecordProperty
) -> None:
    """Each round has a data set of its own, whose budget affords fewer charges than are tried."""
    known = 0
    for number in range(rounds):
        data, affordable = f"spend {number} of {rounds}", 3 * number % COUNT + 1
        store.open_budget(data, Loss("0.1") * affordable)
        # Two charges of its own for each process, and one that all of them ask for.
        own = [[(data, f"{name}-{half}", "0.1") for half in "ab"] for name in range(COUNT)]
        answers = run([("spend", [a, (data, "all", "0.1"), b]) for a, b in own])
        told = [answer for one in answers for answer in one]
        known += told.count("known")
        account = store.account(data)
        assert told.count("charged") == affordable == len(account.charges)
        assert account.remaining == Loss(0)
    assert store.verify().holds
    record_property(
        "counted",
        f"races of charges: {rounds} rounds of {COUNT} processes, {3 * COUNT * rounds} attempts, "
        f"0 over the budget, 0 lost, {known} replays of one id",
    )


@pytest.mark.parametrize("first, rounds", [(0, 1), slow(1, 2)])
def test_releases_race_for_the_last_epsilon(
    store: LedgerStore, run: Run, first: int, rounds: int, record_property: pytest.RecordProperty
) -> None:
    """Eight requests, of which the budget affords three: three results, none lost."""
    for number in range(first, first + rounds):
        data = f"race {number}"
        store.open_budget(data, Loss("0.3"))
        orders = [("publish", [(number, "0.1", 0.5 + name / 100)]) for name in range(COUNT)]
        answers = [answer for (answer,) in run(orders)]
        texts = {answer["text"] for answer in answers if "text" in answer}
        assert len(texts) == 3
        assert sum("refused" in answer for answer in answers) == COUNT - 3
        assert store.remaining(data) == Loss(0)
        assert len(store.results(data)) == len(store.account(data).charges) == 3
    record_property(
        "counted",
        f"races of releases: {rounds} rounds of {COUNT} processes, budget for 3 of {COUNT}, "
        "0 over it, 0 results lost",
    )


@pytest.mark.parametrize("first, rounds", [(100, 1), slow(101, 2)])
def test_one_identity_is_drawn_once_and_replayed_by_all_others(
    store: LedgerStore, run: Run, first: int, rounds: int, record_property: pytest.RecordProperty
) -> None:
    for number in range(first, first + rounds):
        data = f"race {number}"
        store.open_budget(data, Loss(1))
        orders = [("publish", [(number, "0.4", 0.9)])] * COUNT
        answers = [answer for (answer,) in run(orders)]
        assert len({answer["text"] for answer in answers}) == 1
        assert len({answer["pid"] for answer in answers}) == COUNT
        assert [answer["replayed"] for answer in answers].count(False) == 1
        assert store.remaining(data) == Loss("0.6")
    record_property(
        "counted",
        f"races for one release: {rounds} rounds of {COUNT} processes, drawn once each, "
        f"{rounds * (COUNT - 1)} replays of the same bytes at no cost",
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("budget", ["0.4", "0.5", "1"])
def test_who_asks_while_it_is_drawn_waits_and_replays(
    store: LedgerStore, run: Run, budget: str
) -> None:
    """However little the first has left: the second asks for what is paid already."""
    seed = 200 + int(float(budget) * 10)
    store.open_budget(f"race {seed}", Loss(budget))
    same, other = (seed, "0.4", 0.9), (seed, "0.7", 0.9)
    answers = run({"first": same, "others": [same, same, other], "dies": False})
    assert [answer.get("replayed") for answer in answers] == [True, True, None]
    assert len({answer["text"] for answer in answers[:2]}) == 1
    assert answers[2] == {"refused": True}
    assert store.account(f"race {seed}").spent == Loss("0.4")


@pytest.mark.few(1)
@pytest.mark.parametrize("budget", ["0.4", "1"])
def test_who_waits_for_one_that_dies_is_told_that_it_is_void(
    store: LedgerStore, run: Run, budget: str
) -> None:
    seed = 300 + int(float(budget) * 10)
    store.open_budget(f"race {seed}", Loss(budget))
    same = (seed, "0.4", 0.9)
    answers = run({"first": same, "others": [same, same], "dies": True})
    for answer in answers:
        assert "its charge stays spent" in answer["void"]
    assert store.account(f"race {seed}").spent == Loss("0.4")
    assert store.results(f"race {seed}") == {}
