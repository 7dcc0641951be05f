"""A newcomer: how far a file is from its private ROC curve, the guide, and four words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Visit
from tests.browser.serving import settle
from tests.browser.test_upload import PEOPLE

GUIDE = ".dpcore-guide"


class Newcomer:
    """Counts what somebody has to do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.interactions = 0

    def click(self, place: Locator) -> None:
        self.interactions += 1
        place.click()

    def give(self, name: str, content: str) -> None:
        self.interactions += 1
        file = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
        self.page.locator("input[type=file]").first.set_input_files(file)


@pytest.mark.slow
def test_six_interactions_lead_to_the_curve_of_an_uploaded_csv(visit: Visit) -> None:
    page = visit("", guided=True)
    someone = Newcomer(page)
    someone.click(page.get_by_role("button", name="Skip the guide"))
    someone.click(page.locator("[data-testid=stMain]").get_by_text("Use your own data"))
    someone.click(page.get_by_role("radio", name="My table"))
    someone.give("people.csv", PEOPLE)
    page.get_by_text("people.csv: 300 records, 3 columns").wait_for()
    someone.click(page.get_by_role("link", name="ROC", exact=True))
    page.get_by_role("heading", name="ROC curve", exact=True, level=1).wait_for()
    page.get_by_text("the true one is").wait_for()
    settle(page)
    assert "people.csv" in page.locator("[data-testid=stSidebar]").inner_text()
    names = page.evaluate("document.querySelector('.dpcore-figure').data.map((one) => one.name)")
    assert any(name and name.startswith("private") for name in names)
    assert someone.interactions <= 6


def test_the_guide_leads_through_five_steps_by_key_and_never_comes_back(visit: Visit) -> None:
    page = visit("", guided=True)
    card = page.locator(GUIDE)
    assert card.is_visible()
    following = page.locator(f"{GUIDE} [data-act=next]")
    following.focus()
    for step, heading in ((2, "Data"), (3, "Model"), (4, "ROC curve"), (5, "Release desk")):
        page.keyboard.press("Enter")
        page.get_by_text(f"Step {step} of 5").wait_for()
        page.get_by_role("heading", name=heading, exact=True, level=1).wait_for()
        settle(page)
    assert following.inner_text() == "Done"
    page.keyboard.press("Enter")
    assert not card.is_visible()
    again = assert_gone(page)
    again.get_by_role("button", name="Guided visit").click()
    again.get_by_text("Step 1 of 5").wait_for()


@pytest.mark.slow
def test_the_guide_speaks_of_the_page_it_stands_on(visit: Visit) -> None:
    page = visit("", guided=True)
    card = page.locator(GUIDE)
    page.get_by_role("link", name="ECDF", exact=True).click()
    page.get_by_role("heading", name="Score distributions", level=1).wait_for()
    card.wait_for(state="hidden")
    page.get_by_role("link", name="ROC", exact=True).click()
    page.get_by_text("Step 4 of 5").wait_for()
    assert card.locator(".title").inner_text() == "Drag epsilon"
    card.locator("[data-act=back]").click()
    page.get_by_text("Step 3 of 5").wait_for()
    page.get_by_role("heading", name="Model", exact=True, level=1).wait_for()


@pytest.mark.slow
def test_a_skipped_guide_never_comes_back(visit: Visit) -> None:
    page = visit("", guided=True)
    page.locator(f"{GUIDE} [data-act=next]").focus()
    page.keyboard.press("Escape")
    assert not page.locator(GUIDE).is_visible()
    assert_gone(page)


def assert_gone(page: Page) -> Page:
    """The guide stays away when the same browser comes again; the page that it came to."""
    again = page.context.new_page()
    again.goto(page.url.split("?")[0].rsplit("/", 1)[0] + "/")
    settle(again)
    assert again.locator(GUIDE).count() == 1
    assert not again.locator(GUIDE).is_visible()
    return again


def test_a_badge_and_a_label_open_their_entry_of_the_glossary(visit: Visit) -> None:
    page = visit("roc?data=heart-risk")
    entries = page.locator(".dpcore-glossary")
    assert not entries.locator("dl").is_visible()
    for link, name in (("privacy proven", "Privacy proven"), ("AUC", "AUC")):
        page.locator("[data-testid=stMain] a", has_text=link).first.press("Enter")
        entry = entries.locator("div:target")
        entry.wait_for()
        assert entry.locator("dt").inner_text() == name
        page.wait_for_function(
            """() => { const box = document.querySelector(".dpcore-glossary :target")
                .getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"""
        )
    settle(page)
    assert page.get_by_role("heading", name="ROC curve", level=1).count() == 1
    assert page.locator("[data-testid=stAlert]").count() == 0


def test_a_link_is_not_interrupted_and_the_glossary_opens_and_closes_by_key(visit: Visit) -> None:
    page = visit("budget", guided=True)
    assert not page.locator(GUIDE).is_visible()
    for word, meaning in (
        ("Epsilon", "Smaller is more private"),
        ("Sensitivity", "How far one record can move the exact answer"),
        ("Neighbours", "Two data sets that nobody may tell apart"),
        ("Composition", "What several releases cost together"),
    ):
        page.locator(".st-key-glossary button").filter(has_text=word).focus()
        page.keyboard.press("Enter")
        page.get_by_text(meaning).wait_for()
        page.keyboard.press("Escape")
        page.get_by_text(meaning).wait_for(state="hidden")
