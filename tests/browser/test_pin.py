"""A figure is pinned beside the next one; both are saved as one, and one link leads to both."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Visit
from tests.browser.pictures import pixels
from tests.browser.saving import press
from tests.browser.serving import new_context, settle
from tests.browser.test_drag import PALE, curve, drag, grip

PINNED = """() => JSON.stringify(
  document.querySelector('.dpcore-figure[data-key="roc pinned"]').data.at(-1).y)"""


def pinned(page: Page) -> Page:
    """A page with its figure pinned."""
    page.get_by_role("button", name="Pin", exact=True).click()
    page.get_by_role("button", name="Unpin", exact=True).wait_for()
    settle(page)
    return page


def test_the_pinned_figure_stays_while_the_other_one_is_dragged(
    visit: Visit, chrome: Browser, tmp_path: Path
) -> None:
    page = visit("roc?data=heart-risk")
    shown = curve(page)
    pinned(page)
    assert page.evaluate(PINNED) == shown
    assert "Both settings are the same" in page.locator(".dpcore-pinned").first.inner_text()
    track = grip(page, 0)
    drag(page, track, 0.3)
    # It follows before the slider is let go, and the other one stands.
    assert page.evaluate(PALE)
    assert curve(page) != shown == page.evaluate(PINNED)
    page.mouse.up()
    page.wait_for_function("() => !location.search.includes('epsilon=1&')")
    settle(page)
    told = page.locator(".dpcore-pinned").first.inner_text()
    assert told.startswith("Pinned → now: epsilon of the ROC curve 1 → 0."), told
    boxes = [page.locator(".dpcore-frame").nth(i).bounding_box() for i in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert boxes[0]["y"] + boxes[0]["height"] <= 800

    group = page.locator(".dpcore-save").first
    found = {form: press(page, group, form, tmp_path) for form in ("png", "svg", "csv", "html")}
    assert pixels(found["png"].read_bytes()).shape == (1880, 4000, 3)
    drawn = ElementTree.parse(found["svg"]).getroot()
    # Each figure has half of the picture, and is there as a whole.
    sizes = [one.attrib for one in drawn if one.tag.endswith("svg")]
    assert [(one["x"], one["width"], one["height"]) for one in sizes] == [
        ("0", "1000", "900"), ("1000", "1000", "900")]  # fmt: skip
    assert {one["viewBox"] for one in sizes} == {"0 0 1000 900"}
    words = " ".join(drawn.itertext())
    assert "Pinned: epsilon of the ROC curve 1" in words
    assert words.count("SIMULATION") == 2
    rows = list(csv.DictReader(found["csv"].read_text(encoding="utf-8").splitlines()))
    assert {"private", "pinned: private"} <= {row["line"] for row in rows}
    context = new_context(chrome)
    context.set_offline(True)
    alone = context.new_page()
    alone.goto(found["html"].as_uri())
    alone.wait_for_function("() => document.querySelectorAll('.main-svg').length >= 4")
    assert alone.get_by_text("SIMULATION").count() == 2
    context.close()

    again = visit(page.url.partition("/roc")[2].join(["roc", ""]))
    assert again.url == page.url
    assert (curve(again), again.evaluate(PINNED)) == (curve(page), page.evaluate(PINNED))
    again.get_by_role("button", name="Unpin", exact=True).click()
    again.get_by_role("button", name="Pin", exact=True).wait_for()
    settle(again)
    assert again.locator(".dpcore-figure").count() == 1
    assert "pin=" not in again.url


def test_a_figure_that_grows_is_pinned_too(visit: Visit) -> None:
    page = visit(
        "sparse_vector_lab?sparse_vector_lab_view=errors&sparse_vector_lab_runs=2"
        "&sparse_vector_lab_methods=em,best"
    )
    both = page.locator(".dpcore-figure")
    shown = both.first.inner_html()
    pinned(page)
    page.get_by_role("radio", name="By item").click()
    page.wait_for_function("() => location.search.includes('measure=fnr')")
    settle(page)
    assert both.count() == 2
    assert ("score error rate" in both.nth(1).inner_html()) is ("score error rate" in shown)
    assert "false negative rate" in both.first.inner_html()
    told = page.locator(".dpcore-pinned").first.inner_text()
    assert told == "Pinned → now: measure “By score” → “By item”."
    # Another view of the page: what is pinned stays.
    page.get_by_role("radio", name="One run").click()
    page.wait_for_function("() => location.search.includes('view=run')")
    settle(page)
    assert "score error rate" in both.nth(1).inner_html()
    # Only the present one is played.
    assert page.get_by_role("button", name="Next").filter(visible=True).count() == 1
    page.get_by_role("button", name="Unpin", exact=True).click()
    page.get_by_role("button", name="Pin", exact=True).wait_for()
    settle(page)
    assert both.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "ecdf",
        "federated_ecdf",
        "audit?audit_trials=200",
        "features?select=noisy-scores&epsilon.selection=1",
        "reusable_holdout?reusable_holdout_steps=10",
        "sparse_vector_lab",
    ],
)
def test_on_a_telephone_it_stands_below_in_the_colours_of_the_page(visit: Visit, path: str) -> None:
    page = pinned(visit(path, scheme="dark", width=390))
    boxes = [page.locator(".dpcore-frame").nth(i).bounding_box() for i in (0, 1)]
    assert boxes[0]["x"] == boxes[1]["x"]
    assert boxes[0]["y"] + boxes[0]["height"] < boxes[1]["y"]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    colours = page.locator(".dpcore-figure").evaluate_all(
        "all => all.map((one) => one.dataset.page)"
    )
    assert len(colours) >= 2
    assert set(colours) == {"#11181F"}
    # Another theme: the pinned figure is drawn again, in its own setting.
    page.emulate_media(color_scheme="light")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.dpcore-figure')]"
        ".every((one) => one.dataset.page === '#FFFFFF')"
    )
