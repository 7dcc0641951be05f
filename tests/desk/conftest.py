"""The budgets that releases are charged to."""

from __future__ import annotations

import pytest

from dpcore.privacy import Loss
from dpcore.store import LedgerStore


@pytest.fixture
def budget() -> Loss:
    return Loss(2)


@pytest.fixture
def store(store: LedgerStore, budget: Loss) -> LedgerStore:
    """A ledger with a budget for each of the two data sets of `tests.desk._made`."""
    for digest in ("table", "predictions"):
        store.open_budget(digest, budget)
    return store
