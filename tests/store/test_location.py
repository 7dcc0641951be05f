"""Where the ledger is kept."""

from pathlib import Path

import pytest

from dpcore import LedgerStore
from dpcore.store.location import default_path


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
