"""A reload keeps what was open, for this tab of this browser alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.serving import settle
from tests.browser.test_upload import give

ROWS = "".join(f"{i % 2},{(i % 7) / 7:.3f}\n" for i in range(300))


def open_file(page: Page, name: str) -> None:
    """Upload predictions, and go to their curve."""
    page.get_by_role("radio", name="My predictions").click()
    page.get_by_text("A table with a label and a score").wait_for()
    give(page, name, f"label,score\n{ROWS}".encode())
    page.get_by_role("link", name="See the ROC curve").click()
    page.get_by_text("the true one is").wait_for()
    settle(page)


def again(page: Page) -> None:
    page.reload()
    settle(page)


def is_open(page: Page, name: str) -> None:
    expect(page.locator(".dpcore-about")).to_contain_text(name)


def test_a_reload_keeps_the_upload_and_no_link_carries_it(visit: Visit) -> None:
    one = visit("data", stranger=True)
    open_file(one, "one.csv")
    again(one)
    is_open(one, "one.csv")
    assert one.locator("[data-testid=stAlert]").count() == 0

    # Nothing of it stands in the address, and no script can read the cookie.
    assert "tab=" not in one.url
    assert "dpcore_visit" not in one.evaluate("() => document.cookie")
    (cookie,) = [c for c in one.context.cookies() if c["name"] == "dpcore_visit"]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Lax", -1)

    # Another browser, even one that knows the link and the number of the tab, has nothing.
    number = one.evaluate("() => JSON.parse(sessionStorage.getItem('dpcore-tab'))[0]")
    elsewhere = visit(one.url.partition("/roc")[2].join(["roc", f"&tab={number}"]), stranger=True)
    expect(elsewhere.get_by_text("A link cannot carry an upload")).to_be_visible()
    elsewhere.evaluate(
        "(number) => sessionStorage.setItem('dpcore-tab', JSON.stringify([number, Date.now()]))",
        number,
    )
    again(elsewhere)
    expect(elsewhere.locator(".dpcore-about")).to_contain_text("Heart risk")


# tests/app/test_visit.py asks it of the server.
@pytest.mark.slow
def test_each_tab_has_its_own_upload(visit: Visit) -> None:
    one, two = visit("data", stranger=True), visit("data")
    open_file(one, "one.csv")
    open_file(two, "two.csv")
    again(one)
    is_open(one, "one.csv")
    again(two)
    is_open(two, "two.csv")
    # Another tab of the same browser, by the same link.
    beside = one.context.new_page()
    beside.goto(one.url)
    settle(beside)
    expect(beside.get_by_text("A link cannot carry an upload")).to_be_visible()
    expect(beside.locator(".dpcore-about")).to_contain_text("Heart risk")
    # That did not disturb the first tab, which may be reloaded as often as one likes.
    again(one)
    is_open(one, "one.csv")
    beside.close()


def test_private_mode_survives_a_reload(visit: Visit) -> None:
    page = visit("release_desk", stranger=True)
    page.get_by_role("radio", name="Private").click()
    page.get_by_text("Nothing is open.").wait_for()
    settle(page)
    again(page)
    expect(page.get_by_text("Nothing is open.")).to_be_visible()
    expect(page.get_by_role("link", name="Ledger", exact=True).first).to_be_visible()
    page.get_by_role("radio", name="Teach").click()
    settle(page)
    again(page)
    expect(page.get_by_text("Releases are made in Private mode.")).to_be_visible()
