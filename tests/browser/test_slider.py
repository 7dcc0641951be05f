"""Dragging epsilon: words, address and figure follow, and the figure is never taken down."""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Visit
from tests.browser.pictures import TOLERATED_SHARE, figure_of, share_of_changed_pixels
from tests.browser.serving import settle

AUC = ".dpcore-numbers dd"


def slider(page: Page) -> Locator:
    return page.locator("[data-testid=stSlider]").first


def wait_for_epsilon(page: Page, epsilon: str) -> None:
    page.wait_for_function("(text) => document.body.innerText.includes(text)", arg=epsilon)
    settle(page)


def epsilon_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["epsilon"][0]


# By mouse it is dragged in test_drag.py, by key in test_upload.py.
@pytest.mark.slow
def test_the_figure_stays_in_place_while_epsilon_moves_by_key_and_by_mouse(visit: Visit) -> None:
    page = visit("roc")
    page.evaluate("document.querySelector('.dpcore-figure').mark = 'the same'")
    page.locator("input[type=range]").first.focus()
    seen = [page.locator(".dpcore-headline").inner_text()]
    for key, epsilon in (("Left", "0.8"), ("Right", "1"), ("Right", "1.2")):
        page.keyboard.press(f"Arrow{key}")
        wait_for_epsilon(page, f"At epsilon {epsilon} ")
        seen.append(page.locator(".dpcore-headline").inner_text())
        assert page.evaluate("document.querySelector('.dpcore-figure').mark") == "the same"
    assert all(one != other for one, other in pairwise(seen))
    meter = page.locator(".dpcore-meter").inner_text()
    assert re.search(r"would cost one person\s+epsilon 1\.2", meter)

    before, picture = page.locator(AUC).first.inner_text(), figure_of(page)
    thumb = page.locator("[data-testid=stSliderThumbValue]").first
    track = slider(page).bounding_box()
    at = thumb.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] + 8)
    page.mouse.down()
    page.mouse.move(track["x"] + 0.2 * track["width"], at["y"] + at["height"] + 8, steps=8)
    page.mouse.up()
    page.wait_for_function(
        f"(before) => document.querySelector('{AUC}').innerText !== before", arg=before
    )
    settle(page)
    epsilon = epsilon_of(page)
    assert 0.01 <= float(epsilon) < 0.1
    assert page.get_by_text(f"At epsilon {epsilon}").count() == 1
    assert share_of_changed_pixels(picture, figure_of(page)) > TOLERATED_SHARE


@pytest.mark.slow
def test_other_sliders_move_the_curve_too(visit: Visit) -> None:
    page = visit("roc?method=recursive-medians&k=6")
    before = figure_of(page)
    page.locator("input[type=range]").nth(1).focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**k=5*")
    settle(page)
    assert share_of_changed_pixels(before, figure_of(page)) > TOLERATED_SHARE
