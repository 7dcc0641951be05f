"""A printed page says what it shows, unfolds its explanations, and has the colours of paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit

LINE = ".dpcore-hand-out"
FOLDED = "document.querySelectorAll('.stMain details:not([open])').length"
TRUE_CURVE = """() => [...document.querySelectorAll(".dpcore-figure .scatterlayer path.js-line")]
  .map((line) => getComputedStyle(line).stroke)"""


def on(page: Page, medium: str) -> None:
    page.emulate_media(media=medium, color_scheme="dark")
    page.wait_for_timeout(300)


@pytest.mark.slow
def test_a_dark_page_on_paper(visit: Visit) -> None:
    page = visit("roc?data=heart-risk&epsilon=0.5", scheme="dark")
    folded = page.evaluate(FOLDED)
    assert folded
    on(page, "print")
    said = page.locator(LINE).inner_text()
    for fact in (
        "Heart risk, 4,200 records",
        "Epsilon of the ROC curve: 0.5",
        "Method: Quantile bins",
        "seed 7",
        "data=heart-risk",
    ):
        assert fact in said
    assert page.evaluate(FOLDED) == 0
    assert "rgb(0, 114, 178)" in page.evaluate(TRUE_CURVE)
    assert not page.get_by_text("Take it with you").is_visible()
    # Folds with nothing on paper would be empty boxes: lines that nobody asked for, and controls.
    folds = [one.inner_text() for one in page.locator(".stExpander").all() if one.is_visible()]
    assert len(folds) == 1
    assert folds[0].startswith("What am I looking at?")
    on(page, "screen")
    assert page.locator(LINE).count() == 0
    assert page.evaluate(FOLDED) == folded
    assert "rgb(86, 180, 233)" in page.evaluate(TRUE_CURVE)


@pytest.mark.slow
def test_a_page_with_data_of_its_own_does_not_name_those_that_are_open(visit: Visit) -> None:
    page = visit("audit")
    on(page, "print")
    said = page.locator(LINE).inner_text()
    assert "records" not in said.splitlines()[0]
    assert "seed" in said
