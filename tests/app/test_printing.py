"""What the server tells the browser for a page on paper."""

from __future__ import annotations

from dpcore.figures import DARK, LIGHT
from pages.session import page_list
from pages.shell import page_shell
from tests.app.opening import PAGES


def test_every_colour_of_a_dark_page_has_one_on_paper() -> None:
    found = page_shell.on_paper()
    assert found[DARK.true] == LIGHT.true
    assert found[DARK.private] == LIGHT.private
    assert found[DARK.text] == LIGHT.text
    assert all(colour.startswith("#") for pair in found.items() for colour in pair)


def test_the_style_speaks_of_colours_as_browsers_write_them() -> None:
    rule = '[style*="stroke: rgb(86, 180, 233)"] { stroke: #0072B2 !important; }'
    assert rule in page_shell.style_of_paper()


def test_pages_without_records_exist() -> None:
    assert set(page_list.WITHOUT_RECORDS) <= set(PAGES)
