"""Folders that cannot be written, and disks that are full: what was written can still be read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.cli import main
from dpcore.errors import MissingResource
from dpcore.store import connection

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that another user may look into, with a ledger of two rows."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    store = LedgerStore(made / "ledger.sqlite")
    store.open_budget("d", Loss(1))
    store.spend("d", "r", "curve", Loss("0.1"))
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def leave_a_log(path: Path) -> None:
    """As if the process had died before SQLite moved a third row into the file."""
    copy = path.with_name("copy")
    with closing(sqlite3.connect(path)) as reader:
        # A reader keeps SQLite from tidying up.
        reader.execute("SELECT COUNT(*) FROM entries").fetchone()
        LedgerStore(path).spend("d", "s", "curve", Loss("0.2"))
        shutil.copyfile(path, copy)
        shutil.copyfile(path.with_name("ledger.sqlite-wal"), copy.with_name("log"))
    copy.replace(path)
    copy.with_name("log").replace(path.with_name("ledger.sqlite-wal"))
    path.with_name("ledger.sqlite-shm").unlink(missing_ok=True)


def looked_at(path: Path) -> tuple[bool, int]:
    """Verified by somebody who may write nothing: another user where this one may write all."""
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)
    if os.geteuid() != 0:
        found = LedgerStore(path, make=False).verify()
        return found.holds, found.rows
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.setuid(NOBODY)
        os.environ["DPCORE_STATE"] = "/nonexistent"
        try:
            found = LedgerStore(path, make=False).verify()
            os.write(write, f"{found.holds} {found.rows}".encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with os.fdopen(read) as answer:
        holds, rows = answer.read().split()
    return holds == "True", int(rows)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
@pytest.mark.parametrize("log", [False, True])
def test_a_folder_that_cannot_be_written_is_verified(folder: Path, log: bool) -> None:
    path = folder / "ledger.sqlite"
    if log:
        leave_a_log(path)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert looked_at(path) == (True, 3 if log else 2)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_what_only_the_log_has_is_read(folder: Path) -> None:
    leave_a_log(folder / "ledger.sqlite")
    assert LedgerStore(folder / "ledger.sqlite").remaining("d") == Loss("0.7")


def test_a_write_where_nothing_can_be_written_is_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LedgerStore(folder / "ledger.sqlite")
    connect = sqlite3.connect

    def short(*args: object, **options: object) -> sqlite3.Connection:
        connection = connect(*args, **options)  # type: ignore[call-overload]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", short)
    with pytest.raises(MissingResource, match=r"full.*has room"):
        store.spend("d", "large", "x" * 20_000, Loss("0.1"))
    assert store.verify().holds
    assert store.remaining("d") == Loss("0.9")


def test_verify_on_the_command_line_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "ledger.sqlite"
    before = path.read_bytes()
    assert main(["ledger", "verify", "--store", str(path)]) == 0
    assert "2 rows are in order" in capsys.readouterr().out
    assert path.read_bytes() == before
    assert [file.name for file in folder.iterdir()] == ["ledger.sqlite"]


def refuse_to_begin(
    monkeypatch: pytest.MonkeyPatch, path: Path, times: int, code: int = sqlite3.SQLITE_READONLY
) -> None:
    """Let SQLite say so of the first transactions on this file, as on a medium that is sealed."""
    begin, left = connection._begin, [None] * times

    def refused(opened: sqlite3.Connection, at: Path, statement: str) -> None:
        if at == path and left:
            left.pop()
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorcode = code
            raise error
        begin(opened, at, statement)

    monkeypatch.setattr(connection, "_begin", refused)


def numbers(path: Path) -> list[int]:
    with connection.transaction(path, write=False) as opened:
        return [number for (number,) in opened.execute("SELECT number FROM entries ORDER BY 1")]


@pytest.mark.parametrize(("log", "times"), [(False, 1), (True, 2)])
def test_what_cannot_be_written_is_read_as_it_is_or_from_a_copy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, log: bool, times: int
) -> None:
    path = folder / "ledger.sqlite"
    if log:
        leave_a_log(path)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    refuse_to_begin(monkeypatch, path, times)
    assert numbers(path) == ([1, 2, 3] if log else [1, 2])
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_the_log_is_read_without_a_list_of_readers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "ledger.sqlite"
    leave_a_log(path)
    refuse_to_begin(monkeypatch, path, 1)
    with connection.transaction(path, write=False) as opened:
        assert opened.execute("SELECT COUNT(*) FROM entries").fetchone() == (3,)
        assert not path.with_name("ledger.sqlite-shm").exists()


def test_a_log_that_cannot_be_copied_is_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "ledger.sqlite"
    leave_a_log(path)
    refuse_to_begin(monkeypatch, path, 2)

    def full(source: Path, copy: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(MissingResource, match=r"nor copied.*ledger\.sqlite-wal to a folder"):
        numbers(path)


def test_a_file_that_is_written_while_it_is_read_as_it_is_does_not_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "ledger.sqlite"
    refuse_to_begin(monkeypatch, path, 1)
    with (
        pytest.raises(MissingResource, match=r"was written while it was read.*ask once more"),
        connection.transaction(path, write=False),
    ):
        path.write_bytes(path.read_bytes() + b"\0")


def test_a_busy_ledger_is_not_read_past_its_locks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "ledger.sqlite"
    refuse_to_begin(monkeypatch, path, 1, sqlite3.SQLITE_BUSY)
    with pytest.raises(MissingResource, match="cannot be used"):
        numbers(path)
