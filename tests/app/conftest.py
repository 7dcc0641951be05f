"""What every test of a page shares: a ledger of its own, and what a server does once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from pages.release_desk import preview
from pages.session import memory, state, study
from pages.widgets import long_task, slider_frames
from tests.app.private_visit import locked

PATIENCE = slider_frames.PATIENCE


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ledger of this test alone."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("DPCORE_LEDGER", str(path))
    return path


@pytest.fixture
def private() -> Iterator[None]:
    """A server whose operator keeps it in Private mode."""
    with locked():
        yield


@pytest.fixture(autouse=True, scope="session")
def one_server() -> Iterator[None]:
    """What a server does once AppTest would do at every run, for most of the time that it takes.

    That is to look for components in every installed package, and to compile the pages. And whoever
    waits for a run waits for its thread, where AppTest would ask it a thousand times a second. What
    a server gives back of its memory serves the next test here. And what is expected of a request,
    of records that are made up, does not depend on who asks.
    """
    found, compiled = manifest_scanner.scan_component_manifests(), ScriptCache()
    simulate, expected = preview._simulated, dict[tuple[Any, ...], Any]()

    def simulated_once(request: str, assumed: Any, schema: Any) -> Any:
        key = request, assumed, schema and schema.digest(), preview.REPEATS
        if key not in expected:
            expected[key] = simulate(request, assumed, schema)
        return expected[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: list(found))
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: compiled)
        ask = local_script_runner.require_widgets_deltas

        def wait(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
            if (thread := runner._script_thread) is not None:
                thread.join(timeout)
            # It is done, or has had its time.
            ask(runner, 0.01 if thread is not None and thread.is_alive() else timeout)

        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        patch.setattr(memory, "_keep", lambda piece, end: None)
        patch.setattr(preview, "_simulated", simulated_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_page() -> None:
    """Whoever calls what a page calls, and opens none, is on no page in particular."""
    st.session_state[state.PAGE] = ""


class Held(study.Outputs):
    """What is computed of the samples, and stays as if somebody else had the same pages open."""

    MOST = 150

    def __init__(self) -> None:
        super().__init__()
        self._latest: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def __setitem__(self, place: tuple[str, str], output: Any) -> None:
        super().__setitem__(place, output)
        self._latest[place] = output
        if len(self._latest) > self.MOST:
            self._latest.popitem(last=False)


HELD = Held()


@pytest.fixture(autouse=True, scope="module")
def somebody_else(request: pytest.FixtureRequest) -> Iterator[None]:
    """Another visitor has the samples open, so that no test waits for their models.

    Where nobody may be there, a file says `ALONE = True`.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "ALONE", False):
            patch.setattr(study, "_shared", lambda: HELD)
        yield


@pytest.fixture(autouse=True, scope="module")
def no_stops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Of a figure at every stop of its sliders, which takes most of a run, only some tests speak.

    They are marked with `stops`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slider_frames, "PATIENCE", -1.0)
        yield


@pytest.fixture(autouse=True)
def all_stops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that is marked with `stops` they are drawn as ever."""
    if request.node.get_closest_marker("stops"):
        monkeypatch.setattr(slider_frames, "PATIENCE", PATIENCE)


@pytest.fixture(autouse=True, scope="module")
def no_growing(request: pytest.FixtureRequest) -> Iterator[None]:
    """Of how a figure grows, chunk after chunk, only some files speak: elsewhere it is complete.

    These say `GROWS = True`.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "GROWS", False):
            patch.setattr(long_task, "CHUNK", 60.0)
        yield
