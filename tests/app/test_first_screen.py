"""Streamlit's first page carries our style, at every address of a page."""

from __future__ import annotations

import asyncio
import gzip
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from streamlit.web.server.app_discovery import discover_asgi_app

from dpcore.figures.picture import plotly_library
from pages.session import page_list
from pages.shell import navigation


@pytest.mark.parametrize("below, root", [("", "/"), ("lab", "/lab/"), ("/my/lab/", "/my/lab/")])
def test_every_page_has_an_address(below: str, root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the path too that Streamlit is told to serve it at."""
    monkeypatch.setattr(navigation.st, "get_option", {"server.baseUrlPath": below}.get)
    names = {name for entries in page_list.PAGES.values() for name, _, _ in entries}
    library, *pages = [route.path for route in navigation.routes()]
    assert {*pages} == {root} | {f"{root}{name}" for name in names}
    assert library == f"{root}plotly.min.js"


def library_for(digest: str, takes: str | None = "gzip, deflate, br, zstd") -> Response:
    """What a client gets that asks for the drawing library of that digest."""
    scope = {"type": "http", "method": "GET", "path": f"/lab/{page_list.LIBRARY}"}
    scope["headers"] = [(b"host", b"localhost")]
    scope["headers"] += [] if takes is None else [(b"accept-encoding", takes.encode())]
    return navigation._library(Request({**scope, "query_string": digest.encode()}))


OURS = page_list.library().partition("?")[2]


def test_the_drawing_library_is_compressed_once_and_kept_by_browsers() -> None:
    first, second = (library_for(OURS) for _ in range(2))
    assert first.body is second.body
    assert "immutable" in first.headers["cache-control"]
    assert first.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(first.body)) == plotly_library()


@pytest.mark.parametrize("takes", [None, "", "identity", "br"])
def test_who_does_not_take_it_compressed_can_read_the_drawing_library(takes: str | None) -> None:
    answer = library_for(OURS, takes)
    assert answer.body == plotly_library()
    assert "content-encoding" not in answer.headers
    # What stands between must not hand one visitor's form to another.
    assert answer.headers["vary"] == library_for(OURS).headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("digest", ["", "0" * 64, f"{OURS}0"])
def test_the_library_of_another_release_is_not_kept_in_place_of_ours(digest: str) -> None:
    """While servers are renewed one by one, a new page may ask one that is still old."""
    answer = library_for(digest)
    assert gzip.decompress(bytes(answer.body)) == plotly_library()
    assert answer.headers["cache-control"] == "no-cache"


def test_another_drawing_library_has_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    library, told = page_list.library.__wrapped__, page_list.library()
    assert library() == told
    monkeypatch.setattr(page_list, "plotly_library", lambda: b"another")
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


def test_no_style_is_asked_for_anew_whenever_anything_is_inserted() -> None:
    """A browser asks `:has()` again for what has its class or attribute; a place has everything.

    A figure is drawn of hundreds of lines, and all of the page would be styled for each of them.
    """
    folders = Path(navigation.__file__).parent, Path(navigation.__file__).parents[1] / "widgets"
    files = [file for folder in folders for file in folder.glob("*.css")]
    on_screen = [file.read_text(encoding="utf-8").partition("@media print")[0] for file in files]
    asked = [
        one for text in on_screen for one in re.findall(r":has\((?:[^()]|\([^()]*\))*\)", text)
    ]
    parts = [part for one in asked for part in re.split(r"[\s,>+~]+", one[5:-1]) if part]
    assert len(parts) > 5
    assert [part for part in parts if not re.match(r"\.[\w-]+|\[open\]", part)] == []


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
