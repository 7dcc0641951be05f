"""What every page owes its visitors, whatever it shows; new pages are found by the navigation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.access import violations
from tests.browser.conftest import Received, Visit
from tests.browser.serving import PAGES, settle

MEGABYTE = 1_000_000
# Google's Web Vitals call a shift of less "good"; it is the share of the window that jumps.
SMALL_SHIFT = 0.1
# What a key can reach. A group of radio buttons is one stop, and its arrows do the rest.
REACHABLE = """() => [...document.querySelectorAll(
    "button, a[href], input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => !one.disabled && one.type !== "radio" && one.tabIndex >= 0
    && !one.closest("[inert], [aria-hidden=true], [role=radiogroup], [role=toolbar]")
    && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((one) => { one.dpcoreWaits = true; return one; }).length"""
MISSED = """() => [...document.querySelectorAll("*")].filter((one) => one.dpcoreWaits)
  .map((one) => one.outerHTML.slice(0, 200))"""
WALK = """() => { const one = document.activeElement;
  const again = one.dpcoreSeen; one.dpcoreSeen = true; one.dpcoreWaits = false;
  return Boolean(again) || one === document.body; }"""
SHIFT = """() => new Promise((resolve) => {
  let total = 0;
  const watch = new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) total += one.value;
  });
  watch.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(total), 50);
})"""


def unreachable(page: Page) -> list[str]:
    """Everything that Tab does not come to, in one walk over the page."""
    page.evaluate("document.activeElement.blur()")
    for _ in range(2 * int(page.evaluate(REACHABLE)) + 20):
        page.keyboard.press("Tab")
        if page.evaluate(WALK):
            break
    missed: list[str] = page.evaluate(MISSED)
    return missed


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_light_and_still(
    visit: Visit, received: Received, path: str
) -> None:
    page = visit(path)
    weight = sum(received)
    # Buffered entries are those of the whole visit; axe and the keys come later.
    shift = float(page.evaluate(SHIFT))
    problems = violations(page)
    missed = unreachable(page)
    page.emulate_media(color_scheme="dark")
    settle(page)
    problems += [f"dark: {one}" for one in violations(page)]
    assert problems == []
    assert missed == []
    assert shift < SMALL_SHIFT
    assert weight < 2 * MEGABYTE


def test_a_violation_is_found(visit: Visit) -> None:
    page = visit("data")
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')")
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
