"""Figures that take a while: there early, finer with every chunk, and ended by a click."""

from __future__ import annotations

import subprocess
import time
from contextlib import AbstractContextManager

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from benchmarks import slider_latency
from benchmarks._visitor import Browser, served
from pages.widgets import long_task

GROWS = True


def script(fits: str) -> None:
    import time

    import streamlit as st

    from dpcore.curves import fill
    from pages.widgets import long_task

    def cell(place):  # type: ignore[no-untyped-def]
        time.sleep(0.01)
        return place

    class Numbers(long_task.Growth[int, list[int]]):
        name, plans = "numbers", (1, 5, 20)

        def study(self, plan, **told):  # type: ignore[no-untyped-def]
            tasks = {(fits, place): lambda place=place: cell(place) for place in range(plan)}
            return fill(tasks, **told)

    def draw(plan, found):  # type: ignore[no-untyped-def]
        st.text(f"{len(found)} of {plan}")

    growth = Numbers()
    growth.fits = fits
    long_task.run(growth, draw)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """One piece of work in a chunk."""
    monkeypatch.setattr(long_task, "CHUNK", -1.0)


def opened(fits: str = "a", **kept: object) -> AppTest:
    app = AppTest.from_function(script, args=(fits,))
    for name, value in kept.items():
        app.session_state[name] = value
    return app.run()


def test_the_first_picture_comes_after_a_twentieth_of_the_work_and_grows(impatient: None) -> None:
    app, seen = opened(), []
    for _ in range(30):
        seen.append(app.text[0].value)
        if not app.get("progress"):
            break
        app.run()
    assert seen[0] == "1 of 1"
    assert seen[-1] == "20 of 20"
    assert list(dict.fromkeys(seen)) == ["1 of 1", "5 of 5", "20 of 20"]
    assert len(app.button) == 0
    assert app.session_state[long_task.CELLS] == {("a", place): place for place in range(20)}


def test_the_benchmark_asks_for_the_page_that_it_has_opened() -> None:
    message, browser, answer = BackMsg(), Browser(page="audit"), ForwardMsg()
    answer.new_session.page_script_hash = "of the first page"
    browser.take(answer.SerializeToString())
    answer.navigation.page_script_hash = "of the page named audit"
    browser.take(answer.SerializeToString())
    message.ParseFromString(browser.opening())
    assert message.rerun_script.page_script_hash == "of the page named audit"


def test_stop_ends_the_work_and_go_on_takes_it_up_where_it_was(impatient: None) -> None:
    app = opened().run()
    app.button(key="stop numbers").click().run()
    kept = dict(app.session_state[long_task.CELLS])
    assert 1 <= len(kept) < 20
    for _ in range(3):
        app.run()
    assert app.session_state[long_task.CELLS] == kept
    assert app.text[0].value == "5 of 5"
    app.button(key="go on numbers").click().run()
    assert len(app.session_state[long_task.CELLS]) > len(kept)
    assert not any(button.key == "go on numbers" for button in app.button)


def test_another_choice_ends_what_is_under_way_and_starts_a_stopped_one(impatient: None) -> None:
    app = opened()
    app.button(key="stop numbers").click().run()
    task = app.session_state[long_task.TASKS]["numbers", "a"]
    other = opened("b", **{long_task.TASKS: {("numbers", "a"): task}, long_task.CELLS: {}})
    assert other.text[0].value == "1 of 1"
    ((fits, running),) = other.session_state[long_task.TASKS].items()
    assert fits == ("numbers", "b")
    assert running.running
    assert {fits for fits, _ in other.session_state[long_task.CELLS]} == {"b"}


def test_the_store_of_cells_does_not_grow_without_end(impatient: None) -> None:
    full = {place: place for place in range(long_task.MOST_CELLS + 1)}
    app = opened("a", **{long_task.CELLS: full})
    assert len(app.session_state[long_task.CELLS]) == 1


def test_what_goes_wrong_is_said_and_not_tried_again() -> None:
    class Broken:
        done, share, tries = False, 0.0, 0

        def advance(self) -> None:
            self.tries += 1
            raise ZeroDivisionError

    def page(task) -> None:  # type: ignore[no-untyped-def]
        from pages.widgets import long_task

        task.fresh = True
        long_task.watch(task, lambda: None)

    task = long_task.Task(Broken())
    task.error = ZeroDivisionError()
    task.stop()
    app = AppTest.from_function(page, args=(task,))
    app.session_state["name of the page"] = "model"
    app.run()
    assert "ZeroDivisionError" in app.error[0].value
    assert task.work.tries == 0  # type: ignore[attr-defined]


def test_a_benchmark_serves_what_it_measures_with_the_threads_that_it_has_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: dict[str, str] = {}

    class Server(AbstractContextManager["Server"]):
        terminate = staticmethod(lambda: None)

        def __init__(self, *_: object, env: dict[str, str], **__: object) -> None:
            told.update(env)

        def __exit__(self, *_: object) -> None:
            pass

    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NAME_OF_A_THING"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(subprocess, "Popen", Server)
    with served("server.py"):
        assert told["NAME_OF_A_THING"] == "1"
        assert not any(name.endswith("_NUM_THREADS") for name in told)


def test_the_client_of_the_benchmarks_asks_as_often_as_a_browser() -> None:
    """It must not take a figure that is still growing for the last one."""
    browser = Browser(page="model")
    told = ForwardMsg()
    told.new_session.page_script_hash = "model"
    browser.take(told.SerializeToString())
    told = ForwardMsg()
    told.auto_rerun.interval, told.auto_rerun.fragment_id = 0.5, "figure"
    browser.take(told.SerializeToString())
    now = time.perf_counter()
    assert browser.asks(now) == []
    (asked,) = browser.asks(now + 0.6)
    assert BackMsg.FromString(asked).rerun_script.fragment_id == "figure"
    assert browser.asks(now + 0.7) == []
    # A run of the fragment ends no polling; a run of the page that asks for none does.
    for finished, polls in (
        (ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, {"figure"}),
        (ForwardMsg.FINISHED_SUCCESSFULLY, set()),
    ):
        told = ForwardMsg()
        told.new_session.page_script_hash = "model"
        browser.take(told.SerializeToString())
        told = ForwardMsg()
        told.script_finished = finished
        browser.take(told.SerializeToString())
        assert set(browser.polls) == polls


@pytest.mark.parametrize("steps, found, chunks", [
    # Done in a second: nobody sees half of it.
    (8, True, [8]),
    # Longer: a picture after the usual chunk, or as soon as there is one.
    (40, True, [4, 5, 10]),
    (40, False, [10, 10, 10]),
])  # fmt: skip
def test_how_long_a_chunk_takes(
    steps: int, found: bool, chunks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    class Steps:
        taken, found = 0, None

        @property
        def share(self) -> float:
            return self.taken / steps

        @property
        def done(self) -> bool:
            return self.taken == steps

        def advance(self) -> None:
            self.taken += 1
            clock[0] += 0.125

    work = Steps()
    work.found = found or None  # type: ignore[assignment]
    monkeypatch.setattr(long_task, "monotonic", lambda: clock[0])
    task, seen = long_task.Task(work), []
    for _ in chunks:
        before = work.taken
        task.do_chunk()
        seen.append(work.taken - before)
        clock[0] += 0.25
    assert seen == chunks


def test_the_page_that_a_benchmark_moves_opens() -> None:
    """`benchmarks.slider_latency` serves it by itself, past app.py."""
    app = AppTest.from_file(str(slider_latency.PAGES / "ours.py"), default_timeout=60).run()
    assert not app.exception
    assert app.select_slider
