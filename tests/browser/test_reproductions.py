"""Running a reproduction in a browser, and thinking better of it."""

from __future__ import annotations

import pytest

from reproductions import PAPERS, experiments
from tests.browser.conftest import Visit
from tests.browser.serving import settle


def test_cancel_ends_a_run_and_keeps_nothing(visit: Visit) -> None:
    page = visit("reproductions?reproductions_name=zafarani-figure-4")
    page.get_by_role("button", name="Run it here").click()
    cancel = page.get_by_role("button", name="Cancel")
    cancel.click(timeout=30_000)
    # The run would take longer than this.
    cancel.wait_for(state="detached", timeout=20_000)
    settle(page)
    assert "Shipped with the app" in page.locator("[data-testid=stMain]").inner_text()


@pytest.mark.slow
def test_cards_of_a_row_are_as_tall_as_each_other_and_each_has_its_picture(visit: Visit) -> None:
    page = visit("reproductions")
    pictures = page.locator(".dpcore-card img")
    assert pictures.count() == len(experiments())
    assert all(
        one.evaluate("one => one.complete && one.naturalWidth > 0") for one in pictures.all()
    )
    for kind in (".dpcore-card .chip", "[class*=st-key-open] [data-testid=stButton]"):
        boxes = [one.bounding_box() for one in page.locator(kind).all()]
        levels = {round(box["y"]) for box in boxes if box}
        assert len(boxes) == len(experiments())
        assert len(levels) == sum(-(-count // 3) for count in per_paper())


def per_paper() -> list[int]:
    return [sum(name.startswith(f"{prefix}-") for name in experiments()) for prefix in PAPERS]
