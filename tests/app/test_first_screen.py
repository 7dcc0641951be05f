"""Streamlit's first page carries our style, at every address of a page."""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.requests import Request
from streamlit.web.server.app_discovery import discover_asgi_app

from dpcore.figures.picture import plotly_library
from pages.session import page_list
from pages.shell import navigation
from pages.widgets import plot


def test_every_page_has_an_address() -> None:
    names = {name for entries in page_list.PAGES.values() for name, _, _ in entries}
    library, *pages = [route.path for route in navigation.routes()]
    assert {*pages} == {"/"} | {f"/{name}" for name in names}
    assert library == "/plotly.min.js"


def test_the_drawing_library_is_compressed_once_and_kept_by_browsers() -> None:
    scope = {"type": "http", "method": "GET", "path": "/plotly.min.js", "headers": []}
    first, second = (navigation._library(Request(scope)) for _ in range(2))
    assert first.body is second.body
    assert "immutable" in first.headers["cache-control"]
    assert first.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(first.body)) == plotly_library()


def test_another_drawing_library_has_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    library, told = plot._library.__wrapped__, plot._library()
    assert library() == told
    monkeypatch.setattr(plot, "plotly_library", lambda: b"another")
    assert library().partition("?")[0] == told.partition("?")[0] == page_list.LIBRARY
    assert library() != told


@pytest.mark.parametrize("query", ["", "epsilon=0.2&data=messages"])
def test_the_first_page_is_found_by_its_name_too(query: str) -> None:
    """Streamlit would show it, and say above it that there is no such page."""
    scope = {"type": "http", "method": "GET", "path": "/overview", "headers": []}
    scope["query_string"] = query.encode()
    with ThreadPoolExecutor(1) as thread:
        # A browser test may have left this one a running loop.
        answer = thread.submit(asyncio.run, navigation._answer(Request(scope))).result()
    assert answer.status_code == 307
    assert answer.headers["location"] == (f"./?{query}" if query else "./")


def test_style_and_script_stand_in_the_head_of_streamlits_own_page() -> None:
    head, body = navigation.document().split("</head>")
    for name in ("style.css", "first_screen.css", "first_screen.js"):
        text = (Path(navigation.__file__).parent / name).read_text(encoding="utf-8")
        assert text in head
        assert "</" not in text
    assert "<title>Streamlit</title>" in head
    assert '<div id="root"></div>' in body


def test_a_page_without_a_head_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html><body></body></html>", encoding="utf-8")
    monkeypatch.setattr(navigation, "get_static_dir", lambda: str(tmp_path))
    with pytest.raises(RuntimeError, match="no head"):
        navigation.document.__wrapped__()


def test_app_py_is_served_as_server_py_is() -> None:
    """Else the first visitor who comes by a link would be told that there is no such page."""
    root = Path(__file__).parents[2]
    for name in ("app", "server"):
        assert discover_asgi_app(root / f"{name}.py").import_string == f"{name}:app"
    code = """
import sys, app
print("server" in sys.modules)
app.app
import server
here, there = ([getattr(one, f"_user_{what}") for what in ("routes", "middleware", "lifespan")]
               for one in (app.app, server.app))
print(here == there, all(here), app.app.script_path)
from streamlit.runtime.pages_manager import PagesManager
print(PagesManager.uses_pages_directory)
"""
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert told.stdout.split() == ["False", "True", "True", "app.py", "False"]
