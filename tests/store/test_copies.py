"""Backups and the way back: no charge is lost unless it is named and agreed to."""

from __future__ import annotations

import re
import sqlite3
import stat
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from dpcore import Charge, LedgerStore, Loss
from dpcore.errors import DpcoreError, InvalidArgument, LedgerDamaged, MissingResource
from dpcore.store import backup, copies, restore
from dpcore.store.connection import transaction


@pytest.fixture
def store(store: LedgerStore, tmp_path: Path) -> LedgerStore:
    """A ledger of four rows, whose copy was made after the second."""
    store.open_budget("d", Loss(1))
    store.spend("d", "r1", "first", Loss("0.1"))
    backup(store.path, tmp_path / "copy.sqlite")
    with store.drawing("d"):
        store.begin("d", "r2", [Charge("second", "laplace", Loss("0.2"))])
        store.finish("d", "r2", '{"result":2}')
    return store


def damage_index(path: Path) -> None:
    """One byte of an index: rows and results are as they were."""
    with closing(sqlite3.connect(path)) as connection:
        page, size = connection.execute(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master "
            "WHERE name = 'one_budget'"
        ).fetchone()
    content = bytearray(path.read_bytes())
    content[page * size - 3] ^= 8
    path.write_bytes(content)


def test_a_backup_is_whole_private_and_written_once(store: LedgerStore, tmp_path: Path) -> None:
    copy = tmp_path / "second.sqlite"
    assert backup(store.path, copy) == 4
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert LedgerStore(copy).stored("d", "r2") == '{"result":2}'
    with pytest.raises(InvalidArgument, match="does not exist yet"):
        backup(store.path, copy)
    leftovers = [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert leftovers == []


def test_a_backup_made_in_the_middle_of_a_release_is_whole(
    store: LedgerStore, tmp_path: Path
) -> None:
    with store.drawing("d"):
        store.begin("d", "r3", [Charge("third", "laplace", Loss("0.2"))])
        assert backup(store.path, tmp_path / "third.sqlite") == 5
        store.finish("d", "r3", "{}")
    assert store.verify().holds


def test_what_the_copy_lacks_is_taken_over_from_the_damaged_file(
    store: LedgerStore, tmp_path: Path
) -> None:
    head = store.verify().head
    damage_index(store.path)
    assert "damaged" in store.verify().problem
    done = restore(tmp_path / "copy.sqlite", store.path)
    assert (done.rows, done.carried, done.lost) == (4, 2, "")
    assert store.verify(head).holds
    assert store.remaining("d") == Loss("0.7")
    assert store.stored("d", "r2") == '{"result":2}'
    assert done.aside is not None
    assert done.aside.is_file()
    with transaction(store.path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_an_older_copy_is_refused_until_the_loss_is_agreed_to(
    store: LedgerStore, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("DROP TRIGGER documents_remain")
        connection.execute("DELETE FROM documents")
        connection.commit()
    before = store.path.read_bytes()
    with pytest.raises(LedgerDamaged, match="it is older: row 4 would be lost.*--lose-charges$"):
        restore(tmp_path / "copy.sqlite", store.path)
    assert store.path.read_bytes()[:16] == before[:16]
    assert "removed" in store.verify().problem
    done = restore(tmp_path / "copy.sqlite", store.path, lose_charges=True)
    assert (done.rows, done.carried) == (3, 1)
    assert store.verify().holds
    # The charge is there although its result is lost, and the release is void.
    assert store.remaining("d") == Loss("0.7")
    with store.drawing("d"):
        assert store.state("d", "r2") == "void"


@pytest.mark.parametrize("content", [None, b"", b"no ledger", b"SQLite format 3\0" + 99 * b"?"])
def test_of_two_files_the_one_that_is_no_copy_is_blamed(
    store: LedgerStore, tmp_path: Path, content: bytes | None
) -> None:
    copy = tmp_path / "wrong.sqlite"
    if content is not None:
        copy.write_bytes(content)
    with pytest.raises((LedgerDamaged, MissingResource)) as refused:
        restore(copy, store.path)
    assert re.match("(the|there is no) copy .*wrong.sqlite.*; give a", str(refused.value))
    assert "cannot be trusted" not in str(refused.value)
    assert store.verify().holds


def test_a_lost_file_is_noticed_by_what_this_machine_has_seen(
    store: LedgerStore, tmp_path: Path
) -> None:
    store.path.unlink()
    with pytest.raises(LedgerDamaged, match="rows 3 to 4 would be lost, with charges that are not"):
        restore(tmp_path / "copy.sqlite", store.path)
    assert not store.path.exists()
    done = restore(tmp_path / "copy.sqlite", store.path, lose_charges=True)
    assert "rows 3 to 4" in done.lost
    assert store.remaining("d") == Loss("0.9")
    store.spend("d", "r4", "again", Loss("0.9"))


def test_the_charges_that_would_be_lost_are_named(store: LedgerStore, tmp_path: Path) -> None:
    """A result is gone, and a charge stands behind it that cannot follow without it."""
    store.spend("d", "r3", "behind it", Loss("0.4"))
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("DROP TRIGGER documents_remain")
        connection.execute("DELETE FROM documents")
        connection.commit()
    with pytest.raises(LedgerDamaged, match="epsilon 0.4 for 'behind it'"):
        restore(tmp_path / "copy.sqlite", store.path)


def test_two_restored_in_one_moment_are_both_kept(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Stopped:
            return cls(2026, 11, 26, tzinfo=tz)

    monkeypatch.setattr(copies, "datetime", Stopped)
    first, second = (restore(tmp_path / "copy.sqlite", store.path).aside for _ in range(2))
    assert first is not None
    assert second is not None
    assert first != second
    assert first.is_file()
    assert second.is_file()


def test_another_ledger_is_never_replaced(store: LedgerStore, tmp_path: Path) -> None:
    other = LedgerStore(tmp_path / "other.sqlite")
    other.open_budget("e", Loss(2))
    with pytest.raises(InvalidArgument, match="not of another one"):
        restore(tmp_path / "copy.sqlite", other.path, lose_charges=True)
    assert other.remaining("e") == Loss(2)


def test_a_damaged_copy_is_not_restored(store: LedgerStore, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    damage_index(copy)
    with pytest.raises(LedgerDamaged, match="copy"):
        restore(copy, store.path, lose_charges=True)
    assert store.verify().rows == 4


def test_a_file_that_is_no_database_is_replaced(store: LedgerStore, tmp_path: Path) -> None:
    backup(store.path, tmp_path / "new.sqlite")
    store.path.write_bytes(b"not a database" * 1000)
    assert restore(tmp_path / "new.sqlite", store.path).rows == 4
    assert store.verify().holds


def test_restoring_while_the_ledger_is_written_loses_nothing(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "PATIENCE", 0.2)
    with transaction(store.path), pytest.raises(DpcoreError, match="in use"):
        restore(tmp_path / "copy.sqlite", store.path)
    assert store.verify().rows == 4


def test_a_copy_that_does_not_hold_when_it_is_read_again_is_not_kept(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = copies._copy

    def badly(path: Path, copy: Path) -> None:
        copied(path, copy)
        damage_index(copy)

    monkeypatch.setattr(copies, "_copy", badly)
    with pytest.raises(LedgerDamaged, match="damaged"):
        backup(store.path, tmp_path / "new.sqlite")
    assert not (tmp_path / "new.sqlite").exists()


def test_a_file_that_appears_meanwhile_is_not_written_over(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied, taken = copies._copy, tmp_path / "new.sqlite"

    def late(path: Path, copy: Path) -> None:
        copied(path, copy)
        taken.write_text("of somebody else")

    monkeypatch.setattr(copies, "_copy", late)
    with pytest.raises(InvalidArgument, match="does not exist yet"):
        backup(store.path, taken)
    assert taken.read_text() == "of somebody else"


def test_a_folder_that_is_not_there_is_one_sentence(store: LedgerStore, tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match=r"cannot be written.*its folder is there"):
        backup(store.path, tmp_path / "none" / "new.sqlite")


def test_rows_that_cannot_be_read_are_named_as_lost(store: LedgerStore, tmp_path: Path) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("DROP TABLE entries")
        connection.commit()
    with pytest.raises(LedgerDamaged, match="rows 3 to 4 would be lost, with charges that are not"):
        restore(tmp_path / "copy.sqlite", store.path)
