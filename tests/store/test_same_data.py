"""Budgets of an earlier kind of digest go on, and are asked for while their data are unknown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.errors import BudgetExceeded
from dpcore.privacy import Neighbors
from dpcore.store.charge_facts import loss_facts
from dpcore.store.journal import journal
from dpcore.store.same_data import earlier, is_link, resolved

OLD, NEW, OTHER = "lines", "cells", "other cells"


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    """A ledger in which an earlier version has opened a budget."""
    found = LedgerStore(tmp_path / "ledger.sqlite")
    facts = {**loss_facts(Loss(1)), "neighbors": Neighbors.ADD_REMOVE.value, "title": "Ward 7"}
    with journal(found.path, write=True) as book:
        book.append(kind="budget", data=book.name_of(OLD), request="", facts=facts)
    found.spend(OLD, "early", "curve", Loss("0.9"))
    return found


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
