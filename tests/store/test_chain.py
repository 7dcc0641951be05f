"""The chain: what was written stays, or `verify` names the first row that did not."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.errors import LedgerDamaged
from dpcore.privacy import Charge
from dpcore.store import journal
from dpcore.store.chain import canonical, keep


@pytest.fixture
def store(store: LedgerStore) -> LedgerStore:
    """A budget, four charges and a release: rows 1 to 6."""
    store.open_budget("d", Loss(1))
    for number in range(3):
        store.spend("d", f"r{number}", "curve", Loss("0.1"))
    with store.drawing("d"):
        store.begin("d", "r3", [Charge("curve", "laplace", Loss("0.2"))])
        store.finish("d", "r3", '{"result":1}')
    return store


class Clock(datetime):
    """An hour passes between any two looks."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        cls.looks += 1
        return datetime(2026, 1, 31, tzinfo=tz) + timedelta(hours=cls.looks)


def test_no_row_tells_how_long_a_release_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows keep seconds, but a release has those of its charge; and the chain holds."""
    monkeypatch.setattr(journal, "datetime", Clock)
    store = LedgerStore(tmp_path / "ledger.sqlite")
    store.open_budget("d", Loss(1))
    with store.drawing("d"):
        store.begin("d", "r", [Charge("curve", "laplace", Loss("0.2"))])
        store.finish("d", "r", '{"result":1}')
    budget, charge, release = store.entries()
    assert budget.moment < charge.moment == release.moment
    assert len(charge.moment) == len("2026-01-31T00:00:00+00:00")
    assert store.verify(release.hash).holds
    assert release.as_published()["moment"] == "2026-01-31"
    assert release.as_published() | {"moment": release.moment} == release.as_json()


@pytest.mark.parametrize("by", ["the run itself", "whoever draws next"])
def test_no_row_tells_how_long_a_run_took_that_failed(
    by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have failed because of its records; the hash of a published row tells its second."""
    monkeypatch.setattr(journal, "datetime", Clock)
    store = LedgerStore(tmp_path / "ledger.sqlite")
    store.open_budget("d", Loss(1))
    with store.drawing("d"):
        store.begin("d", "r", [Charge("curve", "laplace", Loss("0.2"))])
        if by == "the run itself":
            store.void("d", "r", "it failed")
    with store.drawing("d"):
        store.begin("d", "r", [Charge("curve", "laplace", Loss("0.3"))], again=True)
    _, charge, void, again = store.entries()
    assert (charge.kind, void.kind, again.kind) == ("charge", "void", "charge")
    assert void.moment == charge.moment < again.moment
    assert store.verify().holds


def alter(store: LedgerStore, *statements: str) -> None:
    """Write past the triggers, as somebody with the file and a database tool can."""
    with closing(sqlite3.connect(store.path)) as connection:
        for name in ("entries_stay", "entries_remain", "entries_in_order", "documents_stay"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DROP TRIGGER documents_remain")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_an_untouched_ledger_holds(store: LedgerStore) -> None:
    found = store.verify()
    assert (found.holds, found.rows, found.problem) == (True, 6, "")
    assert store.verify(found.head).holds


def test_every_field_of_every_row_is_sealed(
    store: LedgerStore, record_property: pytest.RecordProperty
) -> None:
    columns = ("moment", "kind", "data", "request", "facts", "previous", "hash")
    original = store.path.read_bytes()
    for row in range(1, 7):
        for column in columns:
            store.path.write_bytes(original)
            value = "'reserve'" if column == "kind" else f"{column} || ' '"
            alter(store, f"UPDATE entries SET {column} = {value} WHERE number = {row}")
            found = store.verify()
            assert not found.holds, (row, column)
            assert found.bad_row == row, (row, column)
    record_property("counted", f"tampered rows: {6 * len(columns)} changes, all reported")


@pytest.mark.parametrize("row", range(1, 7))
def test_a_removed_row_is_named(store: LedgerStore, row: int) -> None:
    alter(store, f"DELETE FROM entries WHERE number = {row}")
    found = store.verify()
    assert found.bad_row == row
    assert "removed" in found.problem


def test_a_changed_or_removed_result_is_named(store: LedgerStore) -> None:
    original = store.path.read_bytes()
    alter(store, """UPDATE documents SET document = '{"result":2}'""")
    assert (store.verify().bad_row, "changed" in store.verify().problem) == (6, True)
    with pytest.raises(LedgerDamaged):
        store.stored("d", "r3")
    store.path.write_bytes(original)
    alter(store, "DELETE FROM documents")
    assert (store.verify().bad_row, "removed" in store.verify().problem) == (6, True)


def test_a_ledger_that_is_written_anew_is_found_by_its_noted_head(
    store: LedgerStore, tmp_path: Path
) -> None:
    forged = LedgerStore(tmp_path / "forged.sqlite")
    forged.open_budget("d", Loss(9))
    assert forged.verify().holds
    assert not forged.verify(store.verify().head).holds


def test_nothing_is_added_behind_a_changed_row(store: LedgerStore) -> None:
    alter(store, "UPDATE entries SET facts = '{}' WHERE number = 6")
    with pytest.raises(LedgerDamaged, match=r"row 6 \(release\) was changed"):
        store.open_budget("e", Loss(1))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET facts = '{}' WHERE number = 2",
        "DELETE FROM entries WHERE number = 6",
        "REPLACE INTO entries SELECT * FROM entries WHERE number = 2",
        "UPDATE documents SET document = ''",
        "DELETE FROM documents",
        "UPDATE secret SET key = x'00'",
        "DELETE FROM secret",
    ],
)
def test_the_file_itself_refuses_changes(store: LedgerStore, statement: str) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)
        connection.rollback()
    assert store.verify().holds


def test_anybody_can_recompute_the_exported_hashes(store: LedgerStore) -> None:
    document = json.loads(store.export())
    previous = document["entries"][0]["previous"]
    for row in document["entries"]:
        assert row["previous"] == previous
        *sealed, previous = row.values()
        assert hashlib.sha256(canonical(sealed).encode()).hexdigest() == previous
    assert document["head"] == previous


def test_fractions_are_stored_exactly_as_text(store: LedgerStore) -> None:
    store.open_budget("thirds", Loss("1/3"))
    assert '"epsilon":"1/3"' in store.entries("thirds")[0].facts
    assert store.remaining("thirds") == Loss("1/3")


def test_a_field_of_another_type_is_a_change(store: LedgerStore) -> None:
    alter(store, "UPDATE entries SET facts = CAST(facts AS BLOB) WHERE number = 3")
    assert store.verify().problem == "row 3 was changed after it was written"


def test_a_result_that_is_not_found_again_is_not_vouched_for(store: LedgerStore) -> None:
    lost = "DELETE FROM documents WHERE sha256 = NEW.sha256"
    alter(store, f"CREATE TRIGGER lost AFTER INSERT ON documents BEGIN {lost}; END")
    with (
        closing(sqlite3.connect(store.path)) as connection,
        pytest.raises(LedgerDamaged, match="was stored and is not found again"),
    ):
        keep(connection, "{}")
