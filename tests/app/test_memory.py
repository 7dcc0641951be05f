"""Memory comes back without a collection after every move."""

from __future__ import annotations

import asyncio
import gc
import math
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import config

from benchmarks import sessions
from dpcore.privacy.loss import shown
from pages.session import gate, memory, study_fields
from pages.widgets.forms import EPSILON_GRID
from tests.test_architecture import ROOT


@pytest.fixture
def by_hand() -> Iterator[None]:
    """Nothing is collected by itself."""
    gc.disable()
    yield
    gc.enable()


class Session:
    """Only it refers to itself."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {"of": self}


class Lost:
    """What Streamlit keeps of a session without a browser."""

    def __init__(self) -> None:
        self.ended: list[bool] = []
        self.opened = {"file": "theirs"}
        self.session = SimpleNamespace(
            id="a", session_state=self.opened, shutdown=lambda: self.ended.append(True)
        )


def left() -> weakref.ref[Session]:
    """What a session leaves."""
    return weakref.ref(Session())


@pytest.mark.usefixtures("by_hand")
def test_what_only_refers_to_itself_is_collected() -> None:
    session = left()
    assert session() is not None
    memory.tidy()
    assert session() is None


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("idle, collected", [(0, True), (math.inf, False)])
def test_a_server_is_tidied_up_unless_nothing_has_happened(
    idle: float, collected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "EVERY", 0.01)
    monkeypatch.setattr(memory, "IDLE", idle)
    session, end = left(), threading.Event()
    thread = threading.Thread(target=memory.run, args=(end,))
    thread.start()
    deadline = time.monotonic() + (10 if collected else 0.3)
    while session() is not None and time.monotonic() < deadline:
        made = [[] for _ in range(100)]
        time.sleep(0.01)
        del made
    end.set()
    thread.join()
    assert (session() is None) is collected


@pytest.mark.usefixtures("by_hand")
def test_who_comes_soon_after_a_session_has_ended_finds_memory_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "EVERY", 60.0)
    monkeypatch.setattr(memory, "SOON", 0.01)
    session, end = left(), threading.Event()
    thread = threading.Thread(target=memory.run, args=(end,), daemon=True)
    thread.start()
    memory.is_over()
    deadline = time.monotonic() + 10
    while session() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    end.set()
    memory.is_over()
    thread.join(10)
    assert session() is None
    assert not thread.is_alive()


def test_what_a_visitor_had_chosen_goes_when_the_server_is_tidied_up() -> None:
    """Else some objects of each keep the memory beside them, which others had, from going back."""
    chosen = [
        study_fields.DEFAULTS | {"seed": "1", "epsilon": shown(epsilon)} for epsilon in EPSILON_GRID
    ]
    for one in chosen:
        study_fields.address(one, "roc")
    made = [weakref.ref(study_fields.workflow(one)) for one in chosen]
    assert study_fields.workflow(chosen[-1]) is made[-1]()
    memory.tidy()
    assert all(one() is None for one in made)


@pytest.mark.skipif(sys.platform != "linux", reason="pages are counted as Linux does")
@pytest.mark.parametrize("times, arrays, size", [(50, 1, 2**17), (5, 3, 2**21)])
def test_a_long_task_uses_its_pages_again_and_nothing_else_does(
    times: int, arrays: int, size: int
) -> None:
    """In a process of its own: the limits are those of all of it."""
    code = f"""
import resource
import numpy as np
from pages.session import memory
memory.keep_tidy()
def new_pages():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range({times}):
        [np.ones({size}) for _ in range({arrays})]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
first = new_pages()
with memory.reused():
    new_pages()
    within = new_pages()
print(first, within, new_pages())
"""
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    first, within, after = map(int, told.stdout.split())
    # A mebibyte has 256 pages, unless pages are larger here.
    assert 4 * within < min(first, after)


def test_pages_are_loaded_before_the_first_visitor_comes() -> None:
    """Whoever is there when they are set apart from what is collected would stay for ever."""
    code = """
import asyncio, gc, runpy
from threadpoolctl import threadpool_info, threadpool_limits
import scipy.linalg
def most():
    return max(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")
threadpool_limits(2, user_api="blas")
before = most()
app = runpy.run_path("server.py")["app"]
print(before, most(), gc.get_freeze_count())
async def serve():
    async with app._user_lifespan(app):
        print(most(), gc.get_freeze_count() > 100_000)
        from pages.session import open_data
        print(open_data.sample.cache_info().currsize)
asyncio.run(serve())
"""
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert told.stdout.split() == ["2", "2", "0", "1", "True", "1"]


@pytest.mark.parametrize("left_again", [False, True])
def test_a_session_is_forgotten_in_time_though_nobody_else_leaves(left_again: bool) -> None:
    async def lost() -> tuple[bool, tuple[bool, list[bool], dict[str, str]]]:
        kept, info = gate.Sessions(ttl_seconds=0.4), Lost()
        kept.save(info)
        if left_again:
            # Together longer than a session is kept, and each far from it on a busy machine.
            await asyncio.sleep(0.22)
            kept.save(info)
            await asyncio.sleep(0.22)
        there, gone = kept.get("a") is info, weakref.ref(info)
        ended, opened = info.ended, info.opened
        del info
        await asyncio.sleep(0.8)
        gc.collect()
        # Streamlit's loop refers to the last session until somebody else comes.
        return there, (gone() is None, ended, opened)

    # In a thread of its own: a browser that was tested before has a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(lost())).result() == (True, (True, [True], {}))


def test_the_server_collects_by_itself_and_not_after_every_move() -> None:
    assert config.get_option("runner.postScriptGC") is False
    assert config.get_option("server.fileWatcherType") == "none"
    served = (ROOT / "server.py").read_text(encoding="utf-8")
    assert "memory.keep_tidy()" in served
    assert "stand_guard()" in served
    assert "keep_the_log_private()" in served


@pytest.mark.slow
def test_visitors_move_together_without_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A short form of the benchmark; how fast it was is for a machine that does nothing else."""
    monkeypatch.setattr(sessions, "KEPT_FOR", 0.0)
    monkeypatch.setattr("sys.argv", ["sessions", "--sessions", "4", "--seconds", "5"])
    sessions.main()
    told = capsys.readouterr().out
    assert "| errors | 0 |" in told
    assert "| sessions, and seconds between two moves of each | 4, 1.5 |" in told
