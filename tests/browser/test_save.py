"""Every figure can be saved as PNG, SVG, CSV and HTML, without asking the server."""

from __future__ import annotations

import csv
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.conftest import Visit
from tests.browser.pictures import pixels
from tests.browser.serving import new_context


def saved(page: Page, form: str, folder: Path) -> Path:
    """What the button gives, pressed by key."""
    page.locator(f"[data-save={form}]").first.focus()
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_a_figure_is_saved_in_every_form(visit: Visit, chrome: Browser, tmp_path: Path) -> None:
    page = visit("roc", scheme="dark")
    found = {form: saved(page, form, tmp_path) for form in ("png", "svg", "csv", "html")}
    assert {path.name for path in found.values()} == {
        f"roc-simulation.{form}" for form in ("png", "svg", "csv", "html")
    }
    picture = pixels(found["png"].read_bytes())
    assert picture.shape == (1800, 2000, 3)
    # On the colour of the dark page, not on nothing.
    assert tuple(picture[0, 0]) == (0x11, 0x18, 0x1F)
    svg = found["svg"].read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "SIMULATION" in svg
    rows = list(csv.DictReader(found["csv"].read_text(encoding="utf-8").splitlines()))
    assert {"true", "private"} <= {row["line"] for row in rows}
    assert {row["noise"] for row in rows} == {"simulation"}
    assert all(0 <= float(row["x"]) <= 1 for row in rows)
    context = new_context(chrome)
    context.set_offline(True)
    alone = context.new_page()
    alone.goto(found["html"].as_uri())
    alone.wait_for_selector(".main-svg")
    assert alone.get_by_text("SIMULATION").count() == 1
    context.close()
