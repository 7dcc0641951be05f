"""What a browser receives in a Private session, and secrets that must not be in it."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, Response, WebSocket, expect
from sklearn.metrics import roc_auc_score

from tests.browser.serving import new_context, settle

N = 10_007
SCHEMA = """title = "Ward 7"
[[column]]
name = "age"
type = "numeric"
bounds = [0, 100]
[[column]]
name = "town"
type = "categorical"
levels = ["north", "south"]
[[column]]
name = "ill"
type = "label"
classes = ["no", "yes"]
positive = "yes"
"""


@dataclass
class Planted:
    """Two files with secrets in them.

    Attributes
    ----------
    scores, table : str
        Names of the files in the server's folder.
    secrets : dict of str to pattern
        What each is, and how it would look on the wire.
    """

    scores: str = "canary-quetzal.csv"
    table: str = "canary-axolotl.csv"
    secrets: dict[str, re.Pattern[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (self.scores, self.table):
            self.secrets[f"name of the file {name}, in an address"] = re.compile(
                rb"[?&/=]" + re.escape(name.encode())
            )


def _number(text: str) -> re.Pattern[bytes]:
    """A number that stands alone: part of a hash or of another number it is none."""
    return re.compile(rb"(?<![0-9A-Za-z.])" + re.escape(text.encode()) + rb"(?![0-9A-Za-z])")


def plant(folder: Path) -> Planted:
    """Write both files, and say what must never be seen of them."""
    draws = np.random.default_rng(17)
    label = (draws.random(N) < 0.37).astype(int)
    score = np.round(1 / (1 + np.exp(-(draws.normal(size=N) + 1.3 * label - 0.8))), 9)
    planted = Planted()
    rows = zip(label.tolist(), score.tolist(), strict=True)
    text = "label,score\n" + "".join(f"{one},{other!r}\n" for one, other in rows)
    (folder / planted.scores).write_text(text, encoding="utf-8")
    age = np.round(draws.uniform(20, 90, N), 6)
    towns = np.where(draws.random(N) < 0.5, "north", "south").astype(object)
    towns[:400] = "Zebrafinchville"
    ill = np.where(label == 1, "yes", "no").astype(object)
    ill[-300:] = "quokkapositive"
    table = "age,town,ill\n" + "".join(
        f"{one!r},{two},{three}\n" for one, two, three in zip(age.tolist(), towns, ill, strict=True)
    )
    (folder / planted.table).write_text(table, encoding="utf-8")
    auc = float(roc_auc_score(label, score))
    found = planted.secrets
    found["digits of the true AUC"] = re.compile(f"{auc:.12f}"[:9].encode().replace(b".", rb"\."))
    found["the true AUC as a double"] = re.compile(re.escape(struct.pack("<d", auc)))
    for what, count in (("records", N), ("positives", int(label.sum()))):
        found[f"number of {what}"] = _number(str(count))
        found[f"number of {what}, with a comma"] = _number(f"{count:,}")
    found["a category that no schema declares"] = re.compile(rb"Zebrafinch", re.IGNORECASE)
    found["a class that no schema declares"] = re.compile(rb"quokkapositive", re.IGNORECASE)
    for place in (0, 1, N // 2, N - 1, int(score.argmax()), int(score.argmin())):
        found[f"score of row {place}"] = re.compile(re.escape(repr(float(score[place])).encode()))
        found[f"score of row {place} as a double"] = re.compile(
            re.escape(struct.pack("<d", float(score[place])))
        )
    for place in (0, N // 2, int(age.argmax()), int(age.argmin())):
        found[f"age of row {place}"] = re.compile(re.escape(repr(float(age[place])).encode()))
        found[f"age of row {place} as a double"] = re.compile(
            re.escape(struct.pack("<d", float(age[place])))
        )
    return planted


class Wire:
    """Everything that one browser receives: frames, bodies, addresses, and what it shows."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.heard: list[tuple[str, bytes]] = []
        self.frames = 0
        self.context: BrowserContext = new_context(browser)
        self.page: Page = self.context.new_page()
        self.page.on("websocket", self._listen)
        self.page.on("response", self._response)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _frame(self, payload: bytes | str) -> None:
        self.frames += 1
        content = payload.encode() if isinstance(payload, str) else payload
        self.heard.append(("a WebSocket frame", content))

    def _response(self, response: Response) -> None:
        self.heard.append(("an address", response.url.encode()))

    def keep(self, what: str, content: bytes) -> None:
        """Note something else that the browser has."""
        self.heard.append((what, content))

    def look(self) -> None:
        """Note what the page shows and where it is."""
        settle(self.page)
        self.keep("the page", self.page.content().encode())
        self.keep("an address", self.page.url.encode())

    def go(self, path: str) -> None:
        """Follow a link from outside."""
        self.page.goto(f"{self.address}/{path}")
        self.look()

    def menu(self, name: str) -> None:
        """Follow a link of the navigation; the session goes on."""
        self.page.get_by_role("link", name=name, exact=True).first.click()
        self.page.get_by_role("heading", name=name, exact=True, level=1).wait_for()
        self.look()

    def press(self, name: str) -> None:
        """Press the button whose words begin like that, by key: no mouse is needed to release."""
        button = self.page.get_by_role("button", name=re.compile(f"^{name}")).last
        expect(button).to_be_enabled()
        button.press("Enter")

    def download(self, name: str) -> bytes:
        """Take a file away."""
        with self.page.expect_download() as waiting:
            offered = self.page.get_by_test_id("stDownloadButton")
            offered.get_by_role("button", name=name, exact=True).click()
        content = Path(waiting.value.path()).read_bytes()
        self.keep(f"the download {name}", content)
        return content

    def found(self, secrets: dict[str, re.Pattern[bytes]]) -> list[str]:
        """Which secrets came through, and where."""
        return [
            f"{what} in {where}"
            for what, pattern in secrets.items()
            for where, content in self.heard
            if pattern.search(content)
        ]


def open_scores(wire: Wire, name: str, query: str = "") -> None:
    """Open the planted predictions on the release desk."""
    wire.go(f"release_desk{query}")
    _choose(wire, name)
    wire.page.get_by_label("Positive label").fill("1")
    wire.page.keyboard.press("Tab")
    _open(wire)


def open_table(wire: Wire, name: str) -> None:
    """Open the planted table on the release desk."""
    wire.go("release_desk")
    wire.page.get_by_role("radio", name="a table").click()
    wire.page.get_by_text("Its schema").wait_for()
    _choose(wire, name)
    _upload(wire, 0, "schema.toml", SCHEMA.encode())
    _open(wire)


def upload_table(wire: Wire, content: bytes) -> None:
    """Open a table from this browser, with its schema."""
    wire.go("release_desk")
    wire.page.get_by_role("radio", name="a table").click()
    wire.page.get_by_text("Its schema").wait_for()
    _upload(wire, 0, "ward.csv", content)
    _upload(wire, 1, "schema.toml", SCHEMA.encode())
    _open(wire)


def _upload(wire: Wire, place: int, name: str, content: bytes) -> None:
    # A place for files that a rerun puts away takes with it what was put there.
    settle(wire.page)
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    wire.page.locator("input[type=file]").nth(place).set_input_files(file)
    wire.page.get_by_text(name).wait_for()


def publish(wire: Wire, title: str) -> None:
    """Choose what is to be released."""
    settle(wire.page)
    box = wire.page.get_by_role("combobox", name="Publish")
    # Scrolling on the way to it would close the list again.
    box.scroll_into_view_if_needed()
    box.click()
    box.fill(title)
    wire.page.get_by_role("option", name=title, exact=True).click()
    wire.page.get_by_text(f"Releasing “{title}” costs").wait_for()
    settle(wire.page)


def _choose(wire: Wire, name: str) -> None:
    wire.page.get_by_role("radio", name="on the server").click()
    box = wire.page.get_by_role("combobox", name="File")
    box.wait_for()
    box.click()
    box.fill(name)
    wire.page.get_by_role("option", name=name, exact=True).click()


def _open(wire: Wire) -> None:
    settle(wire.page)
    wire.press("Open the data")
    wire.page.get_by_role("button", name="Close these data").wait_for(timeout=30_000)
    wire.look()
    # The button was far below; what is to be done next stands at the top.
    expect(wire.page.get_by_role("heading", level=1)).to_be_in_viewport()


def set_budget(wire: Wire, epsilon: str) -> None:
    """Set the budget of the open data."""
    wire.menu("Budget")
    wire.page.get_by_role("textbox", name="Total epsilon").fill(epsilon)
    wire.page.keyboard.press("Tab")
    wire.page.wait_for_timeout(300)
    wire.press("Set the budget, once")
    wire.page.get_by_role("button", name="Set epsilon").wait_for()
    wire.press("Set epsilon")
    wire.page.get_by_text("is left to spend on").wait_for()
    wire.look()


def release(wire: Wire) -> str:
    """Release what is chosen; the headline of the result."""
    wire.menu("Release desk")
    wire.press("Release…")
    wire.press("Charge epsilon")
    wire.page.get_by_text("Take it with you").wait_for(timeout=60_000)
    wire.look()
    return wire.page.locator(".dpcore-headline").first.inner_text()
