"""A page that fails before it says its name is shown all the same."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from tests.browser.serving import new_context

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
