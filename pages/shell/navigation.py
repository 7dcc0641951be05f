"""The page list, and the first visit to a server that does not know it yet."""

import gzip
import json
from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from streamlit.file_util import get_static_dir
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager

from dpcore.figures.picture import plotly_library
from pages.session import mode, page_list, visit
from pages.session.page_list import DESK, FIRST, ICONS, IN_TEACH_MODE, LEARN, LIBRARY, PAGES, title

_FOLDER = Path(__file__).parent

# The page names the scripts of one version of Streamlit: nobody may keep it longer than these.
_HEADERS = {"Cache-Control": "no-cache"}
# A browser asks for the drawing library once, and keeps what it made of the script too.
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}


def routes() -> list[Route]:
    """One route for every page, and for what draws; all other requests are Streamlit's own."""
    root = f"/{st.get_option('server.baseUrlPath').strip('/')}".rstrip("/")
    pages = [Route(f"{root}/{name}", _answer) for name in ("", *ICONS)]
    return [Route(f"{root}/{LIBRARY}", _library), *pages]


@cache
def _compressed() -> bytes:
    return gzip.compress(plotly_library())


def _library(request: Request) -> Response:
    """What draws, compressed once: Streamlit would do so for every visit."""
    # While one release takes the place of another, this server may be asked for the other's: what
    # it has must not be kept in that place.
    told = dict(_KEPT if str(request.url).endswith(page_list.library()) else _HEADERS)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    told |= {"Content-Encoding": "gzip"} if packed else {}
    body = _compressed() if packed else plotly_library()
    return Response(body, media_type="text/javascript", headers=told)


async def _answer(request: Request) -> Response:
    if request.url.path.endswith(f"/{FIRST}"):
        # Streamlit knows its first page by no name, and would say that there is none of this one.
        return RedirectResponse(f"./?{request.url.query}".rstrip("?"))
    if request.url.path.endswith("/") and (way := visit.way_back(request)):
        return RedirectResponse(f"./{way}")
    page = HTMLResponse(document(), headers=_HEADERS)
    visit.recognise(request, page)
    return page


@cache
def document() -> str:
    """Streamlit's page with our style and the script that shows a page once it stands."""
    page = Path(get_static_dir(), "index.html").read_text(encoding="utf-8")
    before, end, after = page.partition("</head>")
    if not end:
        raise RuntimeError("Streamlit's page has no head to put a style in.")
    folded = {LEARN: [name for name, _, _ in PAGES[LEARN]]}
    script = f"const dpcoreFolded = {json.dumps(folded)};\n{_read('first_screen.js')}"
    styles = "".join(_read(name) for name in ("style.css", "first_screen.css"))
    return f"{before}<style>\n{styles}</style>\n<script>\n{script}</script>\n{end}{after}"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


APP = "Private model evaluation"

LOGO = str(Path(__file__).parent / "logo.svg")


def current() -> StreamlitPage:
    """Show the navigation and return the page that was asked for."""
    # A page's own icon would be fetched from the network as the picture of the browser's tab.
    st.set_page_config(page_title=APP, page_icon=LOGO, layout="wide")
    st.logo(LOGO, size="large")
    mode.require_settings()
    # Before anything asks for the mode.
    visit.resume()
    # All of them: a newcomer does not look for a section behind "View more".
    page = st.navigation({part: _pages(entries) for part, entries in PAGES.items()}, expanded=True)
    # The address of the first page is empty.
    st.set_page_config(page_title=f"{title(page.url_path or FIRST)} · {APP}")
    return page


def _pages(entries: tuple[tuple[str, str, str], ...]) -> list[StreamlitPage]:
    # Each run marks its own as the one that it shows.
    return [copy(_page(*entry, mode.is_private(), mode.shows(entry[0]))) for entry in entries]


@cache
def _page(name: str, title: str, icon: str, private: bool, shown: bool) -> StreamlitPage:
    """It is looked for among the files once, and not by every run of every visitor."""
    return st.Page(
        _FOLDER.parent / name / "page.py",
        title=title if private or name != DESK else IN_TEACH_MODE,
        url_path=name,
        icon=f":material/{icon}:",
        default=name == FIRST,
        visibility="visible" if shown else "hidden",
    )


def own_the_pages() -> None:
    """Let app.py alone say which pages there are; called by server.py before any visit.

    A folder called pages/ makes Streamlit look for pages among its files until app.py has called
    `st.navigation` once, and tell the first visitor who follows a link that there is no such page.
    """
    PagesManager.uses_pages_directory = False
