"""A reload finds what was open again; a link, another tab, browser or person never does."""

from __future__ import annotations

import gc
from unittest import mock

import pytest
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from streamlit.testing.v1 import AppTest

from pages.session import mode, visit
from pages.session.study_fields import UPLOAD
from pages.widgets import private_data
from tests.app.opening import ROOT, as_by_link, sentences
from tests.app.private_visit import opened, scores
from tests.app.test_data import choose, upload

TOKEN, TAB = "a" * 43, "0" * 32
FILE = b"label,score\n" + b"".join(b"%d,%.2f\n" % (i % 2, i % 7 / 7) for i in range(60))


def load(page: str, *, token: str = TOKEN, tab: str | None = TAB, **address: str) -> AppTest:
    """A page as a browser loads it."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(address if tab is None else {**address, "tab": tab})
    with mock.patch.object(type(st.context), "cookies", {visit.COOKIE: token}):
        return as_by_link(app, page).run()


@pytest.fixture(autouse=True)
def first_visits() -> None:
    """Nobody has been here before."""
    visit._visits.clear()


@pytest.fixture
def before() -> AppTest:
    """A session that has opened a file."""
    return session()


def session() -> AppTest:
    return upload(choose(load("data"), "My predictions"), "predictions file", "own.csv", FILE)


def test_a_reload_finds_the_upload(before: AppTest) -> None:
    again = load("roc", data=UPLOAD)
    assert sentences(again) == []
    assert again.session_state[UPLOAD].title == "own.csv"
    assert "tab" not in again.query_params
    assert TOKEN not in str(again.query_params.items())
    # And the reload after that, from the session that took over.
    del before
    assert load("roc", data=UPLOAD).session_state[UPLOAD].title == "own.csv"


@pytest.mark.parametrize(
    "told",
    [
        {"token": "b" * 43},
        {"tab": "1" * 32},
        {"tab": None},
        {"token": ""},
        {"token": "a"},
        {"tab": TAB[:-1]},
        {"tab": "../../x"},
    ],
)
def test_nobody_else_finds_it(before: AppTest, told: dict[str, str]) -> None:
    other = load("roc", **told, data=UPLOAD)
    assert UPLOAD not in other.session_state
    assert "upload the file again" in sentences(other)[0]
    assert "tab" not in other.query_params


def test_another_person_in_the_same_tab_finds_nothing(before: AppTest) -> None:
    with mock.patch.object(visit, "_person", return_value="b@example.org"):
        assert UPLOAD not in load("roc").session_state


def test_two_tabs_do_not_disturb_each_other(before: AppTest) -> None:
    other = upload(
        choose(load("data", tab="1" * 32), "My predictions"), "predictions file", "two.csv", FILE
    )
    assert load("roc", data=UPLOAD).session_state[UPLOAD].title == "own.csv"
    assert load("roc", tab="1" * 32, data=UPLOAD).session_state[UPLOAD].title == "two.csv"
    assert other.session_state[UPLOAD].title == "two.csv"


def test_it_ends_with_the_session() -> None:
    first = session()
    assert visit._visits[TOKEN, TAB, ""].holds[UPLOAD].title == "own.csv"
    del first
    gc.collect()
    assert (TOKEN, TAB, "") not in visit._visits
    assert UPLOAD not in load("roc").session_state


def test_private_mode_and_its_data_are_found_until_they_are_closed() -> None:
    first = load("release_desk")
    first.session_state[mode.MODE] = mode.PRIVATE
    first.session_state[private_data.OPENED] = opened(scores())
    first.run()
    second = load("release_desk")
    assert second.session_state[mode.MODE] == mode.PRIVATE
    assert private_data.OPENED in second.session_state
    assert any("Private mode" in one.value for one in second.markdown)
    (close,) = [one for one in second.button if one.label == "Close these data"]
    close.click().run()
    third = load("release_desk")
    assert private_data.OPENED not in third.session_state
    assert third.session_state[mode.MODE] == mode.PRIVATE


def test_what_teach_mode_had_open_is_forgotten_with_it(before: AppTest) -> None:
    before.session_state[mode.MODE] = mode.TEACH
    (switch,) = [one for one in before.button_group if one.label == "Mode"]
    switch.set_value(mode.PRIVATE).run()
    again = load("roc")
    assert again.session_state[mode.MODE] == mode.PRIVATE
    assert UPLOAD not in again.session_state


def request(cookie: str = "", scheme: str = "http", **headers: str) -> Request:
    told = {"cookie": cookie, **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Request(
        {
            "type": "http",
            "scheme": scheme,
            "path": "/",
            "query_string": b"",
            "server": ("localhost", 80),
            "headers": [(name.encode(), text.encode()) for name, text in told.items() if text],
        }
    )


def test_the_cookie_is_random_and_for_the_server_alone() -> None:
    made = []
    for _ in range(2):
        response = Response()
        visit.recognise(request(), response)
        made.append(response.headers["set-cookie"])
    value, *facts = made[0].split("; ")
    assert len(value) == len("dpcore_visit=") + 43
    assert value != made[1].split("; ")[0]
    # Until the browser is closed: it has no age.
    assert {fact.lower() for fact in facts} == {"httponly", "path=/", "samesite=lax"}
    known = Response()
    visit.recognise(request(cookie=value), known)
    assert "set-cookie" not in known.headers
    for secured in (request(scheme="https"), request(x_forwarded_proto="https")):
        answer = Response()
        visit.recognise(secured, answer)
        assert "Secure" in answer.headers["set-cookie"]


def asks(**cookies: str) -> Request:
    """The first page, as a browser with these cookies asks for it."""
    told = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return Request({"type": "http", "path": "/", "headers": [(b"cookie", told.encode())]})


def goes(page: str, token: str = TOKEN, *, signed_in: bool = True, **query: str) -> None:
    with (
        mock.patch.object(type(st.context), "cookies", {visit.COOKIE: token}),
        mock.patch.object(st, "query_params", mock.Mock(to_dict=lambda: query)),
    ):
        visit.goes_to_sign(page, signed_in=signed_in)


def test_who_has_signed_in_is_led_back_once() -> None:
    goes("release_desk", epsilon="0.5", what="a&b")
    here = {visit.COOKIE: TOKEN}
    assert visit.way_back(asks(**here)) == ""
    signed_in = {visit.SIGNED_IN: "x"}
    assert visit.way_back(asks(**signed_in)) == ""
    assert visit.way_back(asks(**signed_in, **{visit.COOKIE: "b" * 43})) == ""
    assert visit.way_back(asks(**signed_in, **here)) == "release_desk?epsilon=0.5&what=a%26b"
    assert visit.way_back(asks(**signed_in, **here)) == ""


def test_who_has_signed_out_is_led_back_once() -> None:
    goes("ledger", signed_in=False)
    here = {visit.COOKIE: TOKEN}
    # Not before the sign-out is done, and not whoever has another cookie.
    assert visit.way_back(asks(**here, **{visit.SIGNED_IN: "x"})) == ""
    assert visit.way_back(asks(**{visit.COOKIE: "b" * 43})) == ""
    assert visit.way_back(asks(**here)) == "ledger"
    assert visit.way_back(asks(**here)) == ""


def test_the_latest_way_back_counts_and_not_all_are_kept() -> None:
    for page in ("budget", "ledger", ""):
        goes(page)
    goes("budget", token="not one of ours")
    signed_in = asks(**{visit.SIGNED_IN: "x", visit.COOKIE: TOKEN})
    assert visit.way_back(signed_in) == "ledger"
    goes("ledger")
    for place in range(visit.MOST_AWAY):
        goes("budget", token=f"{place:043}")
    assert len(visit._away) == visit.MOST_AWAY
    assert visit.way_back(signed_in) == ""
