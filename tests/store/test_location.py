"""Where the ledger is kept."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.errors import LedgerDamaged
from dpcore.store import backup, location, restore
from dpcore.store.location import APPLICATION, VERSION, default_path, state_directory

# Written by the version before: two budgets, a charge, a release, a void one, a reserve.
WRITTEN = Path(__file__).with_name("layout_1.sql")

HEAD = "c3cc7252f3ab8531cd5130a19fef4c2d192aa51b2e65f9ce1cf97d5b34b3cf7f"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # All tests have the same ledger, and none has seen what became of it in another.
    monkeypatch.setenv("DPCORE_STATE", str(tmp_path / "state"))
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.executescript(WRITTEN.read_text())
        connection.execute("PRAGMA user_version = 1")
    return path


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_reading_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    store = LedgerStore(old)
    assert store.verify(HEAD).holds
    assert (store.remaining("ward"), store.remaining("clinic")) == (Loss("0.4"), Loss("1/3"))
    assert store.stored("ward", "r2") == '{"result":1}'
    assert (store.state("ward", "r3"), store.account("clinic").available) == ("void", Loss("7/30"))
    assert old.read_bytes() == before


def test_the_first_charge_migrates_and_seals_the_key(old: Path) -> None:
    store = LedgerStore(old)
    rows = store.entries()
    store.spend("ward", "r4", "curve", Loss("0.4"))
    assert version(old) == VERSION
    assert store.entries()[:-1] == rows
    assert "ledger" in store.entries()[-1].content
    assert store.verify(HEAD).holds
    assert store.remaining("ward") == Loss(0)
    store.spend("clinic", "r5", "curve", Loss("0.1"))
    assert "ledger" not in store.entries()[-1].content
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("DROP TRIGGER secret_stays")
        connection.execute("UPDATE secret SET key = zeroblob(32)")
        connection.commit()
    with pytest.raises(LedgerDamaged, match="its key is not the one"):
        LedgerStore(old).open_budget("ward", Loss(1))


def test_a_refused_charge_migrates_nothing(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("DROP TRIGGER entries_remain")
        connection.execute("DELETE FROM entries WHERE number = 8")
        connection.commit()
    with pytest.raises(LedgerDamaged, match="row 8 and all after it"):
        LedgerStore(old).spend("ward", "r4", "curve", Loss("0.1"))
    assert version(old) == 1


def test_a_release_from_an_old_ledger(old: Path) -> None:
    store = LedgerStore(old)
    with store.drawing("ward"):
        store.begin("ward", "r3", store.account("ward").charges[-1:], again=True)
        store.finish("ward", "r3", '{"result":3}')
    assert store.stored("ward", "r3") == '{"result":3}'
    assert store.verify(HEAD).holds


def test_a_copy_of_an_old_ledger_restores_a_migrated_one(old: Path, tmp_path: Path) -> None:
    store, copy = LedgerStore(old), tmp_path / "copy.sqlite"
    assert backup(old, copy) == 8
    assert version(copy) == 1
    store.spend("ward", "r4", "curve", Loss("0.1"))
    done = restore(copy, old)
    assert (done.rows, done.carried, version(old)) == (9, 1, VERSION)
    assert store.remaining("ward") == Loss("0.3")
    shutil.copyfile(copy, old)
    with pytest.raises(LedgerDamaged, match="an older copy"):
        LedgerStore(old).spend("ward", "r5", "curve", Loss("0.1"))


@pytest.fixture
def store(store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LedgerStore:
    """A ledger of four rows, whose copy was made after the second."""
    # Its notes are its own: in the folder of all tests, others write and remove meanwhile.
    monkeypatch.setenv("DPCORE_STATE", str(tmp_path / "state"))
    store.open_budget("d", Loss(1))
    store.spend("d", "r1", "first", Loss("0.1"))
    backup(store.path, tmp_path / "copy.sqlite")
    for request in ("r2", "r3"):
        store.spend("d", request, "later", Loss("0.1"))
    return store


def test_an_older_copy_put_in_place_by_hand_is_noticed(store: LedgerStore, tmp_path: Path) -> None:
    shutil.copyfile(tmp_path / "copy.sqlite", store.path)
    for use in (store.entries, lambda: store.spend("d", "r9", "x", Loss("0.1"))):
        with pytest.raises(LedgerDamaged, match="it has 2 rows, and this machine has seen 4"):
            use()
    assert "older copy" in store.verify().problem


def test_two_copies_that_went_apart_are_noticed(store: LedgerStore, tmp_path: Path) -> None:
    """The other goes on from row 2 by itself, as on another machine, and then comes here."""
    other = LedgerStore(tmp_path / "copy.sqlite")
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("DPCORE_STATE", str(tmp_path / "elsewhere"))
        for number in range(3):
            other.spend("d", f"o{number}", "elsewhere", Loss("0.1"))
    with pytest.raises(LedgerDamaged, match="row 4 is not the one that this machine has seen"):
        other.entries()


@pytest.mark.few(2)
@pytest.mark.parametrize("content", [b"", b"[]", b'[{"head":"","rows":9},"00"]', b"\xff"])
def test_a_damaged_note_is_no_note(store: LedgerStore, content: bytes) -> None:
    (place,) = location.state_directory().joinpath("ledgers").iterdir()
    place.write_bytes(content)
    assert store.verify().holds
    store.spend("d", "r5", "x", Loss("0.1"))
    (place,) = location.state_directory().joinpath("ledgers").iterdir()
    assert store.verify().head in place.read_text()


def test_an_older_note_that_comes_later_is_not_the_newest(store: LedgerStore) -> None:
    """Two processes note what each has seen, and the one that has seen less comes last."""
    rows, identity = store.entries(), next(location.state_directory().rglob("*.json")).name[:32]
    whole, late = location._notes(identity), {}
    with pytest.MonkeyPatch.context() as meanwhile:
        # It looked before the other one wrote.
        meanwhile.setattr(location, "_notes", lambda _: late)
        assert location.note(identity, rows[:3])
    assert len(location._notes(identity)) == 1 + len(whole)
    assert location.seen(identity) == location.Seen(4, rows[-1].hash)


def test_a_note_of_the_version_before_is_read(store: LedgerStore) -> None:
    (place,) = location.state_directory().joinpath("ledgers").iterdir()
    name = place.name[:32]
    place.rename(place.with_name(f"{name}.json"))
    assert location.seen(name) == location.Seen(4, store.entries()[-1].hash)
    store.spend("d", "r5", "x", Loss("0.1"))
    assert [one.name for one in place.parent.iterdir()] == [f"{name}-5.json"]


def test_a_note_that_cannot_be_kept_stops_nothing(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DPCORE_STATE", str(tmp_path / "file" / "below"))
    store.spend("d", "r5", "x", Loss("0.1"))
    assert store.verify().holds


def test_the_environment_decides_first() -> None:
    both = {"DPCORE_LEDGER": "here.sqlite", "XDG_DATA_HOME": "there"}
    assert default_path(both) == Path("here.sqlite")


def test_the_data_directory_comes_next() -> None:
    assert default_path({"XDG_DATA_HOME": "there"}) == Path("there/dpcore/ledger.sqlite")
    assert default_path({}).name == "ledger.sqlite"
    assert default_path({}).is_relative_to(Path.home())


def test_a_store_without_a_path_is_kept_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPCORE_LEDGER", str(tmp_path / "mine.sqlite"))
    assert LedgerStore().path == tmp_path / "mine.sqlite"


@pytest.mark.parametrize(
    ("system", "state"),
    [
        ("linux", ".local/state/dpcore"),
        ("darwin", "Library/Application Support/dpcore/state"),
        ("win32", ".local/share/dpcore/state"),
    ],
)
def test_every_system_has_a_folder_for_the_state(
    monkeypatch: pytest.MonkeyPatch, system: str, state: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert state_directory({"XDG_STATE_HOME": "local"}) == Path("local/dpcore")
    assert state_directory({}) == Path.home() / state
    assert state_directory({"LOCALAPPDATA": "data"}).parts[0] == (
        "data" if system != "linux" else "/"
    )
