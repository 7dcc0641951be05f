"""A release is two durable steps."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest

from dpcore import Charge, LedgerStore, Loss, Part
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    LedgerDamaged,
    MissingResource,
    ReleaseVoid,
)
from dpcore.store import ledger_store
from dpcore.store.connection import connected
from dpcore.store.ledger_store import lease


def test_the_second_waits_and_then_gives_up(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    with lease(ledger, "a", timeout=1):
        with (
            pytest.raises(MissingResource, match="still being drawn"),
            lease(ledger, "a", timeout=0.05),
        ):
            pass
        with lease(ledger, "b", timeout=0.05):
            pass
    with lease(ledger, "a", timeout=0.05):
        pass


def test_a_symbolic_link_is_no_other_ledger(tmp_path: Path) -> None:
    """Else whoever draws by one name makes void what is drawn by the other."""
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "ledger.sqlite")
    with (
        lease(tmp_path / "ledger.sqlite", "a", timeout=1),
        pytest.raises(MissingResource, match="still being drawn"),
        lease(tmp_path / "link.sqlite", "a", timeout=0.05),
    ):
        pass


def test_what_cannot_be_locked_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite begins on another user's file, which may only be read, and locks nothing."""
    ledger = tmp_path / "ledger.sqlite"
    with lease(ledger, "a", timeout=1):
        pass
    monkeypatch.setattr(ledger_store, "connected", partial(connected, how="mode=ro"))
    with pytest.raises(MissingResource, match="cannot be written"), lease(ledger, "a", timeout=1):
        pass
    (tmp_path / "other.sqlite-leases").touch()
    with (
        pytest.raises(MissingResource, match="cannot be written"),
        lease(tmp_path / "other.sqlite", "a", timeout=1),
    ):
        pass


def test_threads_take_turns(tmp_path: Path) -> None:
    inside, most = [], []

    def draw() -> None:
        with lease(tmp_path / "ledger.sqlite", "a", timeout=30):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8


PLAN = (
    Charge("model", "moments", Loss("0.4"), Part("split", "train", None, True)),
    Charge("curve", "laplace", Loss("0.3"), Part("split", "test", None, True)),
)


@pytest.fixture
def store(store: LedgerStore) -> LedgerStore:
    store.open_budget("d", Loss(1))
    return store


def interrupt(store: LedgerStore, request: str = "r") -> None:
    """As if the process had died after the charge."""
    with store.drawing("d"):
        store.begin("d", request, PLAN)


def test_steps_are_told_in_order(tmp_path: Path) -> None:
    steps: list[str] = []
    store = LedgerStore(tmp_path / "ledger.sqlite", on_step=steps.append)
    store.open_budget("d", Loss(1))
    with store.drawing("d"):
        store.begin("d", "r", PLAN)
        store.finish("d", "r", "{}")
    assert steps == ["charge written", "charged", "result written", "stored"]


def test_train_and_test_of_one_request_compose_by_maximum(store: LedgerStore) -> None:
    with store.drawing("d"):
        charged = store.begin("d", "r", PLAN)
    assert store.remaining("d") == Loss("0.6")
    assert charged == store.account("d").charges
    assert "coins of r, attempt 1" in str(charged[0].part)


def test_the_same_split_by_name_of_another_request_adds_up(store: LedgerStore) -> None:
    # Whoever may release can make many requests, and find two whose names begin alike.
    alike = "c0ffee" * 5
    for request in (f"{alike}r", f"{alike}s"):
        with store.drawing("d"):
            store.begin("d", request, PLAN)
    assert store.remaining("d") == Loss("0.2")
    with store.drawing("d"), pytest.raises(BudgetExceeded):
        store.begin("d", "t", PLAN)
    assert store.remaining("d") == Loss("0.2")


@pytest.mark.parametrize("again", [False, True])
def test_a_release_that_is_being_drawn_is_not_begun_once_more(
    store: LedgerStore, again: bool
) -> None:
    """Else two results would be drawn for it."""
    with store.drawing("d"):
        store.begin("d", "r", PLAN)
        with pytest.raises(InvalidArgument, match="it has been charged"):
            store.begin("d", "r", PLAN, again=again)
        store.finish("d", "r", "{}")
    assert store.remaining("d") == Loss("0.6")
    assert [row.kind for row in store.entries("d")] == ["budget", "charge", "charge", "release"]


def test_a_finished_release_is_replayed_and_never_overwritten(store: LedgerStore) -> None:
    with store.drawing("d"):
        store.begin("d", "r", PLAN)
        assert store.finish("d", "r", '{"first":1}') == '{"first":1}'
        assert store.finish("d", "r", '{"second":2}') == '{"first":1}'
        with pytest.raises(InvalidArgument, match="released"):
            store.begin("d", "r", PLAN, again=True)
    assert store.stored("d", "r") == '{"first":1}'
    assert store.results("d") == store.results() == {"r": '{"first":1}'}
    assert store.remaining("d") == Loss("0.6")


def test_an_interrupted_release_is_void_and_its_charge_stays(store: LedgerStore) -> None:
    interrupt(store)
    assert store.state("d", "r") == "charged"
    with store.drawing("d"):
        assert store.state("d", "r") == "void"
        with pytest.raises(ReleaseVoid, match="between the charge and the result"):
            store.begin("d", "r", PLAN)
        with pytest.raises(ReleaseVoid):
            store.finish("d", "r", "{}")
    assert store.stored("d", "r") is None
    assert store.remaining("d") == Loss("0.6")


def test_releasing_a_void_request_again_is_deliberate_and_paid_for(store: LedgerStore) -> None:
    interrupt(store)
    with store.drawing("d"):
        store.begin("d", "r", PLAN, again=True)
        store.finish("d", "r", "{}")
    assert store.state("d", "r") == "released"
    assert store.remaining("d") == Loss("0.2")
    assert [row.kind for row in store.entries("d")] == [
        "budget",
        *["charge"] * 2,
        "void",
        *["charge"] * 2,
        "release",
    ]


def test_a_result_without_a_charge_is_not_stored(store: LedgerStore) -> None:
    with store.drawing("d"), pytest.raises(ReleaseVoid, match="never charged"):
        store.finish("d", "r", "{}")


def test_single_charges_are_not_made_void(store: LedgerStore) -> None:
    store.spend("d", "single", "elsewhere", Loss("0.1"))
    with store.drawing("d"):
        pass
    assert store.state("d", "single") == "released"
    assert not store.spend("d", "single", "elsewhere", Loss("0.1"))


def test_giving_up_is_recorded_with_its_reason(store: LedgerStore) -> None:
    with store.drawing("d"):
        store.begin("d", "r", PLAN)
        store.void("d", "r", "the run failed")
        store.void("d", "r", "twice")
    assert [row.content["reason"] for row in store.entries("d") if row.kind == "void"] == [
        "the run failed"
    ]


def test_a_single_charge_has_no_result(store: LedgerStore) -> None:
    store.spend("d", "single", "curve", Loss("0.1"))
    with pytest.raises(InvalidArgument, match="that of a release, not of a single charge"):
        store.stored("d", "single")


def test_a_data_set_without_a_digest_has_no_account(store: LedgerStore) -> None:
    with pytest.raises(InvalidArgument, match="the SHA-256 of the data, as text"):
        store.account("")


def test_a_result_that_cannot_be_stored_makes_the_release_void(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*of: object) -> str:
        raise MissingResource("the disk is full", "make room")

    with store.drawing("d"):
        store.begin("d", "r", [Charge("curve", "laplace", Loss("0.1"))])
        monkeypatch.setattr(ledger_store, "keep", full)
        with pytest.raises(ReleaseVoid, match="could not be stored: the disk is full"):
            store.finish("d", "r", "{}")
    assert store.state("d", "r") != "released"


def test_a_result_that_is_gone_when_it_is_asked_for_is_damage(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.drawing("d"):
        store.begin("d", "r", [Charge("curve", "laplace", Loss("0.1"))])
        store.finish("d", "r", "{}")
    monkeypatch.setattr(ledger_store, "document", lambda *of: None)
    with pytest.raises(LedgerDamaged, match="the result of row 3 was removed or changed"):
        store.stored("d", "r")
