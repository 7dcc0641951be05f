"""Stored releases, as a page shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.desk import Released, release, releases
from dpcore.errors import DataError
from tests.desk._made import WHAT, of_predictions, of_table, predictions, table


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    made = LedgerStore(tmp_path / "ledger.sqlite")
    made.open_budget("table", Loss(9))
    made.open_budget("predictions", Loss(9))
    return made


@pytest.mark.parametrize("what", WHAT)
def test_json_goes_both_ways(store: LedgerStore, what: str) -> None:
    found = release(of_table(what), table(), store)
    back = Released.from_json(found.to_json())
    assert back.to_json() == found.to_json()
    assert (back.headline, back.total, back.moment) == (found.headline, found.total, found.day)
    assert back.result is not None
    assert back.charges == found.charges


def test_notices_say_what_a_showing_costs(store: LedgerStore) -> None:
    first = release(of_predictions(), predictions(), store)
    again = release(of_predictions(), predictions(), store)
    assert first.notice == "Released for epsilon 0.5."
    assert again.notice.startswith("Stored on 2")
    assert again.notice.endswith("showing it again costs nothing.")


def test_releases_are_listed_by_data_set(store: LedgerStore) -> None:
    one = release(of_predictions(), predictions(), store)
    other = release(of_table("features"), table(), store)
    assert [found.request_id for found in releases(store)] == [one.request_id, other.request_id]
    assert [found.request_id for found in releases(store, "table")] == [other.request_id]
    assert {row.kind for row in releases(store)[0].entries} == {"charge", "release"}


@pytest.mark.parametrize("text", ["", "{}", '{"format": "dpcore release 9"}', "[1]"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="no release of the desk"):
        Released.from_json(text)
