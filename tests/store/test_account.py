"""The account: what is left, and how much of a plan fits."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from fractions import Fraction

import pytest

from dpcore import Charge, Ledger, LedgerStore, Loss, Part
from dpcore.errors import BudgetExceeded
from dpcore.privacy import Neighbors
from dpcore.store import Account
from dpcore.store.account import (
    STATES,
    charge_of,
    earlier,
    facts_of,
    identified,
    is_link,
    loss_facts,
    of_kind,
    resolved,
    state_of,
    void_reason,
)
from dpcore.store.chain import Entry, canonical
from dpcore.store.journal import journal

TEST_OF_CHARGE_FACTS = Part("split", "test", fixed_under_replacement=True)


def test_nothing_of_a_charge_is_lost() -> None:
    nested = Part("class", "1", within=TEST_OF_CHARGE_FACTS)
    for charge in (
        Charge("a", "b", Loss("1/3", "1/1000000007")),
        Charge("a", "b", Loss("0." + "1" * 900)),
        Charge("a", "b", Loss(1), TEST_OF_CHARGE_FACTS),
        Charge("a", "b", Loss(1), nested),
    ):
        assert charge_of(facts_of(charge, awaited=True)) == charge


def test_the_identity_keeps_what_replacement_may_rely_on() -> None:
    charges = [
        Charge("x", "", Loss(1), identified(Part("split", name, None, True), "seed 3"))
        for name in ("train", "test")
    ]
    assert Ledger(neighbors=Neighbors.REPLACE).total(charges) == Loss(1)


def test_divisions_of_one_name_are_told_apart() -> None:
    one, other = (identified(TEST_OF_CHARGE_FACTS, name) for name in ("a", "b"))
    assert one is not None
    assert other is not None
    assert one.partition != other.partition
    assert identified(None, "a") is None


OLD, NEW, OTHER = "lines", "cells", "other cells"


@pytest.fixture
def store(store: LedgerStore) -> LedgerStore:
    """A ledger in which an earlier version has opened a budget."""
    facts = {**loss_facts(Loss(1)), "neighbors": Neighbors.ADD_REMOVE.value, "title": "Ward 7"}
    with journal(store.path, write=True) as book:
        book.append(kind="budget", data=book.name_of(OLD), request="", facts=facts)
    store.spend(OLD, "early", "curve", Loss("0.9"))
    return store


def test_brackets_in_a_name_are_none_of_its_division(store: LedgerStore) -> None:
    """Of a budget of 1 two divisions got 1 each: both were called "split (a) (b)"."""
    store.open_budget("d", Loss(1), Neighbors.ADD_REMOVE)
    store.spend("d", "r1", "curve", Loss(1), part=Part("split (a)", "train"), division="b")
    with pytest.raises(BudgetExceeded):
        store.spend("d", "r2", "curve", Loss(1), part=Part("split", "test"), division="a) (b")
    # Of the same division they compose by maximum, as ever.
    store.spend("d", "r3", "curve", Loss(1), part=Part("split (a)", "test"), division="b")
    assert store.remaining("d") == Loss(0)


def test_data_that_are_recognised_keep_their_account(store: LedgerStore) -> None:
    assert store.earlier_budgets() == ["Ward 7"]
    store.recognise(NEW, OLD)
    assert store.earlier_budgets() == []
    assert store.name_of(NEW) == store.name_of(OLD)
    assert store.remaining(NEW) == Loss("0.1")
    with pytest.raises(BudgetExceeded):
        store.spend(NEW, "late", "curve", Loss("0.2"))
    store.spend(NEW, "late", "curve", Loss("0.1"))
    assert [str(one.remaining) for one in store.accounts().values()] == ["epsilon 0"]
    assert store.verify().holds


def test_a_recognised_data_set_gets_no_second_budget(store: LedgerStore) -> None:
    store.recognise(NEW, OLD)
    before = len(store.entries())
    store.recognise(NEW, OLD)
    store.open_budget(NEW, Loss(1), title="Ward 7")
    with closing(sqlite3.connect(store.path)) as connection, pytest.raises(sqlite3.Error):
        connection.execute(
            "INSERT INTO entries SELECT number + 9, moment, kind, data, request, facts, previous, "
            "'x' FROM entries WHERE kind = 'budget'"
        )
    assert len(store.entries()) == before


def test_nothing_is_linked_without_an_earlier_budget_or_over_a_new_one(store: LedgerStore) -> None:
    store.recognise(OTHER, "never seen")
    store.open_budget(OTHER, Loss(2), title="Ward 8")
    store.recognise(OTHER, OLD)
    assert store.remaining(OTHER) == Loss(2)
    assert store.earlier_budgets() == ["Ward 7"]


def test_the_rows_themselves(store: LedgerStore) -> None:
    store.recognise(NEW, OLD)
    rows = store.entries()
    assert [is_link(row) for row in rows] == [False, False, True]
    assert resolved(rows[2:], "own") == rows[0].data
    assert resolved(rows, "own") == resolved([], "own") == "own"
    assert [row.number for row in earlier(rows[:2])] == [1]


def entry(kind: str, request: str = "r", **facts: object) -> Entry:
    return Entry(
        number=1,
        moment="",
        kind=kind,
        data="d",
        request=request,
        facts=canonical(facts),
        previous="",
        hash="",
    )


CHARGE, VOID = entry("charge", awaited=True), entry("void", reason="power cut")


def test_every_state_follows_from_the_rows() -> None:
    expected = {
        (): "new",
        (CHARGE,): "charged",
        (CHARGE, VOID): "void",
        (CHARGE, VOID, CHARGE): "charged",
        (CHARGE, VOID, CHARGE, entry("release", sha256="")): "released",
        (entry("charge", awaited=False),): "released",
        (entry("charge", request="other", awaited=True),): "new",
    }
    assert {rows: state_of(rows, "r") for rows in expected} == expected
    assert set(expected.values()) == set(STATES)


def test_void_attempts_are_counted_with_their_reason() -> None:
    assert of_kind((CHARGE, VOID, CHARGE), "r", "void") == [VOID]
    assert void_reason((CHARGE, VOID), "r") == "power cut"


TRAIN, TEST = (Part("split a", name, fixed_under_replacement=True) for name in ("train", "test"))


def test_a_part_that_spent_less_affords_more() -> None:
    spent = (Charge("model", "", Loss("0.8"), TRAIN), Charge("curve", "", Loss("0.3"), TEST))
    account = Account(budget=Loss(1), charges=spent)
    assert account.available == Loss("0.2")
    assert account.largest([Charge("more", "", Loss(5), TEST)]) == Fraction(7, 10)
    assert account.largest([Charge("more", "", Loss(5), TRAIN)]) == Fraction(1, 5)
    account.require([Charge("more", "", Loss("0.7"), TEST)])


def test_the_largest_fits_and_a_step_more_does_not() -> None:
    account = Account(budget=Loss("1/3"))
    planned = [Charge("a", "", Loss(2), TRAIN), Charge("b", "", Loss(1), TEST)]
    largest = account.largest(planned)
    assert largest == Fraction(333333, 1000000)
    for step, fits in ((0, True), (1, False)):
        scale = (largest + Fraction(step, 1000000)) / 2
        scaled = [Charge(c.label, "", c.loss * scale, c.part) for c in planned]
        assert account.total(scaled).within(account.limit) is fits


def test_delta_counts_too() -> None:
    account = Account(budget=Loss(1, "1e-6"))
    with pytest.raises(BudgetExceeded, match="no smaller epsilon fits"):
        account.require([Charge("a", "", Loss("0.1", "1e-5"))])
    assert account.largest([Charge("a", "", Loss(3, "1e-7"))]) == 1


def test_a_plan_is_affordable_together_or_not_at_all() -> None:
    account = Account(budget=Loss(1), reserve=Loss("0.5"))
    with pytest.raises(BudgetExceeded) as refused:
        account.require([Charge("a", "", Loss("0.3")), Charge("b", "", Loss("0.3"))])
    assert refused.value.requested == Loss("0.6")
    assert refused.value.remaining == Loss("0.5")
