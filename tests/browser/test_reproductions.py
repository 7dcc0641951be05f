"""Running a reproduction in a browser, and thinking better of it."""

from __future__ import annotations

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
