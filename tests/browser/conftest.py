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

from tests.browser.serving import launched, new_context, served, settle

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
def visitors(chrome: Browser) -> dict[tuple[str, int], BrowserContext]:
    """A visitor for each theme and width, who has come before: the scripts are known already."""
    return {}


@pytest.fixture
def visit(
    address: str,
    chrome: Browser,
    visitors: dict[tuple[str, int], BrowserContext],
    trouble: Trouble,
    received: Received,
) -> Iterator[Visit]:
    """Open a page in a session of its own, and check at the end that nothing went wrong.

    A stranger has neither cookies nor a place for notes; all others share these, empty at first.
    """
    strangers: list[BrowserContext] = []
    pages: list[Page] = []

    def open_page(
        path: str = "",
        *,
        scheme: str = "light",
        width: int = 1280,
        guided: bool = False,
        stranger: bool = False,
    ) -> Page:
        if guided or stranger:
            context = new_context(chrome, scheme=scheme, width=width, guided=guided)
            strangers.append(context)
        elif (scheme, width) not in visitors:
            context = visitors[scheme, width] = new_context(chrome, scheme=scheme, width=width)
            # It stays open and shows nothing: the process of the visitor ends with its last page.
            context.new_page().goto(f"{address}/_stcore/health")
        else:
            context = visitors[scheme, width]
        page = context.new_page()
        pages.append(page)
        page.on("console", trouble.note_console)
        page.on("pageerror", lambda error: trouble.append(f"page: {error}"))
        page.on("request", trouble.note_request)
        page.on("websocket", received.note_socket)
        page.goto(f"{address}/{path}")
        settle(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    for context in strangers:
        context.close()
    for context in visitors.values():
        context.clear_cookies()
    assert trouble == []
