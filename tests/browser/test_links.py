"""A link leads to the same picture."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.pictures import (
    TOLERATED_SHARE,
    assert_same,
    figure_of,
    share_of_changed_pixels,
)
from tests.browser.serving import settle

LINK = "roc?data=heart-risk&epsilon=0.37&method=fixed-space&alpha=0.25&seed=5"


# What a figure holds is compared without a browser, in tests/app/test_links.py.
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_two_visitors_see_the_same_picture(visit: Visit, scheme: str) -> None:
    first = visit(LINK, scheme=scheme)
    # The address has been completed meanwhile; it is what a visitor would copy.
    path = first.url.split("/", 3)[3]
    second = visit(path, scheme=scheme)
    assert_same(figure_of(first), figure_of(second))
    assert second.locator(".dpcore-headline").inner_text().startswith("At epsilon 0.37")


@pytest.mark.slow
def test_a_picture_made_by_hand_is_reproduced_by_its_address(visit: Visit) -> None:
    by_hand = visit("roc")
    by_hand.get_by_role("button", name="Redraw the noise").click()
    by_hand.wait_for_url("**redraw=1*")
    by_hand.locator("input[type=range]").first.focus()
    by_hand.keyboard.press("ArrowLeft")
    by_hand.wait_for_url("**epsilon=0.8*")
    settle(by_hand)
    by_link = visit(by_hand.url.split("/", 3)[3])
    assert_same(figure_of(by_hand), figure_of(by_link))


@pytest.mark.slow
def test_another_seed_is_another_picture(visit: Visit) -> None:
    one, other = visit(LINK), visit(LINK.replace("seed=5", "seed=6"))
    assert share_of_changed_pixels(figure_of(one), figure_of(other)) > TOLERATED_SHARE


def test_back_leads_to_the_page_before_whatever_was_chosen_since(visit: Visit) -> None:
    page = visit("")
    page.get_by_role("link", name="ROC", exact=True).click()
    page.get_by_role("heading", name="ROC curve", exact=True, level=1).wait_for()
    settle(page)
    assert page.title().startswith("ROC")
    slider = page.get_by_role("slider").first
    slider.focus()
    before = page.url
    for _ in range(3):
        slider.press("ArrowLeft")
    page.wait_for_url(lambda address: address != before)
    settle(page)
    page.go_back()
    page.wait_for_function("document.title.startsWith('Overview')")
    settle(page)
    assert page.get_by_role("heading", name="ROC curve", exact=True, level=1).count() == 0
