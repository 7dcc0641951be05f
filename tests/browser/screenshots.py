"""Pictures of every page, light and dark, wide and narrow: `make screenshots`.

They are written to build/screenshots/ as <page>-<theme>-<width>.png and compared with the
references of tests/browser/references/. With --keep they become the references, and the contact
sheet of the README is made of them. Names of pages limit it to those ("overview" is the first).
"""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from playwright.sync_api import Browser, Page

from tests.browser import references
from tests.browser.serving import PAGES, ROOT, launched, new_context, served, settle
from tests.conftest import CHROMIUM_NAMES

FOLDER = ROOT / "build" / "screenshots"
SHEET = ROOT / "docs" / "pages.png"
# Shows a selection with noise to be seen; all other pages are as a newcomer finds them.
SHOWN = {
    "features": "data=bank-calls&select=noisy-scores&epsilon.selection=0.01&epsilon.training=0.99",
}
SCHEMES = ("light", "dark")
WIDTHS = (1280, 390)
# While one draws a page, the server computes another.
BROWSERS = 2
TALLEST = 4000
# The server has sent every figure again, in colours for a dark page.
DARK = """() => [...document.querySelectorAll(".dpcore-figure .infolayer text")]
  .every((one) => getComputedStyle(one).fill !== "rgb(15, 26, 36)")"""


def title(path: str) -> str:
    """What a page is called in the name of a picture."""
    return path or "overview"


def address_of(path: str) -> str:
    """The page with the choices that its picture is taken of."""
    return f"{path}?{SHOWN[path]}" if path in SHOWN else path


def picture(page: Page) -> bytes:
    """The whole page, however tall, as one picture."""
    # Twice: figures grow with their window, up to the height that they want.
    for _ in range(2):
        height = page.evaluate(
            """() => document.querySelector("[data-testid=stMainBlockContainer]").scrollHeight"""
        )
        assert page.viewport_size is not None
        size = page.viewport_size | {"height": min(max(int(height), 900), TALLEST)}
        page.set_viewport_size(size)
        page.mouse.move(5, 5)
        settle(page)
    return page.screenshot(animations="disabled")


def darken(page: Page) -> None:
    """The system turns dark, and the figures follow."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK, timeout=60_000)
    settle(page)


def of_page(browser: Browser, address: str, path: str, width: int) -> dict[str, bytes]:
    """The page at that width, light and then dark, by the names of the pictures."""
    context = new_context(browser, width=width)
    page = context.new_page()
    page.goto(f"{address}/{address_of(path)}")
    settle(page)
    found = {f"{title(path)}-light-{width}": picture(page)}
    darken(page)
    found[f"{title(path)}-dark-{width}"] = picture(page)
    context.close()
    return found


def take(chromium: str, address: str, visits: list[tuple[str, int]], keep: bool) -> list[str]:
    """Take every picture of these visits; the names of those that differ from their reference."""
    different = []
    with launched(chromium) as browser:
        for path, width in visits:
            for name, png in of_page(browser, address, path, width).items():
                (FOLDER / f"{name}.png").write_bytes(png)
                if keep:
                    references.keep(name, png)
                share = references.changed(name, png)
                if share > references.TOLERATED_SHARE:
                    different.append(name)
                print(f"{name}.png: {share:.2%} of the page differs", flush=True)
    return different


def take_all(chromium: str, paths: list[str], *, keep: bool) -> list[str]:
    """The same for every width of these pages, by several browsers at once."""
    visits = [(path, width) for path in paths for width in WIDTHS]
    # A browser cannot be shared with a process that was forked.
    with served() as address, ProcessPoolExecutor(BROWSERS, get_context("spawn")) as pool:
        shares = [
            pool.submit(take, chromium, address, visits[first::BROWSERS], keep)
            for first in range(BROWSERS)
        ]
        return sorted(name for share in shares for name in share.result())


def main(arguments: list[str]) -> int:
    """Serve the app, take the pictures, and compare them."""
    found = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM_NAMES)), None
    )
    if found is None:
        print("no Chromium: set CHROMIUM to the path of one", file=sys.stderr)
        return 1
    keep = "--keep" in arguments
    wanted = [path for path in PAGES if title(path) in arguments]
    FOLDER.mkdir(parents=True, exist_ok=True)
    different = take_all(found, wanted or PAGES, keep=keep)
    if keep and not wanted:
        wide = [FOLDER / f"{title(path)}-light-1280.png" for path in PAGES]
        references.contact_sheet(wide, SHEET)
    print(f"pictures: {FOLDER.relative_to(ROOT)}/")
    if different:
        print(f"not as their references: {', '.join(different)}", file=sys.stderr)
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
