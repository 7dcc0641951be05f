"""Pictures of every page, light and dark, wide and narrow: `make screenshots`.

They are written to build/screenshots/ as <page>-<theme>-<width>.png.
"""

from __future__ import annotations

import os
import shutil
import sys

from playwright.sync_api import Browser, Page

from tests.browser.serving import PAGES, ROOT, launched, new_context, served, settle
from tests.conftest import CHROMIUM_NAMES

FOLDER = ROOT / "build" / "screenshots"
# Shows something on every page: features to choose from, and a band that is not too thin to see.
SHOWN = {
    "": "data=breast-cancer",
    "features": "data=bank-calls&select=noisy-scores&epsilon.selection=0.01&epsilon.training=0.99",
    "model": "data=heart-risk&select=noisy-scores&epsilon.selection=0.1&epsilon.training=0.9",
    "roc": "data=bank-calls&epsilon=0.1",
    "audit": "audit_show=laplace&audit_trials=20000",
}
WIDTHS = (1280, 400)
TALLEST = 4000


def picture(page: Page, name: str) -> None:
    """Save the whole page, however tall, as one picture."""
    height = page.evaluate(
        """() => document.querySelector("[data-testid=stMainBlockContainer]").scrollHeight"""
    )
    width = page.viewport_size["width"]
    page.set_viewport_size({"width": width, "height": min(max(int(height), 900), TALLEST)})
    settle(page)
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


def take(browser: Browser, address: str) -> None:
    """Take every picture."""
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            for path in PAGES:
                context = new_context(browser, scheme=scheme, width=width)
                page = context.new_page()
                page.goto(f"{address}/{path}?{SHOWN.get(path, 'data=heart-risk')}")
                settle(page)
                name = f"{path or 'overview'}-{scheme}-{width}"
                picture(page, name)
                print(FOLDER.relative_to(ROOT) / f"{name}.png", flush=True)
                context.close()


def main() -> int:
    """Serve the app, and take the pictures."""
    found = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM_NAMES)), None
    )
    if found is None:
        print("no Chromium: set CHROMIUM to the path of one", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with served() as address, launched(found) as browser:
        take(browser, address)
    return 0


if __name__ == "__main__":
    sys.exit(main())
