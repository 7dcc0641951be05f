"""Figures follow the theme, pages are found, and the first of all visits may be a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.conftest import Visit
from tests.browser.serving import new_context, served, settle

SECTIONS = {"Explore", "Evaluate", "Release", "Learn"}
# What a visitor sees in Teach mode until "Learn" is opened.
TOLD = ["Overview", "Data", "Features", "Model", "ROC", "ECDF", "Calibration", "Threshold",
        "Groups", "Compare", "Release privately"]  # fmt: skip
# Writes down every list of pages that could be seen, at each frame of the screen.
NAMES = """globalThis.dpcoreNames = [];
const look = () => {
  const seen = [...document.querySelectorAll("[data-testid=stSidebarNavLink]")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((one) => one.innerText.trim().split("\\n").at(-1));
  const last = dpcoreNames.at(-1) ?? [];
  if (seen.join() !== last.join()) dpcoreNames.push(seen);
  requestAnimationFrame(look);
};
look();"""


def test_the_first_visit_of_a_server_may_be_a_link(
    address: str, visitors: list[BrowserContext], chrome: Browser
) -> None:
    """Streamlit would show the files of pages/ as they are until app.py has run once."""
    assert visitors == [], "tests/conftest.py puts this file before all that visit the server"
    context = new_context(chrome)
    context.add_init_script(NAMES)
    page = context.new_page()
    page.goto(f"{address}/roc?epsilon=0.2")
    settle(page)
    page.get_by_text("At epsilon 0.2").wait_for()
    headers = page.locator("[data-testid=stNavSectionHeader]").all_inner_texts()
    # Beneath the word stands the sign of what unfolds.
    assert {header.partition("\n")[0] for header in headers} == SECTIONS
    assert page.evaluate("[...dpcoreNames]") == [TOLD]
    assert page.get_by_text("Teach mode").count() == 1
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme, colour", [("light", "#0072B2"), ("dark", "#56B4E9")])
def test_figures_follow_the_theme(visit: Visit, scheme: str, colour: str) -> None:
    page = visit("roc", scheme=scheme)
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    strokes = page.evaluate(
        """() => [...document.querySelectorAll(".scatterlayer path.js-line")]
                 .map((line) => [line.style.stroke, line.style.strokeDasharray])"""
    )
    solid = [stroke for stroke, dashes in strokes if not dashes]
    assert f"rgb({red}, {green}, {blue})" in solid
    assert any(dashes for _, dashes in strokes)


@pytest.mark.slow
def test_figures_change_when_the_system_turns_dark(visit: Visit) -> None:
    page = visit("roc")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        """() => [...document.querySelectorAll(".scatterlayer path.js-line")]
                 .some((line) => line.style.stroke === "rgb(86, 180, 233)")"""
    )
    # It has words for who cannot see it.
    assert page.get_by_role("img", name="ROC curves: true positive rate").count() == 1


@pytest.mark.slow
def test_the_pages_are_reached_by_the_navigation(visit: Visit) -> None:
    page = visit("")
    for name, title in (("Data", "Data"), ("Model", "Model"), ("ROC", "ROC curve")):
        page.get_by_role("link", name=name, exact=True).click()
        page.get_by_role("heading", name=title, exact=True, level=1).wait_for()
        settle(page)


def test_what_is_for_learning_is_folded_until_it_is_opened(visit: Visit) -> None:
    page = visit("", stranger=True)
    sidebar = page.locator("[data-testid=stSidebarNav]")
    names = sidebar.get_by_role("link")
    assert [words.split("\n")[-1] for words in names.all_inner_texts()] == TOLD
    # What is open is named beside it, without scrolling.
    page.set_viewport_size({"width": 1280, "height": 800})
    settle(page)
    box = page.locator("[data-testid=stSidebar] .dpcore-aside").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    # Folded, it shows that it unfolds, where no mouse is either.
    assert sidebar.get_by_text("expand_more", exact=True).locator("visible=true").count() == 1
    sidebar.get_by_role("button", name="Learn").press("Enter")
    sidebar.get_by_role("link", name="Audit").wait_for()
    assert names.count() == len(TOLD) + 5


def test_a_link_into_a_folded_section_unfolds_it(visit: Visit) -> None:
    sidebar = visit("audit", stranger=True).locator("[data-testid=stSidebarNav]")
    assert sidebar.get_by_role("link", name="Audit").is_visible()


# In quick: tests/app/test_first_screen.py, by the addresses.
@pytest.mark.slow
def test_the_app_may_be_served_below_a_path(chrome: Browser) -> None:
    """Streamlit answers with its own page, and says that all is well, where it knows no file."""
    with served(STREAMLIT_SERVER_BASE_URL_PATH="lab") as address:
        context = new_context(chrome)
        page = context.new_page()
        page.goto(f"{address}/threshold")
        settle(page)
        assert page.locator(".dpcore-figure:has(.main-svg)").count() == 2
        # With our style and script, as at the root.
        assert page.evaluate("typeof dpcoreFolded") == "object"
        page.get_by_role("link", name="Calibration", exact=True).click()
        page.get_by_role("heading", name="Calibration", exact=True, level=1).wait_for()
        settle(page)
        assert page.url.startswith(f"{address}/calibration?")
        assert page.locator(".dpcore-figure:has(.main-svg)").count() == 1
        context.close()
