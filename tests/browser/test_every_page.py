"""What every page owes its visitors, whatever it shows; new pages are found by the navigation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.access import violations
from tests.browser.conftest import Received, Visit
from tests.browser.serving import PAGES, settle

MEGABYTE = 1_000_000
# What a key can reach. A group of radio buttons is one stop, and its arrows do the rest.
REACHABLE = """() => [...document.querySelectorAll(
    "button, a[href], input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => !one.disabled && one.type !== "radio" && one.tabIndex >= 0
    && !one.closest("[inert], [aria-hidden=true], [role=radiogroup], [role=toolbar]")
    && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((one) => { one.dpcoreWaits = true; }).length"""
MISSED = """() => [...document.querySelectorAll("*")].filter((one) => one.dpcoreWaits)
  .map((one) => one.outerHTML.slice(0, 200))"""
WALK = """() => { const one = document.activeElement;
  one.dpcoreWaits = false;
  return one === document.body; }"""


def unreachable(page: Page) -> list[str]:
    """Everything that Tab does not come to, in one walk over the page."""
    page.evaluate("document.activeElement.blur()")
    # In a table Tab goes from cell to cell, and then on.
    for _ in range(int(page.evaluate(REACHABLE)) + 200):
        page.keyboard.press("Tab")
        if page.evaluate(WALK):
            break
    missed: list[str] = page.evaluate(MISSED)
    return missed


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_and_calm_and_light(
    visit: Visit, received: Received, path: str
) -> None:
    page = visit(path)
    weight = sum(received)
    heights = page.evaluate("dpcoreHeights")
    problems = violations(page)
    missed = unreachable(page)
    page.emulate_media(color_scheme="dark")
    settle(page)
    problems += [f"dark: {one}" for one in violations(page)]
    assert problems == []
    assert missed == []
    assert [one for one in heights if max(one) - min(one) > 1] == []
    assert weight < 2 * MEGABYTE


def test_a_violation_is_found(visit: Visit) -> None:
    page = visit("data")
    page.evaluate("document.querySelector('h1').after(document.createElement('button'))")
    assert [one.split(":")[0] for one in violations(page)] == ["button-name"]


def test_what_no_key_reaches_is_found(visit: Visit) -> None:
    page = visit("data")
    # Whoever looks for it is sent away.
    page.evaluate(
        """() => {
            const trap = document.createElement("button");
            trap.textContent = "trap";
            document.querySelector("h1").after(trap);
            document.addEventListener("keydown", (event) => event.preventDefault(), true);
        }"""
    )
    assert any("trap" in one for one in unreachable(page))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_private_mode_is_accessible_too(visit: Visit, scheme: str) -> None:
    page = visit("budget", scheme=scheme)
    sidebar = page.locator("[data-testid=stSidebar]")
    sidebar.get_by_role("radio", name="Private").click()
    sidebar.get_by_text("Only releases are shown").wait_for()
    for name in ("Budget", "Release desk", "Ledger"):
        page.get_by_role("link", name=name, exact=True).click()
        page.get_by_role("heading", name=name, exact=True, level=1).wait_for()
        settle(page)
        assert violations(page) == []
