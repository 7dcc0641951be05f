"""Every figure can be saved as PNG, SVG, CSV and HTML, without asking the server."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.app.test_journeys import product_table
from tests.browser.conftest import Visit
from tests.browser.pictures import pixels
from tests.browser.saving import (
    faults_of_csv,
    faults_of_figures,
    faults_of_html,
    faults_of_png,
    faults_of_svg,
    press,
)
from tests.browser.screenshots import SHOWN
from tests.browser.serving import PAGES, new_context, settle
from tests.browser.test_upload import give

LAB = "sparse_vector_lab?sparse_vector_lab_view"
# Every view of the pages that have several.
VIEWS = [
    *(f"roc?roc_view={view}" for view in ("methods", "panels", "redraws")),
    *(
        f"features?{SHOWN['features']}&features_view={view}"
        for view in ("scores", "thresholds", "budget", "rows", "free")
    ),
    *(
        f"model?data=heart-risk&model_view={view}"
        for view in ("model", "accuracy", "parameters", "runtime")
    ),
    f"{LAB}=algorithms",
    f"{LAB}=errors&sparse_vector_lab_runs=1&sparse_vector_lab_methods=em,best",
    "reproductions?reproductions_name=lyu-figure-4",
]

ENDS = ("lower", "upper")
MARKED = tuple(f" ({end})" for end in ENDS)
# Words in the cells of tables that stand on several lines: the name of a column, a number, a level.
BROKEN = """() => [...document.querySelectorAll("th, td")].flatMap((cell) => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
  const words = (text?.data ?? "").matchAll(/(?<!\\S)\\S{2,12}(?!\\S)/g);
  return [...words].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(({ 0: word }) => word);
})"""


@pytest.mark.slow
def test_a_figure_is_saved_in_every_form(visit: Visit, chrome: Browser, tmp_path: Path) -> None:
    page = visit("roc", scheme="dark")
    group = page.locator(".dpcore-save").first
    found = {form: press(page, group, form, tmp_path) for form in ("png", "svg", "csv", "html")}
    assert {path.name for path in found.values()} == {
        f"roc-simulation.{form}" for form in ("png", "svg", "csv", "html")
    }
    picture = pixels(found["png"].read_bytes())
    # Above the figure of 900 lines stands of which page and data it is.
    assert picture.shape == (1880, 2000, 3)
    # On the colour of the dark page, not on nothing.
    assert tuple(picture[0, 0]) == (0x11, 0x18, 0x1F)
    svg = found["svg"].read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "SIMULATION" in svg
    assert ">ROC curve · Heart risk · positive: yes</text>" in svg
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


def test_a_saved_table_names_its_rows_for_a_spreadsheet(visit: Visit, tmp_path: Path) -> None:
    """Levels of a file, with letters that Excel misreads without a mark, and one like a formula."""
    rows = "".join(
        f"{place * 37 % 100 / 100},{place % 2 * 'Männer' or '=1+1'}\n" for place in range(99)
    )
    page = visit("data")
    page.get_by_role("radio", name="My table").click()
    page.get_by_text("Table: CSV and its relatives").wait_for()
    settle(page)
    give(page, "leute.csv", f"p,wer\n{rows}".encode())
    page.get_by_text("leute.csv: 99 records, 2 columns").wait_for()
    settle(page)
    path = press(page, page.locator(".dpcore-save").first, "csv", tmp_path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfline,x,y")
    assert "records,49,Männer," in path.read_text("utf-8-sig")
    assert "records,50,'=1+1," in path.read_text("utf-8-sig")
    page.goto(page.url.replace("/data", "/features").partition("?")[0])
    settle(page)
    path = press(page, page.locator(".dpcore-save").first, "csv", tmp_path)
    assert {"smoker=yes", "sex=male"} <= set(pd.read_csv(path)["y"])


@pytest.mark.slow
def test_a_saved_map_names_its_cells(visit: Visit, tmp_path: Path) -> None:
    page = visit("data")
    page.get_by_role("radio", name="My table").click()
    page.get_by_text("Table: CSV and its relatives").wait_for()
    settle(page)
    give(page, "lab.csv", product_table())
    page.get_by_text("lab.csv: 6,000 records, 4 columns").wait_for()
    settle(page)
    page.get_by_role("link", name="Model", exact=True).first.click()
    page.get_by_text("Parameters", exact=True).first.click()
    page.locator("[aria-label^='Maps of']").wait_for()
    settle(page)
    path = press(page, page.locator(".dpcore-save").last, "csv", tmp_path)
    table = pd.read_csv(path)
    assert set(table["line"]) == {"Dose with Temperature"}
    assert all(table[axis].str.match("below |from |[0-9.]+ to [0-9.]+$").all() for axis in "xy")
    assert len(table) == 16


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES, *VIEWS])
def test_every_figure_of_every_view_is_saved_in_every_form(
    visit: Visit, chrome: Browser, tmp_path: Path, path: str
) -> None:
    assert faults_of_figures(visit(path), chrome, tmp_path) == []


def test_what_is_not_a_picture_is_found() -> None:
    blank = io.BytesIO()
    Image.new("RGB", (200, 100), "white").save(blank, "PNG")
    assert faults_of_png(b"GIF89a") == ["it has no PNG signature"]
    assert faults_of_png(blank.getvalue()) == ["0.000% of it is drawn on"]


def test_a_drawing_without_the_words_of_its_axes_is_found() -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><text>false <tspan>rate</tspan></text></svg>'
    assert faults_of_svg(drawing, ["false rate"]) == []
    assert faults_of_svg(drawing, ["true rate"]) == ["it does not name the axis “true rate”"]
    assert faults_of_svg("<svg>", [])[0].startswith("it is no XML")


@pytest.mark.parametrize(
    "text, says",
    [
        ("line,x,y,value,noise\na,1,2,,simulation\n", []),
        ("line,x,y\na,1,2\n", ["its columns are ['line', 'x', 'y']"]),
        ("line,x,y,value,noise\n", ["it has no rows"]),
        ("line,x,y,value,noise\nb,1,2,,simulation\n", ["it has no line “a”"]),
        ("line,x,y,value,noise\na,1,2,,private\n", ["it says of the noise ['private']"]),
        ("line,x,y,value,noise\na,,,,simulation\n", ["it has rows without a number"]),
    ],
)
def test_a_table_that_is_not_the_figure_is_found(
    tmp_path: Path, text: str, says: list[str]
) -> None:
    path = tmp_path / "figure.csv"
    path.write_text(text, encoding="utf-8")
    assert faults_of_csv(path, ["a"], "simulation") == says


def test_a_saved_table_has_the_ends_of_all_bars_and_bands_and_no_point_of_the_legend_alone(
    visit: Visit, tmp_path: Path
) -> None:
    page = visit("groups")
    table = pd.read_csv(press(page, page.locator(".dpcore-save").first, "csv", tmp_path))
    ends = [
        table[table["line"] == f"privacy band for these records, 90 %{end}"]
        for end in (" (lower)", "", " (upper)")
    ]
    assert [one["y"].tolist() for one in ends] == [["female", "male"]] * 3
    low, middle, high = (one["x"].astype(float).to_numpy() for one in ends)
    assert ((low > 0) & (low < middle) & (middle < high) & (high < 1)).all()
    page.get_by_role("link", name="ECDF", exact=True).first.click()
    page.get_by_role("heading", name="Score distributions", level=1).wait_for()
    settle(page)
    lines = set(
        pd.read_csv(press(page, page.locator(".dpcore-save").first, "csv", tmp_path))["line"]
    )
    bands = {f"{name}, band for these records ({end})" for name in ("no", "yes") for end in ENDS}
    curves = {f"{name}, {kind}" for name in ("no", "yes") for kind in ("true", "private")}
    quantiles = {f"{name}, quantile{end}" for name in ("no", "yes") for end in ("", *MARKED)}
    assert lines == bands | curves | quantiles


def test_no_word_of_a_report_is_broken(visit: Visit, chrome: Browser, tmp_path: Path) -> None:
    page = visit("groups")
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="HTML").click()
    path = tmp_path / "report.html"
    waiting.value.save_as(path)
    context = new_context(chrome)
    report = context.new_page()
    report.goto(path.as_uri())
    for width in (1280, 390):
        report.set_viewport_size({"width": width, "height": 900})
        assert report.evaluate(BROKEN) == []
    context.close()


def test_a_document_that_draws_nothing_is_found(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "figure.html"
    path.write_text('<svg class="main-svg" width="9" height="9"></svg>', encoding="utf-8")
    found = faults_of_html(path, chrome, ["rate"])
    assert found == ["it draws no line", "it does not name the axis “rate”"]
