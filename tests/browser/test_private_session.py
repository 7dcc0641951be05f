"""A Private session as its browser sees it: no secret of the data, and one budget for all."""

from __future__ import annotations

import io
import json
import re
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.private_session import (
    Planted,
    Wire,
    open_scores,
    open_table,
    plant,
    publish,
    release,
    set_budget,
    upload_table,
)
from tests.browser.serving import served, settle
from tests.browser.test_every_page import SCREENS, resized
from tests.browser.test_first_screen import BEYOND
from tests.test_streamlit_config import READABLE, contrast

LEFT = "left to spend"
# Words beside the sliders of a plan that do not show their first word, and it alone, with margins.
BESIDE = "[class*=st-key-ask-for] p, [class*=st-key-lock-of] p"
CUT = """(all) => all.filter((words) => {
  const { bottom, right } = words.getBoundingClientRect();
  const [first, second] = words.textContent.split(" ");
  const boxes = [[0, first.length], [first.length + 1, first.length + 2]].map(([from, to]) => {
    const range = document.createRange();
    range.setStart(words.firstChild, from);
    range.setEnd(words.firstChild, to);
    return range.getBoundingClientRect();
  });
  const room = words.closest("button, label").clientWidth - 16;
  return words.checkVisibility() && (!second || words.clientWidth > room || boxes[0].right > right
    || boxes[0].bottom > bottom + 3 || boxes[1].top < bottom - 3);
}).map((words) => words.textContent)"""
IN_SIGHT = """(all) => all.filter((head) => head.getBoundingClientRect().right
  <= head.closest(".dpcore-table").getBoundingClientRect().right + 1)
  .map((head) => head.textContent)"""
NAMES = "(all) => all.map((one) => one.ariaLabel ?? one.textContent)"
COLOURS = """(button) => [button, button.querySelector("p")].map((one, place) =>
  getComputedStyle(one)[place ? "color" : "backgroundColor"].match(/\\d+/g).map(Number))"""
SEEN = "label,score\n" + "1,0.25\n" * 5000 + "0,0.75\n" * 5007


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("private")


@pytest.fixture(scope="module")
def planted(folder: Path) -> Planted:
    (folder / "data").mkdir()
    return plant(folder / "data")


@pytest.fixture(scope="module")
def environment(folder: Path, planted: Planted) -> dict[str, str]:
    return {
        "DPCORE_MODE": "private",
        "DPCORE_DATA_ROOT": str(folder / "data"),
        "DPCORE_LEDGER": str(folder / "ledger.sqlite"),
    }


@pytest.fixture(scope="module")
def private_address(environment: dict[str, str]) -> Iterator[str]:
    with served(**environment) as found:
        yield found


def meter(wire: Wire) -> str:
    """What the sidebar says is left."""
    return wire.page.locator("[data-testid=stSidebar] .dpcore-meter").inner_text()


@dataclass(frozen=True)
class Session:
    """A Private session from beginning to end: what its browser received, and what was released.

    And what of a release is hidden at first, and the ways on that a closed page shows, and cuts.
    """

    wire: Wire
    said: str
    shown: str
    hidden: list[str]
    ways_on: list[str]
    cut: list[str]


@pytest.fixture(scope="module")
def session(private_address: str, chrome: Browser, planted: Planted) -> Iterator[Session]:
    wire = Wire(chrome, private_address)
    open_scores(wire, planted.scores)
    set_budget(wire, "3")
    wire.menu("Release desk")
    # On a telephone first: the wide window stays.
    screens = (resized(wire.page, *size, glance=True) for size in SCREENS[::-1])
    hidden = [fault for faults in screens for fault in faults]
    said, shown = release(wire), meter(wire)
    bundle = wire.download("Bundle")
    for name in zipfile.ZipFile(io.BytesIO(bundle)).namelist():
        wire.keep(f"{name} of the bundle", zipfile.ZipFile(io.BytesIO(bundle)).read(name))
    wire.download("CSV")
    wire.download("JSON")
    wire.menu("Ledger")
    wire.download("Export the ledger")
    wire.go("calibration")
    assert wire.page.get_by_text("The page “Calibration” is closed here").count() == 1
    wire.page.set_viewport_size({"width": 900, "height": 900})
    settle(wire.page)
    names = wire.page.get_by_test_id("stPageLink-NavLink").locator("> :last-child")
    ways_on, cut = names.all_inner_texts(), names.evaluate_all(BEYOND)
    wire.page.set_viewport_size({"width": 1280, "height": 900})
    for path in ("host-config", "health"):
        with urllib.request.urlopen(f"{private_address}/_stcore/{path}") as answer:
            wire.keep(path, answer.read())
    yield Session(wire, said, shown, hidden, ways_on, cut)
    wire.context.close()


@pytest.fixture(scope="module")
def opened(session: Session, planted: Planted) -> Wire:
    """The same browser, which has the data open again and asks for more than is left of them.

    What is tested of it is on pages that one comes to by the menu.
    """
    open_scores(session.wire, planted.scores, "?epsilon=9")
    return session.wire


def test_no_secret_reaches_the_browser(
    session: Session, planted: Planted, record_property: Callable[..., None]
) -> None:
    wire = session.wire
    assert session.said.startswith("At epsilon 1 the private AUC is 0.")
    assert f"epsilon 2\n{LEFT}" in session.shown or f"epsilon 2 {LEFT}" in session.shown
    sizes = sum(len(content) for _, content in wire.heard)
    told = (
        f"canaries searched: {len(planted.secrets)}, in {wire.frames} frames and "
        f"{len(wire.heard) - wire.frames} other texts ({sizes:,} bytes)"
    )
    record_property("counted", told)
    assert wire.frames > 50
    assert wire.found(planted.secrets) == []


def test_what_to_expect_of_a_release_is_on_its_first_screen(session: Session) -> None:
    assert session.hidden == []


def test_beside_the_menu_the_ways_on_from_a_closed_page_can_be_read(session: Session) -> None:
    assert "Release desk" in session.ways_on
    assert session.cut == []


def test_a_button_that_cannot_be_pressed_can_be_read(opened: Wire) -> None:
    opened.menu("Release desk")
    page = opened.page
    button = page.get_by_role("button", name="Release…")
    assert button.is_disabled()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        settle(page)
        behind, ink = (
            [float(one) for one in re.findall(r"[\d.]+", told)]
            for told in (
                page.get_by_test_id("stApp").evaluate("e => getComputedStyle(e).backgroundColor"),
                button.locator("p").evaluate("e => getComputedStyle(e).color"),
            )
        )
        opacity = ink[3] if len(ink) > 3 else 1.0
        assert opacity * abs(ink[0] - behind[0]) > 60


def test_beside_the_menu_what_to_publish_is_chosen_above_the_figure(opened: Wire) -> None:
    opened.menu("Release desk")
    page = opened.page
    page.set_viewport_size({"width": 900, "height": 900})
    settle(page)
    choice = page.get_by_role("combobox", name="Publish").bounding_box()
    figure = page.locator(".dpcore-figure").first.bounding_box()
    assert choice is not None
    assert figure is not None
    assert choice["y"] + choice["height"] < figure["y"]
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_question_can_be_read_in_the_dark(opened: Wire) -> None:
    """It floats above the page, which alone is told by Streamlit that it is dark."""
    opened.menu("Release desk")
    page = opened.page
    if (less := page.get_by_role("button", name=re.compile("^Take epsilon"))).count():
        less.press("Enter")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        settle(page)
        opened.press("Release…")
        button = page.get_by_role("dialog").get_by_role("button", name=re.compile("^Charge"))
        behind, ink = ("#" + bytes(found).hex() for found in button.evaluate(COLOURS))
        assert contrast(ink, behind) >= READABLE
        page.get_by_role("dialog").get_by_role("button", name="Cancel").press("Enter")


def test_a_share_of_the_plan_follows_keys_as_fast_as_they_come(opened: Wire) -> None:
    """Each key asks for another run, before the one of the last has drawn the slider again."""
    opened.menu("Budget")
    page = opened.page
    share = page.get_by_role("slider", name=re.compile("^AUC"))
    before = int(share.input_value())
    for _ in range(25):
        share.focus()
        page.keyboard.press("ArrowRight")
    settle(page)
    assert page.get_by_text("The shares add up to").count() == 1
    assert int(share.input_value()) > before


def test_a_plan_can_be_read_and_pressed_at_any_width(opened: Wire) -> None:
    """Beside the menu, a page of 900 pixels has half of them for itself."""
    opened.menu("Budget")
    page = opened.page
    for width in (900, 390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        rows = page.get_by_test_id("stSlider").count()
        for kind, name in (("button", "Ask for"), ("checkbox", "Lock")):
            said = page.get_by_role(kind, name=name).evaluate_all(NAMES)
            assert rows == len(set(said)) == len(said) > 3
        assert page.locator(BESIDE).evaluate_all(CUT) == []
        tracks = page.get_by_test_id("stSlider").evaluate_all("all => all.map(e => e.offsetWidth)")
        assert min(tracks) > 150


def test_beside_the_menu_a_ledger_shows_what_was_charged(session: Session) -> None:
    page = session.wire.page
    session.wire.menu("Ledger")
    page.set_viewport_size({"width": 900, "height": 900})
    settle(page)
    shown = page.locator(".dpcore-table th").evaluate_all(IN_SIGHT)
    assert {"budget", "available", "what", "for", "epsilon", "data set", "request"} <= set(shown)
    assert page.locator(".dpcore-table").evaluate_all(BEYOND) == []
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.slow
def test_no_secret_of_a_table_and_by_other_pages(session: Session, planted: Planted) -> None:
    open_table(session.wire, planted.table)
    set_budget(session.wire, "3")
    assert release(session.wire).startswith("At epsilon 1 the private AUC is 0.")
    session.wire.download("JSON")
    for path in ("data", "features", "model", "?mode=teach", "roc?data=upload"):
        session.wire.go(path)
    assert session.wire.found(planted.secrets) == []


@pytest.mark.parametrize("query", ["", "/", "?families=cache_memory_bytes"])
def test_the_server_keeps_its_figures_to_itself(private_address: str, query: str) -> None:
    """Streamlit would say how many bytes wait in uploads, hence about how many rows."""
    for accept in ("*/*", "application/x-protobuf"):
        asked = urllib.request.Request(
            f"{private_address}/_stcore/metrics{query}", headers={"Accept": accept}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        assert refused.value.code == 404
        assert refused.value.read() == b"Not Found"


@pytest.mark.slow
def test_a_secret_on_the_wire_would_be_found(
    chrome: Browser, planted: Planted, address: str
) -> None:
    """The same eyes see the rows of a Teach visit."""
    wire = Wire(chrome, address)
    wire.go("data")
    wire.page.get_by_role("radio", name="My predictions").click()
    wire.page.get_by_text("A table with a label and a score").wait_for()
    wire.page.locator("input[type=file]").first.set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": SEEN.encode()}
    )
    wire.page.get_by_text("mine.csv: 10,007 predictions").wait_for()
    wire.look()
    found = wire.found(planted.secrets)
    assert any(one.startswith("number of records, with a comma in a WebSocket") for one in found)
    wire.context.close()


# Another visit of the same server is asked for in tests/app/test_release_desk.py.
@pytest.mark.slow
def test_one_budget_for_tabs_browsers_and_servers(
    session: Session,
    private_address: str,
    environment: dict[str, str],
    chrome: Browser,
    planted: Planted,
    record_property: Callable[..., None],
) -> None:
    wires = [Wire(chrome, private_address)]
    replayed(wires[0], session, planted)
    # The first server still runs beside this one, which is stopped and started again.
    for _ in range(2):
        with served(**environment) as address:
            wires.append(Wire(chrome, address))
            replayed(wires[-1], session, planted)
    wires[0].menu("Ledger")
    assert wires[0].page.get_by_text("rows of the ledger are as they were").count() == 1
    for wire in wires:
        wire.context.close()
    # Opening by its address is a reload: the session of before is gone.
    replayed(session.wire, session, planted)
    counted = "a second browser, 2 more starts of a server, 1 reload"
    record_property("counted", f"replays from {counted}, for epsilon 0")


@pytest.mark.slow
def test_features_and_a_model_from_upload_to_bundle(
    private_address: str, chrome: Browser, folder: Path, planted: Planted
) -> None:
    lines = (folder / "data" / planted.table).read_bytes().splitlines(keepends=True)
    wire = Wire(chrome, private_address)
    upload_table(wire, b"".join(lines[:5000]))
    set_budget(wire, "3")
    wire.menu("Release desk")
    for title, said in (
        ("Selected features", "1 of 2 features are selected; 1 number"),
        ("Model", "A private DPClassifier"),
    ):
        publish(wire, title)
        assert wire.page.get_by_role("button", name="Release…").is_enabled()
        assert release(wire).startswith(said)
        what = title.split()[-1].lower()
        bundle = zipfile.ZipFile(io.BytesIO(wire.download("Bundle")))
        held = {Path(name).name: bundle.read(name) for name in bundle.namelist()}
        assert {"reproduce.py", "reproduce.ipynb", "ledger.json"} <= set(held)
        assert json.loads(held["release.json"])["release"]["request"]["what"] == what
        assert len(held[f"{what}.csv"].splitlines()) > 3
    assert wire.found(planted.secrets) == []
    wire.context.close()


def replayed(wire: Wire, session: Session, planted: Planted) -> None:
    """The same release and the same budget, as if nothing had happened in between."""
    open_scores(wire, planted.scores)
    wire.press("Show the stored release")
    expect(wire.page.locator(".dpcore-headline").first).to_have_text(session.said, timeout=30_000)
    assert meter(wire) == session.shown
