"""What a figure must be once it is saved: PNG, SVG, CSV and HTML, held against the page's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
from playwright.sync_api import Browser, Locator, Page

from tests.browser.pictures import pixels
from tests.browser.serving import new_context

FORMS = ("png", "svg", "csv", "html")
COLUMNS = ["line", "x", "y", "value", "noise"]
PNG = b"\x89PNG\r\n\x1a\n"
# A thousandth of a picture is other than its ground: a lone frame of axes is less than that.
LEAST_INK = 1e-3
# What the figure on the page shows: its words, and what its lines are called.
SHOWN = """(place) => {
  const axes = Object.entries(place._fullLayout).filter(([key]) => /^[xy]axis\\d*$/.test(key));
  return {
    titles: axes.map(([, axis]) => axis.visible && axis.title?.text)
      .filter((text) => text && !/^Click to/.test(text)),
    names: place.data
      .filter((line) => [line.x, line.y, line.z].some((all) => all?.some((one) => one != null)))
      .map((line) => line.name).filter(Boolean),
    stamp: place.innerHTML.includes("SIMULATION") ? "simulation"
      : place.innerHTML.includes("exact, not private") ? "exact" : "",
  };
}"""
DRAWN = ".main-svg .trace, .main-svg .cartesianlayer image, .main-svg .hm"


def words(text: str) -> str:
    """A text as a reader sees it: without marks, with one kind of blank."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).strip()


def faults_of_png(content: bytes) -> list[str]:
    """Whether a picture is one, and shows something."""
    if not content.startswith(PNG):
        return ["it has no PNG signature"]
    picture = pixels(content)
    ink = float((picture != picture[0, 0]).any(axis=-1).mean())
    return [] if ink > LEAST_INK else [f"{ink:.3%} of it is drawn on"]


def faults_of_svg(text: str, titles: list[str]) -> list[str]:
    """Whether a drawing can be read, and names its axes."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return [f"it is no XML: {error}"]
    written = words(" ".join("".join(one.itertext()) for one in root.iter() if _is_text(one)))
    found = [f"it does not name the axis “{one}”" for one in titles if words(one) not in written]
    # Words would take more room than was measured for them, and run into one another.
    return [*found, "it asks for a font that it lacks"] if "Source Sans" in text else found


def _is_text(element: ElementTree.Element) -> bool:
    return element.tag.endswith("}text")


def faults_of_csv(path: Path, names: list[str], stamp: str) -> list[str]:
    """Whether a table can be read, and holds every line of the figure."""
    table = pd.read_csv(path, keep_default_na=False)
    if list(table) != COLUMNS:
        return [f"its columns are {list(table)}"]
    if table.empty:
        return ["it has no rows"]
    lines = set(table["line"].astype(str))
    found = [f"it has no line “{name}”" for name in names if not _held(name, lines)]
    if set(table["noise"]) != {stamp or "private"}:
        found.append(f"it says of the noise {sorted(set(table['noise']))}")
    blank = (table[["x", "y", "value"]] == "").all(axis=1)
    return [*found, "it has rows without a number"] if blank.any() else found


def _held(name: str, lines: set[str]) -> bool:
    return any(line == name or line.startswith(f"{name} (") for line in lines)


def faults_of_html(path: Path, chrome: Browser, titles: list[str]) -> list[str]:
    """Whether a document opens by itself, without a network, and draws the figure."""
    context = new_context(chrome)
    context.set_offline(True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector(".main-svg")
    if not page.locator(DRAWN).count():
        complaints.append("it draws no line")
    written = words(" ".join(page.locator(".main-svg text").all_text_contents()))
    complaints += [
        f"it does not name the axis “{title}”" for title in titles if words(title) not in written
    ]
    context.close()
    return complaints


def press(page: Page, group: Locator, form: str, folder: Path) -> Path:
    """What a button of a figure gives, pressed by key."""
    with page.expect_download() as waiting:
        group.locator(f"[data-save={form}]").press("Enter")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def faults_of_figures(
    page: Page, chrome: Browser, folder: Path, forms: tuple[str, ...] = FORMS
) -> list[str]:
    """Press every button of every figure of a page, and look at what arrives."""
    found: list[str] = []
    figures = [one for one in page.locator(".dpcore-figure").all() if one.is_visible()]
    groups = [one for one in page.locator(".dpcore-save").all() if one.is_visible()]
    if len(figures) != len(groups):
        found.append(f"{len(figures)} figures have {len(groups)} groups of buttons")
    names = set()
    for figure, group in zip(figures, groups, strict=False):
        shown = figure.evaluate(SHOWN)
        key = figure.get_attribute("data-key")
        for form in forms:
            if group.locator(f"[data-save={form}]").count() != 1:
                found.append(f"{key}, {form}: no button")
                continue
            path = press(page, group, form, folder)
            names.add(path.name)
            wanted = f"-{shown['stamp']}.{form}" if shown["stamp"] else f".{form}"
            faults = [] if path.name.endswith(wanted) else [f"its name is {path.name}"]
            faults += _faults(path, form, shown, chrome)
            found += [f"{key}, {form}: {one}" for one in faults]
    if len(names) < len(forms) * len(groups) - len(found):
        found.append(f"several figures take one name: {sorted(names)}")
    return found


def _faults(path: Path, form: str, shown: dict[str, Any], chrome: Browser) -> list[str]:
    if form == "png":
        return faults_of_png(path.read_bytes())
    if form == "svg":
        return faults_of_svg(path.read_text(encoding="utf-8"), shown["titles"])
    if form == "csv":
        return faults_of_csv(path, shown["names"], shown["stamp"])
    return faults_of_html(path, chrome, shown["titles"])
