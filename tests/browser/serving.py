"""Serves the app on a free port and opens it in Chromium, for tests and screenshots."""

from __future__ import annotations

import os
import re
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
from typing import Any

import playwright
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as NeverCalm

from pages.session import page_list

ROOT = Path(__file__).resolve().parents[2]
# Every page of the navigation; the overview is at the root.
PAGES = [
    "" if name == "overview" else name
    for entries in page_list.PAGES.values()
    for name, _, _ in entries
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Pages of one visitor share a process: what it has compiled of the scripts serves them all.
    "--process-per-site",
    # No script runs for long enough to be worth more than its first translation, or lives for so
    # short that its memory should be looked through at each step.
    "--js-flags=--no-opt --no-maglev --min-semi-space-size=64 --max-semi-space-size=64",
]
# Else every script is read once more while it arrives, though a visit before has compiled it, and
# each window prepares two pages of suggestions for an address that nobody types.
NEEDLESS = ("ScriptStreaming", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
PATIENCE = 60.0
# No script runs.
CALM = "[data-testid=stApp][data-test-script-state=notRunning]"
# Writes down every height that the place of a figure has had.
HEIGHTS = """globalThis.dpcoreHeights = [];
new MutationObserver((changes) => {
  for (const change of changes) for (const added of change.addedNodes) {
    for (const frame of added.querySelectorAll?.(".dpcore-frame") ?? []) {
      const heights = [];
      dpcoreHeights.push(heights);
      const note = () => frame.offsetHeight && heights.push(frame.offsetHeight);
      new ResizeObserver(note).observe(frame);
    }
  }
}).observe(document, { childList: true, subtree: true });"""
# Adds up how far the page has moved by itself: the "cumulative layout shift" of browsers.
SHIFT = """globalThis.dpcoreShift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) dpcoreShift += one.value;
}).observe({ type: "layout-shift", buffered: true });"""
# A figure is done when it stays the same for a while; a page without one takes its time.
SETTLED = """(call) => {
  if (globalThis.dpcoreCalm?.call !== call) globalThis.dpcoreCalm = { call, seen: null };
  const calm = globalThis.dpcoreCalm;
  const figures = [...document.querySelectorAll(".dpcore-figure")];
  const app = document.querySelector("[data-testid=stApp]");
  const drawn = app?.dataset.testScriptState === "notRunning"
    && document.documentElement.dataset.dpcoreArriving === undefined
    && figures.every((figure) => figure.querySelector(".main-svg"));
  const now = drawn ? figures.map((figure) => figure.innerHTML).join() : null;
  if (now === null || now !== calm.seen) {
    calm.seen = now;
    calm.since = performance.now();
    return false;
  }
  return performance.now() - calm.since >= (now ? 300 : 800);
}"""
NO_GUIDE = (
    """if (location.protocol.startsWith("http")) localStorage.setItem("dpcore-guide", "done");"""
)


@contextmanager
def served(**environment: str) -> Iterator[str]:
    """Start `streamlit run server.py`; gives its address, and stops it at the end."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "server.py", "--server.headless", "true",
        "--server.port", str(port), "--server.fileWatcherType", "none",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, **environment}
        )
        try:
            below = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
            address = f"http://localhost:{port}/{below}".rstrip("/")
            _wait(address, server, log)
            yield address
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait(address: str, server: subprocess.Popen[bytes], log: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    log.seek(0)
    raise RuntimeError(f"the app did not start: {log.read().decode(errors='replace')[-2000:]}")


def _switched_off() -> str:
    """What Playwright switches off, and more: Chromium heeds the last list alone."""
    bundle = Path(playwright.__file__).parent / "driver/package/lib/coreBundle.js"
    listed = re.search(r"\bdisabledFeatures = \[(.*?)\]\.filter", bundle.read_text(), re.DOTALL)
    assert listed, "Playwright says elsewhere what it switches off"
    names = re.findall(r'^ *"(\w+)"', listed[1], re.MULTILINE)
    return f"--disable-features={','.join([*names, *NEEDLESS])}"


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    """Start Chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=[*ARGUMENTS, _switched_off()]
        )
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: Browser, *, width: int = 1280, guided: bool = False) -> BrowserContext:
    """A visitor without history, with animations switched off so that pictures are the same.

    The guided first visit is dismissed already, unless it is what a test is about.
    """
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="light",
        reduced_motion="reduce",
        device_scale_factor=1,
        locale="en-GB",
        timezone_id="UTC",
    )
    context.add_init_script(HEIGHTS)
    context.add_init_script(SHIFT)
    if not guided:
        context.add_init_script(NO_GUIDE)
    return context


def settle(page: Page) -> None:
    """Wait until the script has run and the figures are drawn, and the page stays the same."""
    page.wait_for_selector("h1", timeout=1_000 * PATIENCE)
    page.wait_for_selector(CALM, timeout=1_000 * PATIENCE)
    try:
        page.wait_for_function(SETTLED, arg=time.monotonic(), polling=100, timeout=1_000 * PATIENCE)
    except NeverCalm:
        words = page.locator("[data-testid=stMain]").inner_text()
        raise AssertionError(f"a figure never came to rest, in: {words[:1000]}") from None
