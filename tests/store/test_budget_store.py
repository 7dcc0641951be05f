"""Budgets: set once, spent exactly, kept apart, raced for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import LedgerStore, Loss, Neighbors, Part
from dpcore.errors import BudgetExceeded, InvalidArgument, MissingResource, NeighborsMismatch
from dpcore.privacy import Charge
from dpcore.store.journal import journal

TRAIN, TEST = (Part("split", name, fixed_under_replacement=True) for name in ("train", "test"))


def test_three_tenths_fit_exactly_and_a_millionth_more_does_not(store: LedgerStore) -> None:
    store.open_budget("d", Loss(0.3))
    for number in range(3):
        assert store.spend("d", f"r{number}", "curve", Loss(0.1))
    assert store.remaining("d") == Loss(0)
    with pytest.raises(BudgetExceeded, match="no smaller epsilon fits"):
        store.spend("d", "more", "curve", Loss("0.000001"))
    assert store.account("d").spent == Loss("0.3")


def test_the_refusal_says_what_fits(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    store.spend("d", "a", "curve", Loss("0.6"))
    with pytest.raises(BudgetExceeded) as refused:
        store.spend("d", "b", "curve", Loss("0.5"))
    assert refused.value.requested == Loss("0.5")
    assert refused.value.remaining == Loss("0.4")
    assert str(refused.value.largest) == "2/5"
    assert "the largest epsilon that fits is 0.4" in str(refused.value)


def test_the_same_id_is_charged_once(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    assert store.spend("d", "a", "curve", Loss("0.6"))
    assert not store.spend("d", "a", "curve", Loss("0.6"))
    assert store.remaining("d") == Loss("0.4")
    with pytest.raises(InvalidArgument, match="request_id"):
        store.spend("d", "a", "curve", Loss("0.5"))


@pytest.mark.parametrize("end", ["charged", "void", "released"])
def test_what_a_release_was_charged_for_pays_for_nothing_else(store: LedgerStore, end: str) -> None:
    store.open_budget("d", Loss(1))
    store.begin("d", "a", [Charge("curve", "Laplace", Loss("0.6"))])
    if end != "charged":
        store.void("d", "a", "it failed") if end == "void" else store.finish("d", "a", "{}")
    with pytest.raises(InvalidArgument, match="request_id"):
        store.spend("d", "a", "curve", Loss("0.6"), mechanism="Laplace")


def test_a_budget_is_set_once(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    store.open_budget("d", Loss(1))
    with pytest.raises(InvalidArgument, match="set once"):
        store.open_budget("d", Loss(2))
    with pytest.raises(NeighborsMismatch):
        store.open_budget("d", Loss(1), Neighbors.REPLACE)
    assert [row.kind for row in store.entries()] == ["budget"]


def test_data_sets_have_budgets_of_their_own(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1), title="Patients")
    store.open_budget("e", Loss(2), "replace")
    store.spend("d", "a", "curve", Loss(1))
    assert [str(one.remaining) for one in store.accounts().values()] == ["epsilon 0", "epsilon 2"]
    assert store.account("e").neighbors is Neighbors.REPLACE
    assert store.account("d").title == "Patients"
    with pytest.raises(MissingResource, match="no budget yet"):
        store.spend("f", "a", "curve", Loss(1))


def test_the_reserve_cannot_be_spent_until_it_is_lowered(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    store.reserve("d", Loss("0.7"))
    with pytest.raises(BudgetExceeded) as refused:
        store.spend("d", "a", "curve", Loss("0.4"))
    assert refused.value.remaining == Loss("0.3")
    store.reserve("d", Loss(0))
    assert store.spend("d", "a", "curve", Loss("0.4"))
    with pytest.raises(BudgetExceeded):
        store.reserve("d", Loss("0.7"))
    assert store.account("d").available == Loss("0.6")


def test_parts_of_one_division_compose_by_maximum(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    store.spend("d", "a", "model", Loss("0.9"), part=TRAIN, division="coins 1")
    store.spend("d", "b", "curve", Loss("0.8"), part=TEST, division="coins 1")
    assert store.remaining("d") == Loss("0.1")


def test_two_splits_of_one_name_add_up(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    store.spend("d", "a", "model", Loss("0.6"), part=TRAIN)
    with pytest.raises(BudgetExceeded):
        store.spend("d", "b", "curve", Loss("0.6"), part=TEST)
    with pytest.raises(BudgetExceeded):
        store.spend("d", "c", "curve", Loss("0.6"), part=TEST, division="seed 8, fraction 0.3")
    assert store.spend("d", "e", "curve", Loss("0.4"), part=TEST)


def test_digests_of_the_data_are_not_in_the_rows(store: LedgerStore) -> None:
    digest = "5f" * 32
    store.open_budget(digest, Loss(1))
    store.spend(digest, "a", "curve", Loss(1))
    assert digest not in store.export()
    assert digest not in "".join(str(row) for row in store.entries())
    assert digest.encode() not in store.path.read_bytes()


def test_names_differ_from_ledger_to_ledger(tmp_path: Path) -> None:
    stores = [LedgerStore(tmp_path / name) for name in ("a", "b")]
    assert stores[0].name_of("d") != stores[1].name_of("d")
    assert stores[0].name_of("d") == LedgerStore(tmp_path / "a").name_of("d")


def test_a_ledger_that_must_exist_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match="there is no ledger"):
        LedgerStore(tmp_path / "ledger.sqlite", make=False)
    assert not list(tmp_path.iterdir())


@settings(max_examples=12)
@given(st.lists(st.fractions(min_value=0, max_value=1, max_denominator=1000), max_size=6))
def test_what_is_spent_and_left_adds_up_exactly(
    tmp_path_factory: pytest.TempPathFactory, losses: list[object]
) -> None:
    store = LedgerStore(tmp_path_factory.mktemp("exact") / "ledger.sqlite")
    store.open_budget("d", Loss(2))
    accepted = Loss(0)
    for number, epsilon in enumerate(losses):
        loss = Loss(str(epsilon))
        fits = (accepted + loss).within(Loss(2))
        try:
            store.spend("d", str(number), "x", loss)
        except BudgetExceeded:
            assert not fits
        else:
            assert fits
            accepted += loss
    assert store.account("d").spent == accepted
    assert store.remaining("d") + accepted == Loss(2)


@pytest.mark.parametrize(
    "name, wrong", [("request_id", 7), ("request_id", True), ("label", 7), ("loss", "0.1"),
                    ("loss", None), ("data_digest", 7), ("data_digest", None)],
)  # fmt: skip
def test_what_is_no_text_is_refused_and_the_ledger_still_holds(
    tmp_path: Path, name: str, wrong: Any
) -> None:
    """The file kept a number as a text, and from then on could not be trusted."""
    store = LedgerStore(tmp_path / "ledger.sqlite")
    store.open_budget("ab12", Loss(1))
    told = {"data_digest": "ab12", "request_id": "r1", "label": "curve", "loss": Loss("0.1")}
    with pytest.raises(InvalidArgument, match=f"^{name} must be "):
        store.spend(**told | {name: wrong})
    with pytest.raises(InvalidArgument, match="^budget must be a Loss, for example"):
        store.open_budget("ab13", 1.0)
    with pytest.raises(InvalidArgument, match="^loss must be a Loss, for example"):
        store.reserve("ab12", 0.5)
    assert store.spend(**told)
    assert store.verify().holds
    assert LedgerStore(store.path).remaining("ab12") == Loss("0.9")


def test_a_row_that_is_not_of_texts_is_not_written(tmp_path: Path) -> None:
    path = LedgerStore(tmp_path / "ledger.sqlite").path
    with (
        pytest.raises(InvalidArgument, match="^request must be a text, got 7"),
        journal(path, write=True) as book,
    ):
        book.append(kind="charge", data="ab", request=7, facts={})
    with journal(path) as book:
        assert book.rows == []
