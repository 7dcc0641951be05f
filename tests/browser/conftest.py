"""One server and one browser for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebSocket,
)

from tests.browser.serving import NO_GUIDE, launched, new_context, served, settle

Visit: TypeAlias = Callable[..., Page]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the app is served."""
    with served() as found:
        yield found


@pytest.fixture(scope="session")
def chrome(chromium: str) -> Iterator[Browser]:
    """A running Chromium."""
    with launched(chromium) as browser:
        yield browser


class Trouble(list[str]):
    """What a browser complains of, and every request that would leave the machine."""

    def note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.append(f"console: {message.text} ({message.location['url']})")

    def note_request(self, request: Request) -> None:
        if not request.url.startswith(("http://localhost:", "data:", "blob:")):
            self.append(f"request: {request.url}")


@pytest.fixture
def trouble() -> Trouble:
    """Nothing may be in it at the end of a test."""
    return Trouble()


class Received(list[int]):
    """Bytes of every message of the server."""

    def note_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda message: self.append(len(message)))


@pytest.fixture
def received() -> Received:
    """What the server has sent."""
    return Received()


@pytest.fixture(scope="session")
def visitors() -> list[BrowserContext]:
    """Who has come before: the scripts are known already. The first one, and strangers to it."""
    return []


@pytest.fixture
def visit(
    address: str,
    chrome: Browser,
    visitors: list[BrowserContext],
    trouble: Trouble,
    received: Received,
) -> Iterator[Visit]:
    """Open a page in a session of its own, and check at the end that nothing went wrong.

    A stranger has its own cookies and notes; all others share these. Both are empty at first.
    """
    strangers = 0
    pages: list[Page] = []

    def open_page(
        path: str = "",
        *,
        scheme: str = "light",
        width: int = 1280,
        guided: bool = False,
        stranger: bool = False,
        calm: bool = True,
    ) -> Page:
        nonlocal strangers
        strangers += guided or stranger
        place = strangers if guided or stranger else 0
        while len(visitors) <= place:
            visitors.append(new_context(chrome, guided=True))
            # It stays open and shows nothing: the process of the visitor ends with its last page.
            visitors[-1].new_page().goto(f"{address}/_stcore/health")
        page = visitors[place].new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        if not guided:
            page.add_init_script(NO_GUIDE)
        page.on("console", trouble.note_console)
        page.on("pageerror", lambda error: trouble.append(f"page: {error}"))
        page.on("request", trouble.note_request)
        page.on("websocket", received.note_socket)
        page.goto(f"{address}/{path}")
        if calm:
            settle(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    for context in visitors:
        context.clear_cookies()
        context.pages[0].evaluate("localStorage.clear()")
    assert trouble == []
