"""An audit runs by itself, ends when somebody stops it, and is repeated by its link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.pictures import assert_same, figure_of
from tests.browser.serving import settle

LONG = "audit?audit_show=clusters&audit_trials=200000"
DONE = "audit?audit_show=laplace&audit_trials=20000"
PROGRESS = "[data-testid=stProgress]"


def drawn(page: Page) -> int:
    """Draws so far, by the words of the progress bar."""
    words = page.locator(PROGRESS).first.inner_text()
    found = re.search(r"([\d,]+) of", words)
    assert found, words
    return int(found[1].replace(",", ""))


def wait_for_more_than(page: Page, number: int) -> None:
    page.wait_for_function(
        """([bar, number]) => {
            const words = document.querySelector(bar)?.innerText ?? "";
            const found = words.match(/([\\d,]+) of/);
            return found && Number(found[1].replaceAll(",", "")) > number;
        }""",
        arg=[PROGRESS, number],
    )


def press(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).press("Enter")


# tests/app/test_audit_page.py asks it without a browser.
@pytest.mark.slow
def test_it_runs_until_it_is_stopped_and_goes_on_when_told(visit: Visit) -> None:
    # Its figures never rest, so nobody waits for that.
    page = visit(LONG, calm=False)
    wait_for_more_than(page, 0)
    wait_for_more_than(page, drawn(page))
    press(page, "Stop")
    page.get_by_text("Stopped after").wait_for()
    stopped = drawn(page)
    page.wait_for_timeout(2_000)
    assert drawn(page) == stopped < 200_000
    press(page, "Go on")
    wait_for_more_than(page, stopped)
    press(page, "Stop")
    page.get_by_text("Stopped after").wait_for()
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")


@pytest.mark.slow
def test_a_link_repeats_the_picture(visit: Visit) -> None:
    pictures = []
    for _ in range(2):
        page = visit(DONE)
        page.get_by_text("Done: 20,000 of 20,000").wait_for()
        settle(page)
        pictures.append(figure_of(page))
    assert_same(*pictures)
