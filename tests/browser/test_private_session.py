"""A Private session as its browser sees it: no secret of the data, and one budget for all."""

from __future__ import annotations

import io
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.private_session import (
    Planted,
    Wire,
    open_scores,
    open_table,
    plant,
    release,
    set_budget,
)
from tests.browser.serving import served

LEFT = "left to spend"
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


def test_no_secret_reaches_the_browser(
    private_address: str,
    chrome: Browser,
    planted: Planted,
    record_property: Callable[..., None],
) -> None:
    wire = Wire(chrome, private_address)
    open_scores(wire, planted.scores)
    set_budget(wire, "3")
    assert release(wire).startswith("The private AUC is 0.")
    bundle = wire.download("Bundle")
    for name in zipfile.ZipFile(io.BytesIO(bundle)).namelist():
        wire.keep(f"{name} of the bundle", zipfile.ZipFile(io.BytesIO(bundle)).read(name))
    wire.download("CSV")
    wire.download("JSON")
    wire.menu("Ledger")
    wire.download("Export the ledger")
    for path in ("?mode=teach", "roc?data=upload", "data", "features", "model", "calibration"):
        wire.go(path)
    open_table(wire, planted.table)
    set_budget(wire, "3")
    assert release(wire).startswith("The private AUC is 0.")
    wire.download("JSON")
    for path in ("host-config", "metrics", "health"):
        with urllib.request.urlopen(f"{private_address}/_stcore/{path}") as answer:
            wire.keep(path, answer.read())
    sizes = sum(len(content) for _, content in wire.heard)
    told = (
        f"canaries searched: {len(planted.secrets)}, in {wire.frames} frames and "
        f"{len(wire.heard) - wire.frames} other texts ({sizes:,} bytes)"
    )
    record_property("counted", told)
    assert wire.frames > 50
    assert wire.found(planted.secrets) == []
    wire.context.close()


def test_a_secret_on_the_wire_would_be_found(
    chrome: Browser, planted: Planted, address: str
) -> None:
    """The same eyes see the rows of a Teach visit."""
    wire = Wire(chrome, address)
    wire.go("data")
    wire.page.get_by_role("radio", name="My predictions").click()
    wire.page.get_by_text("Two columns: label and score").wait_for()
    wire.page.locator("input[type=file]").first.set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": SEEN.encode()}
    )
    wire.page.get_by_text("mine.csv: 10,007 predictions").wait_for()
    wire.look()
    found = wire.found(planted.secrets)
    assert any(one.startswith("number of records, with a comma in a WebSocket") for one in found)
    wire.context.close()


def test_one_budget_for_tabs_browsers_and_restarts(
    environment: dict[str, str],
    chrome: Browser,
    planted: Planted,
    tmp_path: Path,
    record_property: Callable[..., None],
) -> None:
    own = {**environment, "DPCORE_LEDGER": str(tmp_path / "ledger.sqlite")}
    with served(**own) as address:
        first = Wire(chrome, address)
        open_scores(first, planted.scores)
        set_budget(first, "2")
        said = release(first)
        shown = meter(first)
        assert f"epsilon 1\n{LEFT}" in shown or f"epsilon 1 {LEFT}" in shown
        second = Wire(chrome, address)
        # Opening by its address is a reload: the session of before is gone.
        for wire in (second, first):
            open_scores(wire, planted.scores)
            wire.press("Show the stored release")
            expect(wire.page.locator(".dpcore-headline").first).to_have_text(said, timeout=30_000)
            assert meter(wire) == shown
            wire.context.close()
    with served(**own) as address:
        third = Wire(chrome, address)
        open_scores(third, planted.scores)
        assert meter(third) == shown
        third.menu("Ledger")
        assert third.page.get_by_text("All 3 rows of the ledger are as they were").count() == 1
        third.context.close()
    record_property("counted", "replays from two browsers: 2, for epsilon 0")
