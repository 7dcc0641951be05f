"""Uploading a file, a good one and a bad one, and taking results away."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.conftest import Visit
from tests.browser.serving import new_context, settle

PEOPLE = "age,smokes,y\n" + "".join(
    f"{20 + place % 50},{'yes' if place % 3 else 'no'},{'sick' if place * 7 % 11 < 4 else 'well'}\n"
    for place in range(300)
)


def give(page: Page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").first.set_input_files(file)


def test_a_csv_becomes_a_curve(visit: Visit) -> None:
    page = visit("data")
    page.get_by_role("radio", name="My table").click()
    page.get_by_text("Table: CSV, TSV or Parquet").wait_for()
    give(page, "people.csv", PEOPLE.encode())
    page.get_by_text("people.csv: 300 records, 3 columns").wait_for()
    settle(page)
    give(page, "bad.csv", bytes(range(256)))
    page.locator("[data-testid=stAlert]").wait_for()
    assert page.locator("[data-testid=stAlert]").count() == 1
    assert page.get_by_text("people.csv: 300 records, 3 columns").count() == 1
    page.get_by_role("link", name="ROC", exact=True).click()
    page.get_by_text("the true one is").wait_for()
    settle(page)
    assert "people.csv" in page.locator("[data-testid=stSidebar]").inner_text()


def test_percentages_about_the_other_class_become_a_curve(visit: Visit) -> None:
    rows = "".join(
        f"{'died' if place % 10 > 5 else 'survived'},{place * 37 % 100 / 2 + 5 * (place % 10)}\n"
        for place in range(300)
    )
    page = visit("data")
    page.get_by_role("radio", name="My predictions").click()
    page.get_by_text("Two columns: label and score").wait_for()
    give(page, "percent.csv", f"label,score\n{rows}".encode())
    page.get_by_text("percent.csv was not opened").wait_for()
    page.get_by_role("button", name="Read them as percentages").click()
    page.get_by_text("scores are about “survived”").wait_for()
    page.get_by_role("button", name="Count “died” as positive").click()
    page.get_by_text("scores are about “died”").wait_for()
    page.get_by_role("link", name="See the ROC curve").click()
    page.get_by_text("the true one is").wait_for()
    settle(page)
    assert page.get_by_text("below one half").count() == 0


def test_a_visit_by_key_alone(visit: Visit, tmp_path: Path) -> None:
    page = visit("data")
    press = page.keyboard.press
    page.get_by_role("radio", name="Heart risk").focus()
    press("Space")
    aside = page.locator(".dpcore-aside")
    aside.get_by_text("Heart risk").wait_for()
    settle(page)
    page.get_by_role("radio", name="Sample", exact=True).focus()
    press("ArrowRight")
    press("Space")
    page.get_by_text("Table: CSV, TSV or Parquet").wait_for()
    settle(page)
    file = tmp_path / "people.csv"
    file.write_text(PEOPLE, encoding="utf-8")
    with page.expect_file_chooser() as asked:
        page.locator("[data-testid=stFileUploader] [kind=secondary]").first.press("Enter")
    asked.value.set_files(file)
    page.get_by_text("people.csv: 300 records, 3 columns").wait_for()
    page.get_by_role("link", name="ROC", exact=True).press("Enter")
    page.get_by_role("heading", name="ROC curve", level=1).wait_for()
    settle(page)
    page.locator("input[type=range]").first.focus()
    press("ArrowLeft")
    page.get_by_text("At epsilon 0.8").wait_for()
    page.locator("summary").filter(has_text="What am I looking at?").press("Enter")
    page.get_by_text("Neighbours.", exact=True).wait_for()
    assert "people.csv" in aside.inner_text()


def test_results_can_be_taken_away(visit: Visit, chrome: Browser, tmp_path: Path) -> None:
    page = visit("roc?epsilon=0.5")
    found = {name: fetch(page, name, tmp_path) for name in ("CSV", "JSON", "HTML", "Study")}
    rows = list(csv.DictReader(found["CSV"].read_text(encoding="utf-8").splitlines()))
    assert {row["curve"] for row in rows} == {"private", "true"}
    assert json.loads(found["JSON"].read_text(encoding="utf-8"))["simulation"] is True
    assert json.loads(found["Study"].read_text(encoding="utf-8"))["noise"] == "seed:7"
    context = new_context(chrome)
    context.set_offline(True)
    report = context.new_page()
    report.goto(found["HTML"].as_uri())
    report.wait_for_selector(".main-svg")
    assert report.get_by_text("SIMULATION").count() >= 1
    context.close()


def fetch(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path
