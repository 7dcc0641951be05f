"""Every control of every page, walked to both ends; the link that it leaves is then reloaded.

In short: all numbers of a page together, to the end, back and to the end again, as somebody tries
them. In full (`make test-slow`): each control by itself, lists and switches too.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Visit
from tests.browser.serving import PAGES, settle

# Views that hold controls of their own, beside those that a page begins with.
VIEWS = {
    "roc": ("roc_view=methods", "method=recursive-medians", "method=fixed-space"),
    "features": ("select=noisy-scores&epsilon.selection=1",),
    "model": ("model_view=accuracy&model_draws=1", "model=logistic"),
    "audit": ("audit_show=own&audit_trials=100",),
    "sparse_vector_lab": (
        "sparse_vector_lab_view=errors&sparse_vector_lab_runs=1&sparse_vector_lab_largest=50",
        "sparse_vector_lab_view=algorithms",
        "sparse_vector_lab_retraverse=yes",
    ),
}
WITHOUT = ("", "data", "budget", "reproductions", "ledger", "release_desk")
SHORT = [path for path in PAGES if path not in WITHOUT]
SHORT[SHORT.index("sparse_vector_lab")] = f"sparse_vector_lab?{VIEWS['sparse_vector_lab'][0]}"
FULL = [*SHORT, *(f"{path}?{view}" for path, views in VIEWS.items() for view in views)]
WARNINGS = "[data-testid=stAlertContentWarning]"
SLIDERS = "[data-testid=stMain] input[type=range]"
LISTS = "[data-testid=stMain] [data-testid=stButtonGroup] [role=radio]"
CALM = "[data-testid=stApp][data-test-script-state=notRunning]"
# What takes long at its end, and is walked in full only.
LONG = ("Draws", "Runs", "Largest", "Training records", "Test records", "Variables", "Steps")
# A run begins a moment after its key.
MOMENT = 150


def rest(page: Page) -> None:
    """Wait until the script has run; figures may still be drawn."""
    page.wait_for_timeout(MOMENT)
    page.wait_for_selector(CALM, timeout=60_000)


def numbers(page: Page, left_out: tuple[str, ...] = ()) -> list[Locator]:
    """The sliders of a page."""
    labels = [one.get_attribute("aria-label") or "" for one in page.locator(SLIDERS).all()]
    return [
        page.locator(SLIDERS).nth(place)
        for place, label in enumerate(labels)
        if not label.startswith(left_out or ("\0",))
    ]


def refused(page: Page) -> list[str]:
    """What the page says against a link."""
    return [text for text in page.locator(WARNINGS).all_inner_texts() if "The link" in text]


def shown(page: Page) -> list[tuple[str | None, str | None]]:
    """What every slider says."""
    return [
        (one.get_attribute("aria-label"), one.get_attribute("aria-valuetext"))
        for one in page.locator(SLIDERS).all()
    ]


def press_all(page: Page, key: str) -> None:
    """Press a key on every slider, one after the other, without waiting for what follows."""
    for one in numbers(page, LONG):
        if one.count() and one.is_visible() and one.is_enabled():
            one.press(key)


def walk(page: Page, control: Locator, keys: tuple[str, ...]) -> list[str]:
    """Press keys on one control; what is said on the way."""
    found = []
    for key in keys:
        if not (control.count() and control.is_visible() and control.is_enabled()):
            break
        control.press(key)
        rest(page)
        found += refused(page)
    return found


def reloaded(page: Page) -> list[str]:
    """Open the link that the page wrote: what is refused, and what is another value."""
    rest(page)
    before, address = shown(page), page.url
    page.reload()
    settle(page)
    found = refused(page)
    found += [
        f"{was} became {now}" for was, now in zip(before, shown(page), strict=True) if was != now
    ]
    return found + ([f"{address} became {page.url}"] if page.url != address else [])


def test_all_numbers_of_every_page(visit: Visit, address: str) -> None:
    found, page = {}, visit(SHORT[0])
    for path in SHORT:
        page.goto(f"{address}/{path}")
        settle(page)
        said: list[str] = []
        for key in ("End", "Home", "End"):
            press_all(page, key)
            rest(page)
            said += refused(page)
        if said := said + reloaded(page):
            found[path] = said
    assert found == {}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", FULL)
def test_each_control_of_a_page(visit: Visit, path: str) -> None:
    page, found = visit(path), []
    for one in numbers(page):
        found += walk(page, one, ("End", "Home", "End"))
    found += reloaded(page)
    for place in range(page.locator(LISTS).count()):
        one = page.locator(LISTS).nth(place)
        if one.count() and one.is_visible():
            one.click()
            rest(page)
            found += refused(page)
    assert found + reloaded(page) == []
