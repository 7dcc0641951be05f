"""The first screen: a whole figure on a telephone, and whatever there is when a page fails."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit
from tests.browser.serving import new_context, settle
from tests.browser.test_every_page import CLIPPED, SCREENS, resized
from tests.browser.test_upload import give

# What Streamlit draws of an error that stops the app before its first page.
FAILURE = """() => {
  const place = document.createElement("div");
  place.dataset.testid = "stMainBlockContainer";
  place.innerHTML = '<div data-testid="stException">NameError</div>';
  document.body.append(place);
}"""


def page_without_streamlit(chrome: Browser, address: str) -> Page:
    """Our first page alone: the scripts of Streamlit never come."""
    page = new_context(chrome).new_page()
    page.clock.install()
    page.route("**/static/**", lambda route: route.abort())
    page.goto(address)
    return page


def test_an_error_is_shown_at_once(chrome: Browser, address: str) -> None:
    page = page_without_streamlit(chrome, address)
    page.evaluate(FAILURE)
    page.clock.run_for(100)
    assert page.get_by_text("NameError").is_visible()
    page.context.close()


def test_whatever_there_is_is_shown_in_the_end(chrome: Browser, address: str) -> None:
    page = page_without_streamlit(chrome, address)
    page.evaluate(FAILURE.replace("stException", "other"))
    page.clock.run_for(5_000)
    assert not page.get_by_text("NameError").is_visible()
    page.clock.run_for(15_000)
    assert page.get_by_text("NameError").is_visible()
    page.context.close()


@pytest.mark.parametrize("path", ["ecdf", "sparse_vector_lab"])
def test_a_telephone_shows_the_whole_figure_at_once(visit: Visit, path: str) -> None:
    page = visit(path, width=390)
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    box = page.locator(".dpcore-figure").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    assert_words_apart(page)
    # On paper and in a wider window its legend takes fewer lines; in half a window, what would be a
    # strip of words at its side stands beneath it.
    for width in (1280, 1600, 900):
        page.set_viewport_size({"width": width, "height": 844})
        settle(page)
        assert_words_apart(page)
    columns = "[...document.querySelectorAll('.stMain [data-testid=stColumn]')]"
    assert page.evaluate(f"Math.min(...{columns}.map((one) => one.offsetWidth))") > 180


def assert_words_apart(page: Page) -> None:
    """No word of the first figure lies on another."""
    kinds = ".legendtext, .annotation-text, .xtitle, .x2title"
    words = page.locator(".dpcore-figure").first.locator(kinds)
    boxes = [one.bounding_box() for one in words.all()]
    places = [(one["x"], one["y"], one["width"], one["height"]) for one in boxes if one]
    assert len(places) > 4
    for at, (x, y, width, height) in enumerate(places):
        for left, top, wide, high in places[:at]:
            apart = left >= x + width or x >= left + wide or top >= y + height or y >= top + high
            assert apart, places


def test_a_file_of_two_models_is_told_on_one_screen(visit: Visit) -> None:
    """As a clinic keeps it: semicolons, decimal commas, percent signs, class names, a group."""
    rows = "".join(
        f"P{place};{'krank' if place % 7 < 2 else 'gesund'};{place * 37 % 100},5 %;"
        f"{place * 53 % 100},0 %;{'männlich' if place % 2 else 'weiblich'}\r\n"
        for place in range(400)
    )
    names = "Patienten-ID;Diagnose;Wahrscheinlichkeit Modell A;Wahrscheinlichkeit Modell B"
    page = visit("data")
    page.get_by_role("radio", name="My predictions").click()
    page.get_by_text("A table with a label and a score").wait_for()
    settle(page)
    give(page, "Vorhersagen.csv", f"{names};Geschlecht\r\n{rows}".encode("cp1252"))
    page.get_by_text("Vorhersagen.csv: 400 predictions; scores are about “krank”").wait_for()
    assert resized(page, 1280, 800, glance=True) == []
    for name in ("ROC", "Threshold", "Groups", "Compare"):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_url(f"**/{name.lower()}*")
        for size in SCREENS[::-1]:
            assert resized(page, *size, glance=True) == [], name


SELECTS = "data=bank-calls&select=noisy-scores&epsilon.selection=0.5"


@pytest.mark.parametrize(
    "link",
    [
        f"model?{SELECTS}",
        "model?model_view=accuracy&model_draws=1",
        "federated_ecdf?federated_ecdf_curve=roc",
        "reproductions?reproductions_name=stoddard-figure-7",
        f"features?features_view=budget&features_runs=1&{SELECTS}",
        "roc?roc_view=panels",
        "roc?foo=1&bar=2&baz=3",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in (
                "model?model_view=parameters", "model?model_view=runtime",
                f"model?model_view=parameters&{SELECTS}", f"model?model_view=runtime&{SELECTS}",
                f"model?model_view=accuracy&model_draws=1&{SELECTS}",
                "roc?roc_view=methods", "roc?roc_view=redraws",
                "roc?method=recursive-medians&k=6", "reproductions?reproductions_name=lyu-figure-4",
                f"features?features_view=free&features_runs=1&{SELECTS}",
                f"features?features_view=thresholds&features_runs=1&{SELECTS}&pin=same",
                "federated_ecdf?pin=same", "model?model_view=runtime&pin=same",
                f"features?{SELECTS.replace('bank-calls', 'messages')}",
                f"features?features_view=thresholds&features_runs=1&{SELECTS}",
                f"features?features_view=rows&features_runs=1&{SELECTS}",
                "sparse_vector_lab?sparse_vector_lab_view=algorithms",
                "sparse_vector_lab?sparse_vector_lab_view=errors&sparse_vector_lab_runs=1",
            )
        ),
    ],
)  # fmt: skip
def test_every_other_view_is_told_on_one_screen(visit: Visit, link: str) -> None:
    page = visit(link)
    assert page.locator(".dpcore-figure").count()
    for size in SCREENS:
        assert resized(page, *size, glance=True) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    settle(page)
    assert page.evaluate(CLIPPED) == []


def test_kinds_of_model_stand_on_one_line_and_a_total_is_divided_at_once(visit: Visit) -> None:
    """The third kind stood alone beneath the others, as if it were another choice."""
    page = visit("model")
    kinds = page.get_by_role("radiogroup", name="Model").get_by_role("radio")
    tops = {kinds.nth(place).bounding_box()["y"] for place in range(kinds.count())}
    assert (kinds.count(), len(tops)) == (3, 1)
    share = page.get_by_text("Training: epsilon 1", exact=True).first
    share.wait_for()
    page.locator(".st-key-moves input[type=range]").first.focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Training: epsilon 0.75", exact=True).first.wait_for()
    settle(page)
    assert not share.count()
    assert "epsilon 0.75" in page.locator(".dpcore-headline").first.inner_text()


# Where the words at the foot of a page stand, and where its title begins and the bar above ends.
FOOT = """() => [...document.querySelectorAll(".st-key-glossary > *")].map((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return Math.round((top + bottom) / 2);
})"""
BEYOND = """(all) => all.filter((line) => line.scrollWidth > line.clientWidth + 1)
  .map((line) => line.textContent)"""
TITLE_AND_BAR = """() => [document.querySelector("h1").getBoundingClientRect().top,
  document.querySelector("[data-testid=stHeader]").getBoundingClientRect().bottom]"""


def test_lines_of_words_at_the_foot_follow_closely(visit: Visit) -> None:
    """Beside the menu, a page of 900 pixels has two lines of them."""
    page = visit("roc", width=900)
    first, *_, last = page.evaluate(FOOT)
    assert 20 < last - first < 45
    page.locator(".dpcore-glossary summary").click()
    heads = page.locator(".dpcore-glossary :is(summary, dt)")
    edges = heads.evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
    assert max(edges) - min(edges) < 16


def test_boxes_have_room_for_noise_of_many_digits(visit: Visit) -> None:
    """By link an epsilon may be so small that noise has eight digits."""
    page = visit("sparse_vector_lab?sparse_vector_lab_epsilon=1e-6")
    boxes = page.locator(".dpcore-numbers > *")
    assert boxes.count()
    assert boxes.evaluate_all(BEYOND) == []


@pytest.mark.slow
def test_the_words_at_the_foot_stand_on_one_line_of_a_telephone(visit: Visit) -> None:
    page = visit("roc", width=360)
    assert page.locator(".st-key-glossary > *").count() == 6
    assert len({*page.evaluate(FOOT)}) == 1


@pytest.mark.slow
def test_a_sidebar_that_lies_over_the_page_goes_when_it_has_led_somewhere(visit: Visit) -> None:
    """And no bar lies over the title while it is away, in a window of any width."""
    page = visit("roc", width=760)
    sidebar = page.get_by_test_id("stSidebar")
    for name, heading in (("ECDF", "Score distributions"), ("ROC", "ROC curve")):
        page.get_by_test_id("stExpandSidebarButton").click()
        expect(sidebar).to_have_attribute("data-collapsed", "false")
        page.get_by_role("link", name=name, exact=True).click()
        page.get_by_role("heading", name=heading, level=1).wait_for()
        expect(sidebar).to_have_attribute("data-collapsed", "true")
    settle(page)
    title, bar = page.evaluate(TITLE_AND_BAR)
    assert title >= bar
    page = visit("roc", stranger=True)
    sidebar = page.get_by_test_id("stSidebar")
    page.get_by_role("link", name="ECDF", exact=True).click()
    page.get_by_role("heading", name="Score distributions", level=1).wait_for()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    page.get_by_test_id("stSidebarHeader").hover()
    page.get_by_role("button", name="Collapse sidebar").click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    title, bar = page.evaluate(TITLE_AND_BAR)
    assert title >= bar
