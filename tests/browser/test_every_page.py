"""What every page owes its visitors, whatever it shows; new pages are found by the navigation.

It loads without a complaint and without moving, sends little, is accessible, fits both screens and
looks as its reference does: `make screenshots KEEP=--keep` takes new references. Some pages are
used too: by key, saved, printed and set. One visit answers all of it. One page is seen in the dark
too, and saved in every form; `make test-slow` uses all pages, opens each in a narrow window, and
asks in both themes, narrow and wide, whether it is accessible and looks as its references do.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser import references
from tests.browser.access import violations
from tests.browser.conftest import Received, Visit
from tests.browser.saving import FORMS, faults_of_figures
from tests.browser.screenshots import (
    FOLDER,
    WIDTHS,
    address_of,
    darken,
    picture,
    title,
)
from tests.browser.serving import PAGES, settle

SCREENS = ((1280, 800), (390, 844))
MEGABYTE = 1_000_000
# What browsers call a good value of the cumulative layout shift.
MOST_SHIFT = 0.1
# Who is asked for everything. Others are seen in the dark where they are narrow, and what is slower
# to open is saved from all views in test_save.py.
THOROUGH = "roc"
# Who is used in the quick tests: with one figure and with several, with a form, with a table.
USED = (THOROUGH, "data", "features", "release_desk", "reproductions", "sparse_vector_lab")
QUICK_FORMS = ("png", "svg", "csv")
# Where half a window once had too little room, and how narrow their figures may not be there.
HALVES = dict.fromkeys(("audit", "calibration", "ecdf", "federated_ecdf", "groups"), 300)
HALVES |= {"": 500, "reproductions": 300}
# What a run that has just begun will replace is faded by Streamlit, whatever is asked.
MOVING = """() => document.getAnimations().filter((one) => one.playState === "running")
  .filter((one) => !one.effect.target.closest("[data-stale=true]"))
  .map((one) => one.effect.target.outerHTML.slice(0, 200))"""
COMPLAINTS = ", ".join(
    f"[data-testid={kind}]"
    for kind in ("stException", "stAlertContentError", "stAlertContentWarning")
)
# What a key can reach. A group of radio buttons is one stop, and its arrows do the rest.
REACHABLE = """() => [...document.querySelectorAll(
    "button, a[href], input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => !one.disabled && one.type !== "radio" && one.tabIndex >= 0
    && !one.closest("[inert], [aria-hidden=true], [role=radiogroup], [role=toolbar]")
    && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((one) => { one.dpcoreWaits = true; }).length"""
MISSED = """() => [...document.querySelectorAll("*")].filter((one) => one.dpcoreWaits)
  .map((one) => one.outerHTML.slice(0, 200))"""
# On paper nothing can be pressed, and letters are dark.
PRINTED = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const all = (what) => [...document.querySelectorAll(what)].filter(seen);
  const pressed = all("button, input, select, textarea, [role=slider], [role=combobox], iframe");
  const pale = all("h1, .dpcore-headline, .dpcore-table td, .stMarkdown p").filter(
    (one) => getComputedStyle(one).color !== "rgb(15, 26, 36)");
  const folded = all(".stMain details:not([open])");
  return [...pressed, ...pale, ...folded].map((one) => one.outerHTML.slice(0, 160));
}"""
UNFOLDED = """() => document.querySelector(".dpcore-hand-out")
  && !document.querySelector(".stMain details:not([open])")"""
KEPT = """() => ["h1", ".dpcore-headline", ".dpcore-figure", ".dpcore-table", ".dpcore-numbers"]
  .filter((what) => [...document.querySelectorAll(what)].some((one) => one.checkVisibility()))"""
# Sliders that move no figure: what a sentence beneath one says.
BESIDE = ["A missed positive costs so many false alarms"]
# Every slider that is in sight unless somebody folds it away, and the figure that it moves: on a
# telephone each of a page, else the main one.
GLANCE = """([narrow, beside]) => {
  const main = document.querySelector("[data-testid=stMain]");
  const seen = (what, within = main) => [...within.querySelectorAll(what)]
    .filter((one) => one.checkVisibility());
  const box = (one) => one.getBoundingClientRect();
  const label = (one) => `slider “${one.querySelector("input").ariaLabel}”`;
  const goesBefore = (one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const moves = "[class*=st-key-moves]", found = [];
  const figures = seen(".dpcore-figure"), bars = seen(moves);
  if (!figures.length) return [];
  const look = (name, one, low, high) => {
    const { top, bottom } = box(one);
    if (bottom > high + 1) found.push(`the ${name} ends at ${Math.round(bottom)}`);
    if (top < low - 1) found.push(`the ${name} begins ${Math.round(low - top)} too far up`);
  };
  const sliders = (bar) => seen("[data-testid=stSlider], [data-testid=stNumberInput]", bar);
  for (const one of seen("[data-testid=stSlider]")) {
    const known = beside.includes(one.querySelector("input").ariaLabel);
    if (!known && !one.closest(`details, ${moves}`)) found.push(`the ${label(one)} stands alone`);
  }
  if (narrow) {
    for (const bar of bars.length ? bars : [null]) {
      const figure = figures.find((one) => !bar || goesBefore(bar, one));
      figure.scrollIntoView({ block: "end", behavior: "instant" });
      look("figure", figure, bar ? box(bar).bottom : 0, innerHeight);
      const head = box(document.querySelector("[data-testid=stHeader]")).bottom;
      const headline = seen(".dpcore-headline").filter((one) => goesBefore(one, figure)).at(-1);
      const over = bar && headline && goesBefore(bar, headline) ? box(bar).bottom : head;
      if (headline) look("headline", headline, over, box(figure).top);
      if (!bar) continue;
      if (box(bar).height > innerHeight / 3) found.push("the sliders take over a third");
      // Then on, to where the figure begins right beneath them.
      for (const further of [0, box(figure).top - head - box(bar).height - 8]) {
        main.scrollTop += further;
        for (const one of sliders(bar)) look(label(one), one, head, box(figure).top);
      }
    }
    return found;
  }
  main.scrollTop = 0;
  look("figure", figures[0], 0, innerHeight);
  const headline = seen(".dpcore-headline")[0];
  if (headline) look("headline", headline, 0, innerHeight);
  const isOfMain = bars.length && goesBefore(bars[0], figures[0]);
  for (const one of isOfMain ? sliders(bars[0]) : []) look(label(one), one, 0, innerHeight);
  return found;
}"""
# What of a table lies beyond its edge; it should not, where the page is wide.
CLIPPED = """() => [...document.querySelectorAll(".stMain .dpcore-table")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.scrollWidth - one.clientWidth} pixels of “${one.ariaLabel}” are hidden`)"""
# In half a window, beside the menu: no table scrolls, no figure is a strip, no word of a card is
# cut and of several boxes none is alone in its line.
HALVED = """(strip) => {
  const seen = (all) => [...document.querySelectorAll(`.stMain ${all}`)]
    .filter((one) => one.checkVisibility());
  const found = seen(".dpcore-figure").filter((one) => one.offsetWidth <= strip)
    .map((one) => `a figure has ${one.offsetWidth} pixels`);
  for (const one of seen(".dpcore-card p, .dpcore-table, .dpcore-numbers > *")) {
    if (one.scrollWidth > one.clientWidth + 1) found.push(`cut: ${one.textContent}`);
  }
  for (const boxes of seen(".dpcore-numbers")) {
    const tops = [...boxes.children].map((one) => one.offsetTop);
    const lines = [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
    if (tops.length > 1 && lines.includes(1)) found.push(`alone in its line: ${lines}`);
  }
  return found;
}"""
# Tables whose rows have no name in sight any more, once they are scrolled to their end.
NAMELESS = """() => [...document.querySelectorAll(".stMain .dpcore-table")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => {
    one.scrollLeft = one.scrollWidth;
    const begins = one.querySelector("tbody tr > :first-child").getBoundingClientRect().left;
    one.scrollLeft = 0;
    return begins < one.getBoundingClientRect().left - 1;
  }).map((one) => `“${one.ariaLabel}” scrolls the names of its rows away`)"""
# The fold of settings, once it is open: each control in it lies within the page, and can be used.
UNUSABLE = """() => {
  const fold = document.querySelector(".st-key-settings details");
  const found = fold?.open ? [] : ["the settings do not open"];
  const controls = [...(fold?.querySelectorAll("input, button, [role=radio]") ?? [])]
    .filter((one) => one.checkVisibility() && !one.disabled);
  for (const one of controls) {
    // The input of a slider lies unseen about its thumb, as wide as it likes.
    const seen = one.type === "range" ? one.closest("[data-testid=stSlider]") : one;
    const { left, right } = seen.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) found.push(`beyond the edge: ${one.outerHTML}`);
  }
  return controls.length ? found : [...found, "the settings hold nothing"];
}"""
BEYOND = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WALK = """() => { const one = document.activeElement;
  one.dpcoreWaits = false;
  return one === document.body; }"""


def unreachable(page: Page) -> list[str]:
    """Everything that Tab does not come to, in one walk over the page."""
    page.evaluate("document.activeElement.blur()")
    # In a table Tab goes from cell to cell, and then on.
    for _ in range(int(page.evaluate(REACHABLE)) + 200):
        page.keyboard.press("Tab")
        if page.evaluate(WALK):
            break
    missed: list[str] = page.evaluate(MISSED)
    return missed


def faults(page: Page) -> list[str]:
    """What no page may show when it has been loaded."""
    found = []
    if page.locator("h1").count() != 1:
        found.append("it has not one heading")
    complaints = page.locator(COMPLAINTS)
    found += [f"it complains: {text}" for text in complaints.all_inner_texts()]
    if beyond := page.evaluate(BEYOND):
        found.append(f"{beyond} pixels lie beyond its edge")
    if moving := page.evaluate(MOVING):
        found.append(f"less motion was asked for, and these move: {moving}")
    heights = page.evaluate("dpcoreHeights")
    if moved := [one for one in heights if max(one) - min(one) > 1]:
        found.append(f"figures change their height: {moved}")
    return found


def resized(page: Page, width: int, height: int, *, glance: bool) -> list[str]:
    """What a window of another size has no room for: beyond its edge, or on one screen.

    One screen has the figure, its headline and all sliders that move it. On a telephone one may
    scroll to it; the sliders must stay there, must not hide the figure, and take a third at most.
    """
    page.set_viewport_size({"width": width, "height": height})
    settle(page)
    beyond = page.evaluate(BEYOND)
    found = [f"{beyond} pixels lie beyond its edge"] if beyond else []
    if glance:
        found += page.evaluate(GLANCE, [width == min(WIDTHS), BESIDE])
    if width == min(WIDTHS):
        found += page.evaluate(NAMELESS)
    return [f"{width} x {height}: {one}" for one in found]


def unusable_settings(page: Page) -> list[str]:
    """What is wrong with the fold of settings once it is open."""
    fold = page.locator(".st-key-settings summary").first
    if not fold.count():
        return []
    fold.click()
    settle(page)
    found: list[str] = page.evaluate(UNUSABLE)
    return found


def unprintable(page: Page) -> list[str]:
    """What a hand-out of the page should not show, and what it has lost."""
    kept = page.evaluate(KEPT)
    page.emulate_media(media="print")
    # Explanations unfold when the page has noticed; what stays folded is found below.
    with suppress(TookTooLong):
        page.wait_for_function(UNFOLDED, timeout=5_000)
    found: list[str] = page.evaluate(PRINTED)
    found += set(kept) - set(page.evaluate(KEPT))
    page.emulate_media(media="screen")
    return found


def shift(page: Page) -> float:
    """How far a page moves by itself while it loads from a server that has computed it before."""
    if page.evaluate("dpcoreShift") >= MOST_SHIFT:
        page.reload()
        settle(page)
    return float(page.evaluate("dpcoreShift"))


def unlike_its_reference(path: str, scheme: str, width: int, png: bytes) -> list[str]:
    """What to look at, if the picture differs from the one that is kept."""
    name = f"{title(path)}-{scheme}-{width}"
    share = references.changed(name, png)
    if share <= references.TOLERATED_SHARE:
        return []
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.png").write_bytes(png)
    return [f"{share:.2%} of {name} differs: see {FOLDER}"]


@pytest.mark.parametrize(
    "path, width, used",
    [(path, max(WIDTHS), path in USED) for path in PAGES]
    + [
        pytest.param(path, width, True, marks=pytest.mark.slow)
        for path, width in product(PAGES, WIDTHS)
        if width == min(WIDTHS) or path not in USED
    ],
)
def test_a_page_is_whole(
    visit: Visit,
    chrome: Browser,
    received: Received,
    tmp_path: Path,
    path: str,
    width: int,
    used: bool,
) -> None:
    page = visit(address_of(path), width=width)
    found = faults(page)
    assert sum(received) < 2 * MEGABYTE
    assert shift(page) < MOST_SHIFT
    found += [f"light: {one}" for one in violations(page)]
    found += unlike_its_reference(path, "light", width, picture(page))
    wide = width == max(WIDTHS)
    if not wide or path == THOROUGH:
        darken(page)
        found += unlike_its_reference(path, "dark", width, picture(page))
    if wide:
        found += page.evaluate(CLIPPED)
        if used:
            found += [f"no key reaches {one}" for one in unreachable(page)]
            forms = FORMS if path == THOROUGH else QUICK_FORMS
            found += faults_of_figures(page, chrome, tmp_path, forms)
            found += [f"on paper: {one}" for one in unprintable(page)]
        if path in HALVES:
            found += resized(page, 900, 900, glance=False)
            found += page.evaluate(HALVED, HALVES[path])
        glance = page.locator(".dpcore-figure").count() > 0
        for size in SCREENS:
            found += resized(page, *size, glance=glance)
        if used:
            found += unusable_settings(page)
    else:
        found += [f"dark: {one}" for one in violations(page)]
        found += resized(page, max(WIDTHS), 900, glance=False)
        found += [f"dark and wide: {one}" for one in violations(page)]
        found += unlike_its_reference(path, "dark", max(WIDTHS), picture(page))
    assert found == []


@pytest.mark.slow
def test_what_no_page_may_have_is_found(
    visit: Visit, chrome: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One visit of a page that is spoilt more and more."""
    monkeypatch.setitem(globals(), "FOLDER", tmp_path)
    page = visit("roc")
    before = page.evaluate("dpcoreShift")
    page.evaluate(
        """() => {
            const late = document.createElement("div");
            late.style.height = "300px";
            document.querySelector("h1").before(late);
        }"""
    )
    page.wait_for_function("(before) => dpcoreShift > before", arg=before + MOST_SHIFT)
    assert unlike_its_reference("data", "light", 1280, picture(page)) != []
    assert [path.name for path in tmp_path.iterdir()] == ["data-light-1280.png"]
    page.evaluate("document.querySelector('[data-save=svg]').remove()")
    assert faults_of_figures(page, chrome, tmp_path, QUICK_FORMS) == ["roc, svg: no button"]
    page.evaluate("document.querySelector('h1').after(document.createElement('button'))")
    assert [one.split(":")[0] for one in violations(page)] == ["button-name"]
    assert unprintable(page) == ["<button></button>"]
    page.evaluate(
        """() => document.querySelector("h1").animate([{ opacity: 0 }, { opacity: 1 }], {
            duration: 1000, iterations: Infinity })"""
    )
    assert any("these move" in one for one in faults(page))
    # Whoever looks for it is sent away.
    page.evaluate(
        """() => {
            const trap = document.createElement("button");
            trap.textContent = "trap";
            document.querySelector("h1").after(trap);
            document.addEventListener("keydown", (event) => event.preventDefault(), true);
        }"""
    )
    assert any("trap" in one for one in unreachable(page))


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_private_mode_is_accessible_too(visit: Visit, scheme: str) -> None:
    page = visit("budget", scheme=scheme)
    sidebar = page.locator("[data-testid=stSidebar]")
    sidebar.get_by_role("radio", name="Private").click()
    sidebar.get_by_text("Only releases are shown").wait_for()
    for name in ("Budget", "Release desk", "Ledger"):
        page.get_by_role("link", name=name, exact=True).click()
        page.get_by_role("heading", name=name, exact=True, level=1).wait_for()
        settle(page)
        assert violations(page) == []
