"""The sparse vector laboratory in a browser: steps by keyboard, links to a step, a way to stop."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.serving import settle
from tests.browser.test_controls import unfold

LAB = "sparse_vector_lab"


def said(page: Page) -> str:
    return page.locator(".dpcore-player-name").first.inner_text()


def answers(page: Page) -> int:
    """How many queries are answered in the figure."""
    script = """() => {
        const figure = document.querySelector('[data-key="sparse vector run"]');
        return figure.data.find((trace) => trace.name === "answers").x.length;
    }"""
    return int(page.evaluate(script))


def test_steps_work_from_the_keyboard_and_reach_the_address(visit: Visit) -> None:
    page = visit(LAB)
    # The whole run, as headline and table tell it; there is no motion where less is asked for.
    queries = page.locator(".dpcore-table tbody tr").count()
    assert said(page).startswith(f"Query {queries} of {queries}")
    assert answers(page) == queries
    assert page.get_by_role("button", name="Play", exact=True).count() == 0
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    assert said(page).startswith("Query 1 of ")
    for _ in range(3):
        page.keyboard.press("Enter")
    assert said(page).startswith("Query 4 of ")
    assert answers(page) == 4
    page.wait_for_function("() => location.search.includes('sparse_vector_lab_step=4')")
    settle(page)
    # What came back from the server has not undone a step, nor taken the focus.
    assert said(page).startswith("Query 4 of ")
    page.keyboard.press("Enter")
    assert said(page).startswith("Query 5 of ")
    assert answers(page) == 5


@pytest.mark.slow
def test_a_link_leads_to_a_step(visit: Visit) -> None:
    page = visit(f"{LAB}?sparse_vector_lab_step=7")
    assert said(page).startswith("Query 7 of ")
    assert answers(page) == 7
    page.get_by_role("button", name="Back", exact=True).click()
    assert answers(page) == 6


@pytest.mark.slow
def test_a_long_computation_can_be_stopped_and_goes_on(visit: Visit) -> None:
    # Settled on the first view, then sent to one that takes a while.
    page = visit(f"{LAB}?sparse_vector_lab_runs=50&sparse_vector_lab_largest=300")
    page.get_by_text("What is missed", exact=True).click()
    # The figure is there while it is computed.
    page.get_by_role("button", name="Stop", exact=True).wait_for(timeout=30_000)
    page.locator(".js-plotly-plot").first.wait_for(timeout=30_000)
    page.get_by_role("button", name="Stop", exact=True).press("Enter")
    page.get_by_text("Stopped at").wait_for(timeout=30_000)
    # Its settings are there too, in their fold.
    unfold(page)
    page.get_by_text("Runs", exact=True).first.wait_for()
    page.get_by_role("button", name="Go on").click()
    # What is left may take no time that is seen; a computation to stop again is in test_audit.py.
    page.get_by_text("Stopped at").wait_for(state="detached", timeout=30_000)
    settle(page)
    assert page.get_by_role("button", name="Go on").count() == 0
    assert page.get_by_text("Stopped at").count() == 0
