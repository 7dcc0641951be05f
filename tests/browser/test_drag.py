"""While a slider is dragged the curve moves in the browser; the server is told at the end."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.serving import PATIENCE, settle
from tests.browser.test_controls import unfold

CURVE = "() => JSON.stringify(document.querySelector('.dpcore-figure').data.at(-1).y)"
PALE = "() => document.documentElement.classList.contains('dpcore-dragging')"


def curve(page: Page) -> str:
    return page.evaluate(CURVE)


def choice(page: Page, name: str) -> str:
    return parse_qs(urlsplit(page.url).query)[name][0]


def grip(page: Page, place: int) -> dict[str, float]:
    """Take hold of a slider's thumb; where its track lies."""
    slider = page.locator("[data-testid=stSlider]").nth(place)
    thumb = slider.locator("[data-testid=stSliderThumbValue]").bounding_box()
    track = slider.bounding_box()
    y = thumb["y"] + thumb["height"] + 8
    page.mouse.move(thumb["x"] + thumb["width"] / 2, y)
    page.mouse.down()
    return {"left": track["x"], "width": track["width"], "y": y}


def drag(page: Page, track: dict[str, float], share: float) -> None:
    page.mouse.move(track["left"] + share * track["width"], track["y"], steps=4)
    # Two frames of the screen: the figure looks at the slider once in each.
    page.wait_for_timeout(120)


def test_the_curve_follows_before_the_slider_is_let_go(visit: Visit) -> None:
    page = visit("roc?data=heart-risk")
    assert not page.locator(".dpcore-player").first.is_visible()
    before = curve(page), choice(page, "epsilon")
    track = grip(page, 0)
    seen = []
    for share in (0.6, 0.45, 0.3):
        drag(page, track, share)
        seen.append(curve(page))
        assert choice(page, "epsilon") == before[1]
        assert page.evaluate(PALE)
    assert len({before[0], *seen}) == 4
    page.mouse.up()
    page.wait_for_function("(old) => !location.search.includes(`epsilon=${old}&`)", arg=before[1])
    settle(page)
    # What the server draws for the stop is what the browser has shown already.
    assert curve(page) == seen[-1]
    assert not page.evaluate(PALE)
    assert page.get_by_text(f"At epsilon {choice(page, 'epsilon')}").count() == 1


@pytest.mark.slow
def test_other_sliders_are_followed_too(visit: Visit) -> None:
    page = visit("roc?data=heart-risk&method=recursive-medians&k=10")
    before = curve(page)
    track = grip(page, 1)
    drag(page, track, 0.3)
    moved = curve(page)
    assert moved != before
    assert choice(page, "k") == "10"
    page.mouse.up()
    page.wait_for_function("() => !location.search.includes('k=10')")
    settle(page)
    assert curve(page) == moved


@pytest.mark.slow
@pytest.mark.parametrize("path", ["ecdf", "calibration", "threshold"])
def test_other_pages_follow_too(visit: Visit, path: str) -> None:
    page = visit(f"{path}?data=heart-risk")
    drawn = """() => JSON.stringify(
        document.querySelector('.dpcore-figure').data.map((one) => [one.x, one.y]))"""
    before = page.evaluate(drawn), page.locator(".dpcore-headline").inner_text()
    track = grip(page, 0)
    drag(page, track, 0.3)
    moved = page.evaluate(drawn)
    assert moved != before[0]
    assert page.locator(".dpcore-headline").inner_text() == before[1]
    page.mouse.up()
    page.wait_for_function(
        "(old) => document.querySelector('.dpcore-headline').innerText !== old", arg=before[1]
    )
    settle(page)
    assert page.evaluate(drawn) == moved


@pytest.mark.slow
def test_a_figure_without_stops_waits_for_the_server(visit: Visit) -> None:
    page = visit("roc?data=heart-risk&roc_view=methods")
    before = curve(page)
    track = grip(page, 0)
    drag(page, track, 0.3)
    assert curve(page) == before
    page.mouse.up()
    page.wait_for_function(
        "(before) => JSON.stringify(document.querySelector('.dpcore-figure').data.at(-1).y)"
        " !== before",
        arg=before,
    )


LAB = "sparse_vector_lab?sparse_vector_lab_retraverse=yes&sparse_vector_lab_boost=1"
ALGORITHMS = "sparse_vector_lab?sparse_vector_lab_view=algorithms&sparse_vector_lab_algorithm=4"
# All of every figure: lines, axes that are stated, and the mark of the slider.
ALL = """() => JSON.stringify([...document.querySelectorAll('.dpcore-figure')].map((one) => [
    one.data.map((line) => [line.x, line.y, line.text]), one.layout.shapes,
    ["xaxis", "yaxis", "yaxis3"].map((axis) =>
        one.layout[axis] && !one.layout[axis].autorange && one.layout[axis].range)]))"""
MISSED = (
    "sparse_vector_lab?sparse_vector_lab_view=errors&sparse_vector_lab_runs=1"
    "&sparse_vector_lab_largest=50&sparse_vector_lab_methods=svt-1-1,best"
)
# As many figures as should have stayed as they were. Stops are computed while somebody looks, and
# may come along while the slider is held.
FOLLOWED = f"""([before, still]) => {{
    const old = JSON.parse(before), now = JSON.parse(({ALL})());
    return !document.querySelector(".dpcore-behind") && still === now.filter(
        (one, place) => JSON.stringify(one) === JSON.stringify(old[place])).length;
}}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "path, sliders, still",
    [
        (LAB, {"epsilon": 0, "c": 1, "boost": 2}, 0),
        (ALGORITHMS, {"epsilon": 0, "c": 1, "questions": 2}, 1),
        (MISSED, {"epsilon": 0, "largest": 1}, 0),
    ],
)
def test_the_laboratory_follows_too(
    visit: Visit, path: str, sliders: dict[str, int], still: int
) -> None:
    page = visit(path)
    # How far the threshold is raised is in the fold.
    unfold(page)
    for short, place in sliders.items():
        name = f"sparse_vector_lab_{short}"
        before, old = page.evaluate(ALL), choice(page, name)
        track = grip(page, place)
        drag(page, track, 0.7)
        # Clusters know no cut-off, and no number of questions.
        same = 0 if short in ("epsilon", "boost") else still
        page.wait_for_function(FOLLOWED, arg=[before, same], timeout=2_000 * PATIENCE)
        moved = page.evaluate(ALL)
        assert choice(page, name) == old
        page.mouse.up()
        page.wait_for_function(
            "([name, old]) => new URLSearchParams(location.search).get(name) !== old",
            arg=[name, old],
        )
        settle(page)
        assert page.evaluate(ALL) == moved
