"""A locked server stays locked, whatever a link, a session or a click says."""

from __future__ import annotations

import json
from unittest import mock

import pytest
from streamlit import error_util

from dpcore.errors import InvalidArgument
from dpcore.publications import publications
from pages.session import mode, text
from pages.shell import wrong_mode
from pages.widgets import fragments
from tests.app.opening import PAGES, assert_calm, html, open_page, sentences
from tests.app.private_visit import headlines, locked, opened, scores, visit, with_data
from tests.app.test_pin import figures

OPEN = [page for page in PAGES if page not in mode.RELEASING]
SAID = "is closed here, for it is made for Teach mode."
TRICKS = {
    "mode": "teach",
    "data": "heart-risk",
    "mode of this visit": "teach",
    "DPCORE_MODE": "both",
    "private": "no",
}


@pytest.mark.parametrize("page", OPEN)
def test_every_open_page_is_closed_on_a_locked_server(page: str) -> None:
    with locked():
        app = visit(page, **TRICKS)
        assert wrong_mode.closed_sentence(page) in headlines(app)
        assert "Teach" not in " ".join(element.value for element in app.sidebar.markdown)
        # The only thing to press leads to the desk.
        assert all(button.label.startswith("Release it: ") for button in app.button)
        assert len(app.button) == (page in publications())
        assert app.get("figure") == []


@pytest.mark.parametrize(
    "page, title", [("roc", "ROC"), ("sparse_vector_lab", "Sparse vector lab")]
)
def test_the_page_that_was_asked_for_is_named(page: str, title: str) -> None:
    assert wrong_mode.closed_sentence(page) == f"The page “{title}” {SAID}"


def test_the_first_page_of_a_private_server_leads_to_the_desk() -> None:
    assert "made on the release desk" in wrong_mode.closed_sentence("")


@pytest.mark.parametrize("page", ["roc", "data", "release_desk"])
def test_no_session_state_turns_a_locked_server_back(page: str) -> None:
    with locked():
        app = visit(page)
        for name, value in TRICKS.items():
            app.session_state[name] = value
        app.session_state["mode switch private"] = "teach"
        app.run()
        assert app.session_state[mode.MODE] == "teach"
        assert "Private mode" in app.sidebar.markdown[0].value
        if page != "release_desk":
            assert SAID in headlines(app)


def test_entering_teach_mode_does_nothing_on_a_locked_server() -> None:
    with locked(), mock.patch.object(mode.st, "session_state", {"chosen": {}}) as session:
        mode.enter("teach")
        assert mode.current() == "private"
        assert session == {"chosen": {}}


def test_a_fragment_of_an_open_page_shows_nothing_in_private_mode() -> None:
    called = []
    with locked():
        fragments.fragment(lambda: called.append("open"))()
    assert called == []


def test_the_address_of_a_locked_server_names_no_data() -> None:
    with locked():
        assert visit("roc", **TRICKS).query_params == {}
        app = with_data("release_desk", scores(), epsilon="0.25", **TRICKS)
        assert app.query_params == {"epsilon": "0.25"}


@pytest.mark.parametrize("page", mode.RELEASING)
def test_a_teaching_server_releases_nothing(page: str) -> None:
    with locked("teach"):
        app = visit(page)
        app.session_state[mode.MODE] = "private"
        app.run()
        assert_calm(app)
        assert "Private mode" in headlines(app)
        assert [button.label for button in app.button] == []


def test_a_visit_begins_in_teach_mode_and_may_switch() -> None:
    app = open_page("release_desk")
    assert "Releases are made in Private mode." in headlines(app)
    ((steps, *_), _) = figures(app)["rehearsal"]
    # Class sizes cost a fiftieth. What is charged to the tested records, who are others, adds none.
    nothing, sizes, _, weights, *of_tested = steps["y"]
    assert (nothing, sizes, weights, of_tested) == (0.0, 0.02, 1.0, [1.0, 1.0])
    # Nobody has set a budget here: the line is what all that would cost.
    assert "budget" not in json.dumps(figures(app)["rehearsal"])
    app.button[0].click().run()
    assert "Nothing is open" in headlines(app)
    assert "Private mode" in app.sidebar.markdown[0].value


def test_switching_forgets_what_the_other_mode_has_open() -> None:
    app = with_data("release_desk", scores())
    app.session_state["upload"] = "rows of a Teach visit"
    app.session_state["stages"] = "results of a Teach visit"
    (switch,) = app.sidebar.segmented_control
    switch.set_value("private").run()
    assert "upload" not in app.session_state
    assert "stages" not in app.session_state
    assert "private data" not in app.session_state
    app.session_state["private data"] = opened(scores())
    app.run()
    (switch,) = app.sidebar.segmented_control
    switch.set_value("teach").run()
    assert "private data" not in app.session_state
    assert "Teach mode" in app.sidebar.markdown[0].value


def test_what_goes_wrong_in_private_mode_says_nothing() -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("with 4,711 private records")

    with locked(), mock.patch("pages.widgets.private_source.choose", broken):
        (sentence,) = sentences(visit("release_desk"))
    assert sentence == text.said("failure in Private mode")
    assert "ZeroDivision" not in sentence


def test_what_goes_wrong_in_a_callback_says_its_kind_to_the_log_alone(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As when a client that is no browser presses a button without the controls beside it."""
    monkeypatch.setattr(error_util, "_log_uncaught_app_exception", print)
    fragments.keep_the_log_private()
    for name, said in (("private", False), ("teach", True)):
        with locked(name):
            error_util.handle_user_script_exception(KeyError("4,711 records"), lambda _: True)
        assert ("4,711" in caplog.text + capsys.readouterr().out) is said
    assert "KeyError" in caplog.text


def test_unclear_settings_stop_the_server() -> None:
    def unclear() -> None:
        raise InvalidArgument("mode", "Private", "one of teach, private, both")

    with mock.patch("pages.session.mode.settings", unclear):
        app = visit("roc")
    (sentence,) = sentences(app)
    assert "not set up" in sentence
    assert html(app) == ""
