"""Redraws are played or stepped through, and nothing moves by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Visit
from tests.browser.serving import settle

LINK = "roc?data=heart-risk&roc_view=redraws&epsilon=0.3"

# All redraws stand pale beneath the one that is played.
ALL = "() => JSON.stringify(document.querySelector('.dpcore-figure').data[0].y)"
PALE = "() => document.querySelector('.dpcore-figure').data[0].y.filter((y) => y === null).length"


def name(page: Page) -> str:
    return page.locator(".dpcore-player-name").inner_text()


def press(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).click()


@pytest.mark.slow
def test_it_is_paused_until_somebody_presses_play(chrome: Browser, address: str) -> None:
    context = chrome.new_context(reduced_motion="no-preference")
    page = context.new_page()
    page.goto(f"{address}/{LINK}")
    settle(page)
    page.wait_for_timeout(1_000)
    assert name(page).startswith("Redraw 1 of 20")
    assert page.evaluate(PALE) == 20
    press(page, "Play")
    page.wait_for_function(
        "() => document.querySelector('.dpcore-player-name').innerText.includes('Redraw 3 of 20')"
    )
    press(page, "Pause")
    stopped = name(page)
    page.wait_for_timeout(1_000)
    assert name(page) == stopped
    context.close()


@pytest.mark.slow
def test_less_motion_leaves_steps_only(visit: Visit) -> None:
    page = visit(LINK)
    assert page.get_by_role("button", name="Play", exact=True).count() == 0
    curve = "() => JSON.stringify(document.querySelector('.dpcore-figure').data.at(-1).y)"
    first, pale = page.evaluate(curve), page.evaluate(ALL)
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    assert name(page).startswith("Redraw 2 of 20")
    assert page.evaluate(curve) != first
    assert page.evaluate(ALL) == pale
    press(page, "Back")
    assert page.evaluate(curve) == first
    press(page, "Back")
    assert name(page).startswith("Redraw 20 of 20")
