"""A selection in a process of its own is the one that would have been made here."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dpcore._fork_server import SERVER
from dpcore.curves.holdout import forked_selection
from dpcore.curves.holdout.forked_selection import ForkedSelection
from dpcore.curves.holdout.problem import HoldoutSettings, generated
from dpcore.curves.holdout.selection import Selection
from dpcore.curves.holdout.study import HoldoutStudy, run_holdout

SETTINGS = HoldoutSettings(
    train_rows=60, test_rows=40, fresh_rows=80, variables=70, signal=3, steps=65
)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Even the smallest selection is made apart, on any machine; all turns are there before it."""
    SERVER.start()
    monkeypatch.setattr(forked_selection, "_LARGE", 0)
    monkeypatch.setattr(forked_selection, "_processors", lambda: 2)
    gc.collect()
    assert forked_selection._TURNS._value == 2
    yield
    gc.collect()
    assert forked_selection._TURNS._value == 2


def the_one_apart(study: HoldoutStudy) -> ForkedSelection:
    (one,) = study._apart
    return one


def forked() -> list[int]:
    server = SERVER._process
    assert server is not None
    tasks = Path(f"/proc/{server.pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def until(true: object) -> None:
    patience = time.monotonic() + 20
    while not true() and time.monotonic() < patience:  # type: ignore[operator]
        time.sleep(0.01)
    assert true()  # type: ignore[operator]


def test_a_study_is_the_same_wherever_it_is_made(eager: None) -> None:
    study = HoldoutStudy(SETTINGS, apart=True)
    process = the_one_apart(study)
    until(lambda: len(forked()) == 1)
    study.advance()
    early = study.result.run("larger")
    assert early.steps >= 10
    while not study.done:
        study.advance()
    assert process._here is None
    assert study.share == 1.0
    whole = run_holdout(SETTINGS)
    assert study.result.to_json() == whole.to_json()
    assert early.test.tolist() == whole.run("larger").test[: early.steps + 1].tolist()
    process.advance()
    assert process.done
    until(lambda: not forked())


@pytest.mark.parametrize("after", [0, 1, 3])
def test_what_ends_the_process_ends_no_study(after: int, eager: None) -> None:
    study = HoldoutStudy(SETTINGS, apart=True)
    process = the_one_apart(study)
    for _ in range(after):
        process.advance()
    until(forked)
    for one in forked():
        os.kill(one, signal.SIGKILL)
    until(lambda: not forked())
    while not study.done:
        study.advance()
    assert study.result.to_json() == run_holdout(SETTINGS).to_json()


def test_the_process_ends_with_whoever_asked_and_waits_for_who_does_not(eager: None) -> None:
    slow = replace(SETTINGS, variables=400, steps=400)
    one = forked_selection.begun("larger", slow)
    assert one is not None
    one.advance()
    (process,) = forked()
    # It goes on a little, and no further.
    state = Path(f"/proc/{process}/stat")
    until(lambda: state.read_text().rsplit(")", 1)[1].split()[0] == "S")
    while one._has_news():
        assert len(one.chosen) < 400
        one._taken, one.done, _ = one._channel.recv()
    assert not one.done
    del one
    gc.collect()
    until(lambda: not forked())


def test_who_waits_for_nothing_gets_what_there_is(eager: None) -> None:
    one = forked_selection.begun("larger", SETTINGS)
    assert one is not None
    one.advance(wait=False)
    assert 10 <= one.run.steps <= len(one.chosen)
    until(lambda: one.done or one._has_news())
    known = len(one.chosen)
    one.advance(wait=False)
    assert one.done or len(one.chosen) > known


def test_it_is_made_here_where_that_is_better(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (forked_selection.begun("larger", SETTINGS) for _ in range(2))
    assert first is not None
    assert second is not None
    # So many at a time.
    assert forked_selection.begun("larger", SETTINGS) is None
    del first, second
    gc.collect()
    assert HoldoutStudy(SETTINGS)._apart == []
    assert HoldoutStudy(SETTINGS, generated(SETTINGS), apart=True)._apart == []
    assert HoldoutStudy(SETTINGS, judges=["naive"], apart=True)._apart == []
    with monkeypatch.context() as other:
        other.setattr(forked_selection, "_processors", lambda: 1)
        assert forked_selection.begun("larger", SETTINGS) is None
    with monkeypatch.context() as other:
        other.setattr(forked_selection, "_LARGE", 10**9)
        assert forked_selection.begun("larger", SETTINGS) is None
    with monkeypatch.context() as other:
        other.setattr(SERVER, "_control", None)
        assert forked_selection.begun("larger", SETTINGS) is None

        def refused(self: object, *_: object) -> None:
            raise EOFError

        other.setattr(ForkedSelection, "__init__", refused)
    found = HoldoutStudy(SETTINGS, apart=True)._selections
    assert sum(isinstance(one, Selection) for one in found) == 4


def test_a_process_that_cannot_be_had_gives_its_turn_back(
    eager: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: object, *_: object) -> None:
        raise EOFError

    monkeypatch.setattr(ForkedSelection, "__init__", refused)
    assert forked_selection.begun("larger", SETTINGS) is None
