"""What a browser gets before anything else: Streamlit's page, with our style in it already.

Streamlit sends its own empty page, and everything that a script shows comes later and piece by
piece: style, sidebar, words, figures. Each piece would push away what is there. With the style in
the first page, the places are kept from the beginning.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.file_util import get_static_dir

from pages.session import page_list

_FOLDER = Path(__file__).parent
_HEAD_ENDS = "</head>"
# The page names the scripts of one version of Streamlit: nobody may keep it longer than these.
_HEADERS = {"Cache-Control": "no-cache"}


def routes() -> list[Route]:
    """One route for every page; all other requests are Streamlit's own."""
    names = [name for entries in page_list.PAGES.values() for name, _, _ in entries]
    return [Route(f"/{name}", _answer) for name in ("", *names)]


async def _answer(_request: Request) -> HTMLResponse:
    return HTMLResponse(document(), headers=_HEADERS)


@cache
def document() -> str:
    """Streamlit's page with our style and the script that shows a page once it stands."""
    page = Path(get_static_dir(), "index.html").read_text(encoding="utf-8")
    before, end, after = page.partition(_HEAD_ENDS)
    if not end:
        raise RuntimeError("Streamlit's page has no head to put a style in: see first_screen.py.")
    styles = "".join(_read(name) for name in ("style.css", "first_screen.css"))
    return (
        f"{before}<style>\n{styles}</style>\n<script>\n{_read('first_screen.js')}</script>\n"
        f"{end}{after}"
    )


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
