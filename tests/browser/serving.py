"""Serves the app on a free port and opens it in Chromium, for tests and screenshots."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
# The overview is at the root.
PAGES = [
    "",
    *sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "overview"),
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60.0


@contextmanager
def served() -> Iterator[str]:
    """Start `streamlit run app.py`; gives its address, and stops it at the end."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true",
        "--server.port", str(port), "--server.fileWatcherType", "none",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=os.environ)
        try:
            _wait(port, server, log)
            yield f"http://localhost:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait(port: int, server: subprocess.Popen[bytes], log: tempfile._TemporaryFileWrapper) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    log.seek(0)
    raise RuntimeError(f"the app did not start: {log.read().decode(errors='replace')[-2000:]}")


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    """Start Chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: Browser, *, scheme: str = "light", width: int = 1280) -> BrowserContext:
    """A visitor without history, with animations switched off so that pictures are the same."""
    return browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        device_scale_factor=1,
        locale="en-GB",
        timezone_id="UTC",
    )


def settle(page: Page) -> None:
    """Wait until the script has run and the figures are drawn; a page without one says so."""
    page.wait_for_selector("h1", timeout=30_000)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=30_000)
    drawing = """() => {
        const figures = [...document.querySelectorAll(".dpcore-figure")];
        const drawn = figures.every((figure) => figure.querySelector(".main-svg"));
        const ready = drawn && (figures.length || document.querySelector(".dpcore-no-figure"));
        return ready ? figures.map((figure) => figure.innerHTML).join() : null;
    }"""
    # A figure is done when it stays the same for a while.
    seen, calm, deadline = None, 0, time.monotonic() + PATIENCE
    while calm < 3:
        now = page.evaluate(drawing)
        calm = calm + 1 if now is not None and now == seen else 0
        seen = now
        page.wait_for_timeout(100)
        if time.monotonic() > deadline:
            words = page.locator("[data-testid=stMain]").inner_text()
            raise TimeoutError(f"a figure was not drawn, or never came to rest, in: {words[:1000]}")
