"""One draw at a time for each data set."""

import threading
from pathlib import Path

import pytest

from dpcore.errors import MissingResource
from dpcore.store.lease import lease


def test_the_second_waits_and_then_gives_up(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    with lease(ledger, "a", timeout=1):
        with (
            pytest.raises(MissingResource, match="still being drawn"),
            lease(ledger, "a", timeout=0.05),
        ):
            pass
        with lease(ledger, "b", timeout=0.05):
            pass
    with lease(ledger, "a", timeout=0.05):
        pass


def test_threads_take_turns(tmp_path: Path) -> None:
    inside, most = [], []

    def draw() -> None:
        with lease(tmp_path / "ledger.sqlite", "a", timeout=30):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8
