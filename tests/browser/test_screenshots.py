"""References are told apart, complete and small; tests/browser/test_every_page.py compares them."""

from __future__ import annotations

from PIL import Image

from tests.browser import references
from tests.browser.screenshots import SCHEMES, SHEET, WIDTHS, title
from tests.browser.serving import PAGES

LARGEST_FILE, LARGEST_FOLDER = 100_000, 4_000_000


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
    wanted = {
        f"{title(path)}-{scheme}-{width}"
        for path in PAGES
        for scheme in SCHEMES
        for width in WIDTHS
    }
    kept = {path.stem: path.stat().st_size for path in references.FOLDER.glob("*.png")}
    assert set(kept) == wanted
    assert max(kept.values()) < LARGEST_FILE
    assert sum(kept.values()) < LARGEST_FOLDER
    assert SHEET.is_file()
