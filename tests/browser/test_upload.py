"""Uploading a file, a good one and a bad one, and taking results away."""

from __future__ import annotations

import csv
import json
import os
import re
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page

from tests.app.test_words import PLANTED, table
from tests.browser.conftest import Visit
from tests.browser.serving import CALM, new_context, served, settle

PEOPLE = "age,smokes,y\n" + "".join(
    f"{20 + place % 50},{'yes' if place % 3 else 'no'},{'sick' if place * 7 % 11 < 4 else 'well'}\n"
    for place in range(300)
)


def give(page: Page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").first.set_input_files(file)


@pytest.mark.slow
def test_a_csv_becomes_a_curve(visit: Visit) -> None:
    page = visit("data")
    page.get_by_role("radio", name="My table").click()
    page.get_by_text("Table: CSV and its relatives").wait_for()
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


@pytest.mark.slow
def test_percentages_about_the_other_class_become_a_curve(visit: Visit) -> None:
    rows = "".join(
        f"{'fine' if place % 10 > 4 else 'ill'},{place * 37 % 100 / 2 + 5 * (place % 10)}\n"
        for place in range(300)
    )
    page = visit("data")
    page.get_by_role("radio", name="My predictions").click()
    page.get_by_text("A table with a label and a score").wait_for()
    give(page, "percent.csv", f"label,score\n{rows}".encode())
    page.get_by_text("scores are about “ill”").wait_for()
    page.get_by_role("button", name="Count “fine” as positive").click()
    page.get_by_text("scores are about “fine”").wait_for()
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
    page.get_by_text("Table: CSV and its relatives").wait_for()
    settle(page)
    file = tmp_path / "people.csv"
    file.write_text(PEOPLE, encoding="utf-8")
    with page.expect_file_chooser() as asked:
        page.locator("[data-testid=stFileUploader] [kind=secondary]").first.press("Enter")
    asked.value.set_files(file)
    page.get_by_text("people.csv: 300 records, 3 columns").wait_for()
    way = page.get_by_role("link", name="ROC", exact=True)
    way.focus()
    # The faint ground that the page of the moment has as well is no sign of where the keys are.
    assert way.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    way.press("Enter")
    page.get_by_role("heading", name="ROC curve", level=1).wait_for()
    settle(page)
    page.locator("input[type=range]").first.focus()
    press("ArrowLeft")
    page.get_by_text("At epsilon 0.8").wait_for()
    page.locator("summary").filter(has_text="What am I looking at?").press("Enter")
    page.get_by_text("Neighbours.", exact=True).wait_for()
    assert "people.csv" in aside.inner_text()


@pytest.mark.slow
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


# What a browser makes of markup.
# Above a page the whole name of the file is bold, in markup of the app's own.
DRAWN = ", ".join(
    ["img[src*=evil]", "a[href*=evil]", "b:text-is('CANARY')"]
    + [f"{one}:has-text('CANARY')" for one in ("code", ".katex", "em")]
)


def asked(method: str, url: str, headers: dict[str, str]) -> int:
    """The status of a request with a small file, as any program could send it."""
    body = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n'
        + PEOPLE.encode()
        + b"\r\n--x--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(url, method=method, headers={**headers, **kind}, data=body)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def own_headers(page: Page) -> dict[str, str]:
    """What the browser of a page sends with an upload."""
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    token = cookies["_streamlit_xsrf"]
    written = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return {"Cookie": written, "X-Xsrftoken": token}


def test_nothing_is_uploaded_but_by_the_page_that_asks(visit: Visit, address: str) -> None:
    page, put = visit("data"), []
    page.on("request", lambda one: put.append(one.url) if one.method == "PUT" else None)
    page.get_by_role("radio", name="My table").click()
    page.get_by_text("Table: CSV and its relatives").wait_for()
    settle(page)
    give(page, "people.csv", PEOPLE.encode())
    page.get_by_text("people.csv: 300 records, 3 columns").wait_for()
    (used,) = put
    mine, session = own_headers(page), re.search(r"upload_file/([^/]+)/", used).group(1)
    fresh = f"{address}/_stcore/upload_file/{session}/{uuid4()}"
    tried = {
        (method, url): asked(method, url, mine)
        for method in ("PUT", "POST", "DELETE")
        for url in (used, fresh, f"{address}/_stcore/upload_file", f"{fresh}/more")
    }
    # A browser takes back what it replaces, and does not know that it has been read.
    assert tried.pop(("DELETE", used)) == 204
    assert set(tried.values()) == {403}
    other = own_headers(visit("data", stranger=True))
    assert {asked(method, used, other) for method in ("PUT", "DELETE")} == {403}
    page.goto(f"{address}/roc")
    settle(page)
    assert asked("PUT", f"{address}/_stcore/upload_file/{session}/{uuid4()}", mine) == 403


@pytest.mark.slow
def test_markup_of_a_file_is_text(visit: Visit) -> None:
    """No picture of it is fetched (see `trouble`), nothing of it is a link, and all can be read."""
    page = visit("data")
    page.get_by_role("radio", name="My table").click()
    page.get_by_text("Table: CSV and its relatives").wait_for()
    settle(page)
    give(page, "![CANARY](http:--evil.test-p.png).csv", table())
    page.get_by_text("200 records, 4 columns").first.wait_for()
    for name, words in (
        ("Features", "Kept in any case"),
        ("Model", "truly"),
        ("ROC", "the true one is"),
        ("Overview", "trained at epsilon"),
    ):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.get_by_text(words).first.wait_for()
        settle(page)
        main = page.locator("[data-testid=stApp]")
        assert main.locator(DRAWN).count() == 0, name
        text = (main.text_content() or "").replace("\u2060", "")
        assert "CANARY" in text, name
        if name == "Features":
            assert f"no score: “{PLANTED} number” and “age”." in text
    assert page.locator("img[alt*=CANARY]").count() == 0


def memory_of(address: str) -> float:
    """What the server at an address holds, in megabytes."""
    port = address.rpartition(":")[2]
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if port in (place / "cmdline").read_text().split("\0"):
                pages = int((place / "statm").read_text().split()[1])
                return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    raise RuntimeError(f"no server at {address}")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_closing_the_data_gives_their_memory_back(chrome: Browser, tmp_path: Path) -> None:
    """Forty files of 5 MB, one after the other, opened and closed in one session."""
    rows = b"label,score\n" + b"1,0.25\n0,0.75\n" * 380_000
    held = []
    environment = {"DPCORE_MODE": "private", "DPCORE_LEDGER": str(tmp_path / "ledger.sqlite")}
    with served(**environment) as private:
        page = new_context(chrome).new_page()
        page.goto(f"{private}/release_desk")
        settle(page)
        positive = page.get_by_role("textbox", name="Positive label")
        shut = page.get_by_role("button", name="Close these data")
        for _ in range(40):
            give(page, "scores.csv", rows)
            page.get_by_text("scores.csv").wait_for()
            positive.fill("1")
            positive.press("Tab")
            settle(page)
            page.get_by_role("button", name="Open the data").click()
            shut.click(timeout=60_000)
            shut.wait_for(state="detached")
            positive.wait_for()
            page.wait_for_selector(CALM)
            held.append(memory_of(private))
        page.context.close()
    # The first few fill what Python keeps for itself; two files more or less are no growth.
    assert max(held[-4:]) - min(held[3:8]) < 2 * len(rows) / 1e6, held
