"""Every page looks as its reference does; `make screenshots KEEP=--keep` takes new references.

By default the two pages that a newcomer sees first are compared, as different as they can be shown.
All of them take minutes, and so they are slow tests.
"""

from __future__ import annotations

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser import references
from tests.browser.screenshots import SCHEMES, SHEET, WIDTHS, of_page, title
from tests.browser.serving import PAGES

ALL = [(path, width) for path in PAGES for width in WIDTHS]
LARGEST_FILE, LARGEST_FOLDER = 100_000, 4_000_000


def compare(chrome: Browser, address: str, path: str, width: int) -> None:
    shares = {
        name: references.changed(name, png) for name, png in of_page(chrome, address, path, width)
    }
    assert {
        name: share for name, share in shares.items() if share > references.TOLERATED_SHARE
    } == {}


@pytest.mark.parametrize("path, width", [("", 1280), ("roc", 390)])
def test_the_first_pages_look_as_ever(chrome: Browser, address: str, path: str, width: int) -> None:
    compare(chrome, address, path, width)


@pytest.mark.slow
@pytest.mark.parametrize("path, width", ALL)
def test_every_page_looks_as_ever(chrome: Browser, address: str, path: str, width: int) -> None:
    compare(chrome, address, path, width)


def test_another_page_and_a_small_change_are_told_apart() -> None:
    one = Image.open(references.path_of("roc-light-1280")).convert("RGB")
    for name in ("overview-light-1280", "roc-dark-1280", "ecdf-light-1280"):
        other = Image.open(references.path_of(name))
        assert references.share_apart(one, other) > references.TOLERATED_SHARE
    marked = one.copy()
    side = round((2 * references.TOLERATED_SHARE * one.width * one.height) ** 0.5)
    marked.paste("#808080", (50, 50, 50 + side, 50 + side))
    assert references.share_apart(one, marked) > references.TOLERATED_SHARE
    assert references.share_apart(one, one) == 0


def test_there_is_a_small_reference_of_every_picture() -> None:
    wanted = {f"{title(path)}-{scheme}-{width}" for path, width in ALL for scheme in SCHEMES}
    kept = {path.stem: path.stat().st_size for path in references.FOLDER.glob("*.png")}
    assert set(kept) == wanted
    assert max(kept.values()) < LARGEST_FILE
    assert sum(kept.values()) < LARGEST_FOLDER
    assert SHEET.is_file()
