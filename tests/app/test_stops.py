"""What comes along for the stops of a slider is what the server draws there."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from dpcore.schema import Ignore
from pages.session import open_data, study
from pages.widgets import slider_frames
from tests.app.opening import ROOT, assert_calm, figure, open_page
from tests.app.private_visit import locked, visit
from tests.app.test_calibration_page import uploaded

pytestmark = pytest.mark.stops

UPLOAD = "y,score\n" + "".join(
    f"{place % 2},{(place * 7 + place % 2 * 13) % 101 / 101}\n" for place in range(300)
)

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


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sliders of which all stops are drawn from now on."""
    labels: list[str] = []
    whole = slider_frames._frames

    def noted(slider: slider_frames.Slider) -> str:
        labels.append(slider.label)
        return whole(slider)

    monkeypatch.setattr(slider_frames, "_frames", noted)
    slider_frames._of_everybody.clear()
    return labels


@pytest.mark.parametrize("page, place", [("roc", 1), ("calibration", 1), ("threshold", 2)])
def test_the_stops_of_a_sample_are_drawn_for_the_first_visitor_alone(
    page: str, place: int, drawn: list[str]
) -> None:
    first = open_page(page)
    once = list(drawn)
    assert once
    second = open_page(page)
    assert_calm(second)
    assert drawn == once
    assert figure(second, place)["sliders"] == figure(first, place)["sliders"]
    # Of other noise nothing is known yet.
    open_page(page, seed="8")
    assert drawn[len(once) :] == once


def test_what_took_too_long_once_is_tried_again(
    drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hurried:
        hurried.setattr(slider_frames, "PATIENCE", -1.0)
        assert figure(open_page("calibration"), 1)["sliders"] == {}
    assert list(figure(open_page("calibration"), 1)["sliders"]) == [PAGES["calibration"]]
    assert drawn == [PAGES["calibration"]] * 2


def test_the_stops_of_an_upload_are_kept_for_nobody_else(drawn: list[str]) -> None:
    for visitor in (1, 2):
        assert_calm(uploaded(UPLOAD))
        assert drawn == [PAGES["calibration"]] * visitor


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked, from now on, of what all visitors share."""
    asked: list[str] = []
    whole = slider_frames._of_everybody

    def noted(of: str, slider: slider_frames.Slider) -> str:
        asked.append(of)
        return whole(of, slider)

    noted.clear = whole.clear
    monkeypatch.setattr(slider_frames, "_of_everybody", noted)
    return asked


SHARING = ("roc", "calibration", "ecdf", "threshold")


def test_what_visitors_share_is_asked_about_samples_only(
    drawn: list[str], shared: list[str]
) -> None:
    app = open_page("roc")
    for page in SHARING:
        assert_calm(app.switch_page(f"pages/{page}/page.py").run())
        assert shared
        assert all("'sample:heart-risk/" in one for one in shared)
        shared.clear()
    # Neither what a visitor brings, nor a sample with a schema of the visitor's own.
    edited, sample = open_page("data"), open_data.sample(open_data.SAMPLE)
    columns = (Ignore(sample.schema.columns[0].name), *sample.schema.columns[1:])
    schemas = {sample.digest: replace(sample.schema, columns=columns)}
    edited.session_state[open_data.SCHEMAS] = schemas
    for begin in (lambda: uploaded(UPLOAD), lambda: edited):
        drawn.clear()
        visitor = begin()
        for page in SHARING:
            assert_calm(visitor.switch_page(f"pages/{page}/page.py").run())
        assert {"Epsilon of the ROC curve", "Threshold", *PAGES.values()} <= {*drawn}
    assert shared == []


def test_a_private_session_shares_nothing() -> None:
    """No page of Private mode draws stops; what asks whether they may be shared says no too."""
    assert study.is_public()
    with locked():
        assert not study.is_public()


def test_no_page_of_private_mode_reads_or_fills_what_visitors_share(shared: list[str]) -> None:
    with locked():
        for page in SHARING:
            visit(page)
    assert shared == []
