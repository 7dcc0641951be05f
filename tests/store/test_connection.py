"""Opening the file: whole, private, of this layout, and never across a fork."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.errors import LedgerDamaged, MissingResource, PrivacyError
from dpcore.store import connection as opening
from dpcore.store.connection import create, durable, transaction
from dpcore.store.location import fill
from tests.store._children import environment

FORKED = """
import os, sys
from dpcore import LedgerStore, Loss
from dpcore.errors import PrivacyError
from dpcore.store.connection import transaction

store = LedgerStore(sys.argv[1])
store.open_budget("d", Loss(1))

def forked(work):
    child = os.fork()
    if child == 0:
        try:
            work()
        except PrivacyError:
            os._exit(7)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

print(forked(lambda: store.spend("d", "child", "x", Loss("0.4"))))
with transaction(store.path):
    print(forked(lambda: store.spend("d", "inside", "x", Loss("0.4"))))
store.spend("d", "parent", "x", Loss("0.6"))
print(len(store.account("d").charges), store.remaining("d"), store.verify().holds)
"""


def test_a_fork_between_transactions_is_safe_and_one_inside_is_refused(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", FORKED, str(tmp_path / "ledger.sqlite")],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.split("\n")[:3] == ["0", "7", "2 epsilon 0 True"]


def test_only_its_owner_can_read_the_file(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "folder" / "ledger.sqlite")
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_settings_that_survive_a_power_cut(store: LedgerStore) -> None:
    with transaction(store.path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_a_failure_inside_a_transaction_leaves_nothing(store: LedgerStore) -> None:
    store.open_budget("d", Loss(1))
    before = store.entries()
    with pytest.raises(RuntimeError):
        _write_and_fail(store.path)
    assert store.entries() == before


def _write_and_fail(path: Path) -> None:
    with transaction(path) as connection:
        row = (2, "", "reserve", "d", "", "{}", "", "")
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        raise RuntimeError("power cut")


def test_making_a_ledger_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    create(path)
    content = path.read_bytes()
    create(path)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.sqlite"]


def test_another_layout_is_refused_in_one_sentence(store: LedgerStore) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    with pytest.raises(MissingResource, match="layout 3, and this program knows 2 only"):
        store.open_budget("d", Loss(1))


def test_other_files_are_no_ledgers(tmp_path: Path) -> None:
    other, text = tmp_path / "other.sqlite", tmp_path / "notes.txt"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE t (x)")
    text.write_text("no database, but long enough to look like a file of some kind " * 20)
    for path in (other, text):
        with pytest.raises(LedgerDamaged):
            LedgerStore(path).open_budget("d", Loss(1))


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingResource, match="cannot be made"):
        LedgerStore(tmp_path / "file" / "ledger.sqlite")


def test_a_full_disk_leaves_nothing_of_a_ledger_that_could_not_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(connection: sqlite3.Connection) -> None:
        fill(connection)
        Path(f"{connection.execute('PRAGMA database_list').fetchone()[2]}-journal").touch()
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("CREATE TABLE more (content)")

    monkeypatch.setattr(opening, "fill", full)
    with pytest.raises(MissingResource, match="cannot be made: database or disk is full"):
        LedgerStore(tmp_path / "ledger.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_connection_of_the_process_before_a_fork_is_refused(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_OPEN", [(0, 0)])
    with pytest.raises(PrivacyError, match="forked while the ledger was in use"):
        store.entries()
    assert opening._OPEN == [(0, 0)]


def test_no_ledger_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with (
        pytest.raises(MissingResource, match=r"no ledger ledger\.sqlite.*open a budget"),
        transaction(path),
    ):
        pytest.fail("the transaction must not begin")
    assert not path.exists()


def test_a_text_that_is_no_text_is_damage_and_is_not_quoted(store: LedgerStore) -> None:
    with (
        pytest.raises(LedgerDamaged, match="a text in it is no text") as raised,
        transaction(store.path),
    ):
        b"secret \xff".decode()
    assert "secret" not in str(raised.value)


def test_a_ledger_that_is_replaced_while_a_write_waits_is_not_written(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = opening._begin

    def replaced(connection: sqlite3.Connection, path: Path, statement: str) -> None:
        begin(connection, path, statement)
        shutil.copyfile(path, tmp_path / "other")
        (tmp_path / "other").replace(path)

    monkeypatch.setattr(opening, "_begin", replaced)
    with (
        pytest.raises(MissingResource, match=r"was replaced meanwhile.*ask once more"),
        transaction(store.path),
    ):
        pytest.fail("the transaction must not begin")


def test_two_names_of_one_file_are_no_two_budgets(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would have a log of its own, in which the other's charges are not."""
    monkeypatch.setattr(opening, "NAME_LOOKS", 3)
    store.open_budget("d", Loss(1))
    os.link(store.path, tmp_path / "other.sqlite")
    other = LedgerStore(tmp_path / "other.sqlite")
    for one in (store, other):
        with pytest.raises(MissingResource, match="second name"):
            one.spend("d", "r", "curve", Loss(1))
    other.path.unlink()
    assert store.spend("d", "r", "curve", Loss(1))


MOUNTED = """
mount --bind {0}/here/ledger.sqlite {0}/there/ledger.sqlite || exit 77
{1} -c 'import sys; from dpcore import *; LedgerStore(sys.argv[1]).spend("d", "r", "x", Loss(1))' \\
    {0}/there/ledger.sqlite
"""


@pytest.mark.parametrize("folder", ["plain", "two words \\ here"])
def test_a_ledger_that_was_mounted_without_its_folder_takes_no_charge(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log would lie beside the mount, where whoever uses the other name does not look."""
    store = LedgerStore(tmp_path / folder / "ledger.sqlite")
    store.open_budget("d", Loss(1))
    mounts, written = tmp_path / "mountinfo", str(store.path.resolve())
    monkeypatch.setattr(opening, "_MOUNTS", mounts)
    around = [f"63 43 254:0 / {name} rw - ext4 /dev/x rw" for name in ("/", store.path.parent)]
    for name in ("\\", " "):
        written = written.replace(name, f"\\{ord(name):03o}")
    mounts.write_text("\n".join([*around, f"64 43 254:0 /l {written} rw - ext4 /dev/x rw", ""]))
    with pytest.raises(MissingResource, match="mount the folder"):
        store.spend("d", "r", "curve", Loss(1))
    mounts.write_text("\n".join(around))
    assert store.spend("d", "r", "curve", Loss(1))


def test_a_real_mount_is_seen(tmp_path: Path) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    LedgerStore(tmp_path / "here/ledger.sqlite").open_budget("d", Loss(1))
    (tmp_path / "there/ledger.sqlite").touch()
    script = MOUNTED.format(tmp_path, sys.executable)
    tried = ["unshare", "--mount", "--map-root-user", "sh", "-c", script]
    if shutil.which("unshare") is None:
        pytest.skip("this system has no namespaces")
    done = subprocess.run(tried, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip("this process may not mount")
    assert "was mounted without its folder" in done.stderr


def test_the_name_of_a_draft_is_waited_for(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = tmp_path / "draft"
    os.link(store.path, draft)
    monkeypatch.setattr(time, "sleep", lambda _: draft.unlink())
    store.open_budget("d", Loss(1))


def test_a_folder_is_left_alone_where_it_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    durable(tmp_path)
    assert len(synced) == 1
    monkeypatch.delattr(os, "O_DIRECTORY")
    durable(tmp_path)
    assert len(synced) == 1
