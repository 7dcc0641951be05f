"""What comes along for the stops of a slider is what the server draws there."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.app.opening import ROOT, assert_calm, figure, open_page

pytestmark = pytest.mark.stops

PAGES = {"ecdf": "Epsilon of the score curves", "calibration": "Epsilon of the calibration table"}


def at(trace: dict, key: str) -> object:
    for part in key.split("."):
        trace = trace[part]
    return trace


@pytest.mark.few(1)
@pytest.mark.parametrize("page", PAGES)
def test_frames_agree_with_the_server(page: str) -> None:
    app = open_page(page)
    assert_calm(app)
    frames = json.loads(figure(app, 1)["sliders"][PAGES[page]])
    slider = app.select_slider(key=f"control {page}_epsilon")
    assert [frame["name"] for frame in frames] == slider.options
    for epsilon in ("0.5", "4"):
        app.select_slider(key=f"control {page}_epsilon").set_value(epsilon).run()
        assert_calm(app)
        drawn = figure(app, 0)["data"]
        (frame,) = (frame for frame in frames if frame["name"] == epsilon)
        for place, changed in zip(frame["traces"], frame["data"], strict=True):
            assert {key: at(drawn[place], key) for key in changed} == changed
    assert sum(len(one.proto.json) for one in app.get("bidi_component")) < 1_000_000


# So does the first link of a server, in tests/browser/test_loading.py.
@pytest.mark.slow
def test_every_page_has_told_its_choices_when_a_session_begins() -> None:
    """In a fresh process, where no page has run yet: a link to any page is understood."""
    code = (
        "from pages.session import state, study_fields\n"
        "state._know_every_choice()\n"
        "print({'ecdf_epsilon', 'calibration_groups', 'roc_view'} <= set(study_fields.DEFAULTS))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True"
