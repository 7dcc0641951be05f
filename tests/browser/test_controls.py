"""Every control of every page, walked to both ends; the link that it leaves is then reloaded.

That is for `make test-slow`: all numbers of a page together, to the end, back and to the end again,
as somebody tries them; each slider, number, switch and list by itself; and the pages of Private
mode with data that are open. `tests/app/test_controls.py` opens every page at both ends of
everything, without a browser. Quick is what has to be seen: warnings that go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLong

from tests.browser.conftest import Visit
from tests.browser.private_session import Wire, open_scores, plant, set_budget
from tests.browser.serving import CALM, PAGES, served
from tests.browser.test_upload import give

# Views that hold controls of their own, beside those that a page begins with.
VIEWS = {
    "roc": ("roc_view=methods", "method=recursive-medians", "method=fixed-space"),
    "features": ("select=noisy-scores&epsilon.selection=1", "features_view=rows"),
    "model": ("model_view=accuracy&model_draws=1", "model=logistic"),
    "audit": ("audit_show=own&audit_trials=100",),
    "sparse_vector_lab": (
        "sparse_vector_lab_view=errors&sparse_vector_lab_runs=1&sparse_vector_lab_largest=50",
        "sparse_vector_lab_view=algorithms",
        "sparse_vector_lab_retraverse=yes",
    ),
}
# Pages of Private mode, where they have controls.
PRIVATE = ("budget", "ledger", "release_desk")
# Pages that begin with an upload, which no link carries.
WITH_A_FILE = ("groups", "compare")
SHORT = [
    path for path in PAGES if path not in ("", "data", "reproductions", *PRIVATE, *WITH_A_FILE)
]
SHORT[SHORT.index("sparse_vector_lab")] = f"sparse_vector_lab?{VIEWS['sparse_vector_lab'][0]}"
FULL = dict.fromkeys(
    [
        "data",
        "reproductions?reproductions_name=stoddard-figure-8",
        *SHORT,
        *(f"{path}?{view}" for path, views in VIEWS.items() for view in views),
    ]
)
# Two models and three places of birth.
MODELS = b"outcome,model_a,model_b,region\n" + b"".join(
    b"%d,%.2f,%.2f,%s\n"
    % (
        place % 3 == 0,
        (place * 37 % 100 + 30 * (place % 3 == 0)) / 130,
        (place * 53 % 100 + 60 * (place % 3 == 0)) / 160,
        (b"north", b"south", b"west")[place % 7 % 3],
    )
    for place in range(400)
)
SLIDER = "input[type=range]"
# What a page is made of, and where a press or a click goes; what changes a view comes last.
KINDS = {
    "stSlider": SLIDER,
    "stNumberInput": "input",
    "stCheckbox": "label",
    "stMultiSelect": "input",
    "stSelectbox": "input[role=combobox]",
    "stRadio": "[data-testid=stRadioOption]",
    "stButtonGroup": "[role=radio]",
}
# Every control as its label and what it shows, in one call; and what the page says of its link.
READ = """() => {
  const all = (query) => [...document.querySelectorAll(`[data-testid=stMain] ${query}`)];
  const label = (one) => one.querySelector("[data-testid=stWidgetLabel]")?.innerText.trim()
    ?? one.innerText.trim();
  const shows = {
    stSlider: (one) => one.querySelector("input").getAttribute("aria-valuetext"),
    stNumberInput: (one) => one.querySelector("input").value,
    stCheckbox: (one) => String(one.querySelector("input").checked),
    stMultiSelect: (one) =>
      [...one.querySelectorAll("[data-tag]")].map((tag) => tag.ariaLabel).join(),
    stSelectbox: (one) => one.querySelector("input").value,
    stRadio: (one) => one.querySelector("[data-selected] label")?.innerText ?? "",
    stButtonGroup: (one) => one.querySelector("[aria-checked=true]")?.innerText ?? "",
  };
  return Object.entries(shows).flatMap(([kind, show]) => all(`[data-testid=${kind}]`)
    .filter((one) => one.checkVisibility()).map((one) => [kind, label(one), show(one)]));
}"""
WARNED = """() => [...document.querySelectorAll("[data-testid=stMain] [data-testid=stAlert]")]
  .map((one) => one.innerText).filter((text) => /The link|should not have happened/.test(text))"""
# What takes long at its end, and is walked in full only.
LONG = ("Draws", "Runs", "Largest", "Training records", "Test records", "Variables", "Steps")
# A run begins a moment after its key; at the end of a control, it may be one of a minute and more.
MOMENT, LONGEST = 150, 180_000
# What still grows after so many milliseconds is stopped, as a visitor would.
PATIENCE = 20_000


def rest(page: Page) -> None:
    """Wait until the script has run; figures may still be drawn."""
    page.wait_for_timeout(MOMENT)
    try:
        page.wait_for_selector(CALM, timeout=PATIENCE)
    except TooLong:
        stop = page.get_by_role("button", name="Stop", exact=True)
        if stop.count():
            try:
                stop.click()
            except TooLong:
                # What ended of itself meanwhile took its button away.
                assert stop.count() == 0
        page.wait_for_selector(CALM, timeout=LONGEST)


def shown(page: Page) -> list[list[str]]:
    """Kind, label and value of every control."""
    found: list[list[str]] = page.evaluate(READ)
    return found


def refused(page: Page) -> list[str]:
    """What the page says against a link, or of itself."""
    found: list[str] = page.evaluate(WARNED)
    return found


def unfold(page: Page) -> None:
    """Open the settings; they stay open while what they say changes."""
    folded = page.locator("details:not([open]) summary", has_text="Settings")
    for _ in range(folded.count()):
        # One that is open is none of them any more.
        folded.first.click()
        rest(page)


def reloaded(page: Page, again: Callable[[], None]) -> list[str]:
    """Open the link that the page wrote: what is refused, and what is another value."""
    rest(page)
    unfold(page)
    before, address = shown(page), page.url
    again()
    unfold(page)
    after = shown(page)
    found = refused(page)
    found += [f"{was} is gone" for was in before if was not in after]
    found += [f"{now} is new" for now in after if now not in before]
    return found + ([f"{address} became {page.url}"] if page.url != address else [])


def reload(page: Page) -> None:
    page.reload()
    page.wait_for_selector("h1")
    rest(page)


def press_all(page: Page, key: str) -> None:
    """Press a key on every slider, one after the other, without waiting for what follows."""
    for one in page.locator(f"[data-testid=stMain] {SLIDER}:not(:disabled)").all():
        if one.count() and not (one.get_attribute("aria-label") or "").startswith(LONG):
            one.press(key)


@pytest.mark.slow
@pytest.mark.parametrize("path", SHORT)
def test_all_numbers_of_a_page(visit: Visit, path: str) -> None:
    page, said = visit(path), []
    for key in ("End", "Home", "End"):
        press_all(page, key)
        rest(page)
        said += refused(page)
    assert said + reloaded(page, lambda: reload(page)) == []


# tests/app/test_budget.py asks it without a browser.
@pytest.mark.slow
def test_no_share_can_be_dragged_to_where_it_is_refused(visit: Visit) -> None:
    page = visit("model?select=noisy-scores&epsilon.selection=0.2&epsilon.training=0.8&epsilon=1")
    shares = page.locator("[data-testid=stMain] .stSlider", has_text=re.compile("^(Sel|Tra|Eva)"))
    assert shares.count() == 3
    for key in ("End", "Home"):
        for place in range(3):
            shares.nth(place).locator(SLIDER).press(key)
            rest(page)
            assert page.locator("[data-testid=stMain] [data-testid=stAlert]").count() == 0
            told = [
                one.get_attribute("aria-valuetext") or "" for one in shares.locator(SLIDER).all()
            ]
            parts = [float(text.split()[0].rstrip("%")) for text in told]
            assert min(parts) > 0
            assert sum(parts) == pytest.approx(100, abs=0.5)


def test_a_warning_goes_with_its_cause(visit: Visit) -> None:
    page = visit("audit?audit_show=known-seed&audit_trials=5")
    warning = page.locator("[data-testid=stMain] [data-testid=stAlert]")
    assert "audit_trials=5" in warning.inner_text()
    page.locator("[data-testid=stSelectbox] input[role=combobox]").first.click()
    page.locator("[role=listbox] [role=option]").last.click()
    rest(page)
    assert warning.count() == 0


def test_the_method_is_in_a_fold_that_stays_open_and_its_warning_in_sight(visit: Visit) -> None:
    page = visit("roc")
    fold = page.locator(".st-key-settings")
    words, picker = fold.locator("summary"), fold.get_by_role("combobox").first
    assert words.inner_text().endswith("Settings: Quantile bins, add-remove")
    assert not picker.is_visible()
    unfold(page)
    picker.click()
    page.get_by_role("option", name="(not private)").click()
    rest(page)
    expect(words).to_contain_text("(not private)")
    assert picker.is_visible()
    warning = page.locator("[data-testid=stMain] [data-testid=stAlert]", has_text="Not private.")
    place, size = warning.bounding_box(), page.viewport_size
    assert place is not None
    assert size is not None
    assert place["y"] + place["height"] <= size["height"]
    # A control of one view is gone in the others, where it would move nothing.
    page.goto(page.url.partition("?")[0])
    rest(page)
    band = page.get_by_test_id("stCheckbox").get_by_text("Band for the population")
    for view, there in (("Other draws", 0), ("Curve", 1)):
        page.get_by_role("radio", name=view, exact=True).click()
        rest(page)
        expect(band, view).to_have_count(there)


def test_a_fold_of_settings_opens_and_closes_with_one_press_each(visit: Visit) -> None:
    page = visit("ecdf")
    fold = page.locator(".st-key-settings")
    for state in ("visible", "hidden", "visible"):
        fold.locator("summary").click()
        fold.get_by_role("combobox").first.wait_for(state=state)
        rest(page)
    page.get_by_role("link", name="Threshold", exact=True).click()
    page.get_by_role("heading", name="Threshold", level=1).wait_for()
    rest(page)
    assert fold.get_by_role("combobox").first.is_visible()


@pytest.mark.slow
def test_a_warning_about_an_upload_goes_when_another_page_is_opened(visit: Visit) -> None:
    page = visit("roc?data=upload")
    warning = page.locator("[data-testid=stMain] [data-testid=stAlert]")
    assert "upload the file again" in warning.inner_text()
    page.get_by_role("link", name="ECDF", exact=True).click()
    page.get_by_role("heading", name="Score distributions", level=1).wait_for()
    rest(page)
    assert warning.count() == 0


def walk(page: Page, kind: str, control: Locator, end: int) -> None:
    """Move one control to its first (0) or to its last place (-1), by way of the other one."""
    inner = control.locator(KINDS[kind])
    if kind == "stSlider":
        for key in ("End", "Home", "End") if end else ("Home",):
            inner.first.press(key)
            rest(page)
    elif kind == "stNumberInput":
        edge = inner.get_attribute("max" if end else "min")
        inner.fill(edge or ("1000" if end else "1"))
        inner.press("Enter")
    elif kind == "stCheckbox":
        inner.click()
    elif kind in ("stSelectbox", "stMultiSelect"):
        inner.first.click()
        options = page.locator("[role=listbox] [role=option]")
        if options.count():
            (options.last if end else options.first).click()
        page.keyboard.press("Escape")
    else:
        (inner.last if end else inner.first).click()
    rest(page)


def walk_all(page: Page, end: int) -> list[str]:
    """Move each control of a page to one end; what is said on the way."""
    found = []
    unfold(page)
    # By place: what stands beside a share changes as it moves.
    for kind in KINDS:
        every = page.locator(f"[data-testid=stMain] [data-testid={kind}]").filter(visible=True)
        for place in range(every.count()):
            control = every.nth(place)
            if not control.count() or not control.locator(KINDS[kind]).first.is_enabled():
                continue
            walk(page, kind, control, end)
            found += [f"{kind} {place}: {said}" for said in refused(page)]
    return found


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("path", FULL)
def test_each_control_of_a_page(visit: Visit, path: str) -> None:
    page = visit(path)
    assert shown(page) != []
    found = []
    for end in (-1, 0):
        found += walk_all(page, end)
        # Where records come from is a matter of the session: no link can carry an upload.
        if path != "data":
            found += reloaded(page, lambda: reload(page))
    assert found == []


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", WITH_A_FILE)
def test_each_control_with_a_file(visit: Visit, path: str) -> None:
    page = visit("data")
    page.get_by_role("radio", name="My predictions").click()
    give(page, "models.csv", MODELS)
    page.get_by_text("models.csv: 400 predictions").first.wait_for()
    page.get_by_role("link", name=path.title(), exact=True).first.click()
    page.get_by_role("heading", name=path.title(), exact=True, level=1).wait_for()
    rest(page)
    assert shown(page) != []
    assert walk_all(page, -1) + walk_all(page, 0) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_each_control_of_private_mode(chrome: Browser, tmp_path: Path) -> None:
    """A plan is a session's own and binds nobody; a request to the desk is in its link."""
    folder = tmp_path / "data"
    folder.mkdir()
    planted = plant(folder)
    environment = {"DPCORE_MODE": "private", "DPCORE_LEDGER": str(tmp_path / "ledger.sqlite")}
    with served(DPCORE_DATA_ROOT=str(folder), **environment) as address:
        wire, found = Wire(chrome, address), []
        page = wire.page
        open_scores(wire, planted.scores)
        set_budget(wire, "2")
        for name in ("Budget", "Ledger", "Release desk"):
            wire.menu(name)
            assert shown(page) != []
            for end in (-1, 0):
                found += walk_all(page, end)
                if name == "Release desk":
                    _, mark, link = page.url.partition("?")
                    again = partial(open_scores, wire, planted.scores, mark + link)
                    found += reloaded(page, again)
        wire.context.close()
    assert found == []


def test_the_heading_names_the_records_that_are_picked_beside_the_figure(visit: Visit) -> None:
    page = visit("reusable_holdout?reusable_holdout_steps=5")
    about = page.locator(".dpcore-about")
    assert about.inner_text() == "Generated records"
    page.get_by_role("radio", name="My records").click()
    expect(about).to_have_text("Heart risk · positive: yes")
    page.get_by_role("radio", name="Generated").click()
    expect(about).to_have_text("Generated records")
