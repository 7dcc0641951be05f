"""Where the ledger is kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.errors import LedgerDamaged
from dpcore.store import backup, location
from dpcore.store.location import default_path


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    """A ledger of four rows, whose copy was made after the second."""
    made = LedgerStore(tmp_path / "ledger.sqlite")
    made.open_budget("d", Loss(1))
    made.spend("d", "r1", "first", Loss("0.1"))
    backup(made.path, tmp_path / "copy.sqlite")
    for request in ("r2", "r3"):
        made.spend("d", request, "later", Loss("0.1"))
    return made


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
    (place,) = [
        path
        for path in location.state_directory().joinpath("ledgers").iterdir()
        if store.verify().head in path.read_text()
    ]
    place.write_bytes(content)
    assert store.verify().holds
    store.spend("d", "r5", "x", Loss("0.1"))
    assert store.verify().head in place.read_text()


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
