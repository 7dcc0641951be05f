"""A visit: what a reload finds again, while the server still has the session before it.

Streamlit begins a new session whenever a page is loaded. What the visitor has opened is
handed over if all of this holds: the browser shows the cookie that this server gave it, which no
script can read and no link carries; the tab says the number that it has kept for itself across the
reload; the same person is signed in, where people sign in; and the session before is still in the
server's memory.
"""

import re
import secrets
from threading import Lock
from typing import Any
from urllib.parse import urlencode
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

COOKIE = "dpcore_visit"
# A tab tells its number in the address that a page is loaded by, and the first run takes it out.
TAB = "tab"
HERE = "visit"
_TOKEN, _NUMBER = re.compile(r"[\w-]{43}", re.ASCII), re.compile(r"[0-9a-f]{32}")

# Streamlit's own, which a browser shows once its visitor has signed in.
SIGNED_IN = "_streamlit_user"
MOST_AWAY = 1_000

_names: set[str] = set()
_guard = Lock()


def outlives_reload(name: str) -> str:
    """Let what a session holds under this name be found again after a reload."""
    _names.add(name)
    return name


class Visit:
    """What one session would hand over. The session alone keeps it: it ends with the session."""

    def __init__(self) -> None:
        self.holds: dict[str, Any] = {}


# By cookie, tab and person; nothing in here keeps anything alive.
_visits: WeakValueDictionary[tuple[str, str, str], Visit] = WeakValueDictionary()


def recognise(request: Request, response: Response) -> None:
    """Give a browser that has none a cookie of its own, until it is closed.

    It is "lax" rather than "strict" so that a link in a mail, followed into a second tab, does not
    arrive without it and bring another one. Without the number of a tab it opens nothing.
    """
    if _TOKEN.fullmatch(request.cookies.get(COOKIE, "")):
        return
    # A proxy before us ends the encryption, and says that there was one.
    schemes = request.url.scheme, request.headers.get("x-forwarded-proto", "")
    response.set_cookie(
        COOKIE, secrets.token_urlsafe(32), httponly=True, samesite="lax", secure="https" in schemes
    )


def resume() -> None:
    """Begin the visit of a session with what the session before it in this tab had open."""
    if HERE in st.session_state:
        return
    here = st.session_state[HERE] = Visit()
    tab = st.query_params.get(TAB)
    if tab is None:
        return
    del st.query_params[TAB]
    # The cookie with which this session came.
    token = str(st.context.cookies.get(COOKIE, ""))
    if not _TOKEN.fullmatch(token) or not _NUMBER.fullmatch(tab):
        return
    for name, value in _follow(here, (token, tab, _person())).items():
        st.session_state.setdefault(name, value)


def _follow(here: Visit, key: tuple[str, str, str]) -> dict[str, Any]:
    """Take the place of the session before; what it holds."""
    with _guard:
        before = _visits.get(key)
        _visits[key] = here
    here.holds = {} if before is None else dict(before.holds)
    return here.holds


def _person() -> str:
    """Who is signed in; empty where nobody is."""
    person = st.user.to_dict()
    return str(person.get("email", "")) if person.get("is_logged_in", False) else ""


# Page and choices of those who have gone to sign in or out, by cookie and whether they will be
# signed in when they are back; the latest come last.
_away: dict[tuple[str, bool], str] = {}


def goes_to_sign(page: str, *, signed_in: bool) -> None:
    """Remember where a visitor was: Streamlit leads whoever signs in or out to its first page.

    `signed_in` is what they will be when they are back.
    """
    token = str(st.context.cookies.get(COOKIE, ""))
    if not page or not _TOKEN.fullmatch(token):
        return
    with _guard:
        _away.pop((token, signed_in), None)
        _away[token, signed_in] = f"{page}?{urlencode(st.query_params.to_dict())}".rstrip("?")
        if len(_away) > MOST_AWAY:
            del _away[next(iter(_away))]


def way_back(request: Request) -> str:
    """Where somebody who comes back signed in, or out, has been before, said once; else empty."""
    with _guard:
        return _away.pop((request.cookies.get(COOKIE, ""), SIGNED_IN in request.cookies), "")


def note() -> None:
    """Remember what is open now, and nothing that has been closed."""
    here: Visit | None = st.session_state.get(HERE)
    if here is not None:
        here.holds = {name: st.session_state[name] for name in _names if name in st.session_state}
