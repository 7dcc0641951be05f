"""What every test of a page shares: a ledger of its own, and what a server does once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from pages.widgets import long_task, slider_frames


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ledger of this test alone."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("DPCORE_LEDGER", str(path))
    return path


@pytest.fixture(autouse=True, scope="session")
def one_server() -> Iterator[None]:
    """What a server does once AppTest would do at every run, for most of the time that it takes.

    That is to look for components in every installed package, and to compile the pages.
    """
    found, compiled = manifest_scanner.scan_component_manifests(), ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: list(found))
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: compiled)
        yield


@pytest.fixture(autouse=True, scope="module")
def no_stops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Of a figure at every stop of its sliders, which takes most of a run, only some files speak.

    These say `DRAWS_STOPS = True`.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "DRAWS_STOPS", False):
            patch.setattr(slider_frames, "PATIENCE", -1.0)
        yield


@pytest.fixture(autouse=True, scope="module")
def no_growing(request: pytest.FixtureRequest) -> Iterator[None]:
    """Of how a figure grows, chunk after chunk, only some files speak: elsewhere it is complete.

    These say `GROWS = True`.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "GROWS", False):
            patch.setattr(long_task, "CHUNK", 60.0)
        yield
