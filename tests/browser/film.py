"""One minute of the running app as an animated GIF for the README: `make film`.

Every frame is a screenshot of a page as somebody uses it, with a caption in a bar beneath. Frames
have one palette and differ little from one to the next: the whole stays below two megabytes.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tests.browser.serving import ROOT, launched, new_context, served, settle
from tests.conftest import CHROMIUM_NAMES

FILM = ROOT / "docs" / "film.gif"
MOST_BYTES, SECONDS = 2_000_000, (50, 70)
# The browser's window, and the film made of it.
WINDOW, SIZE = (1280, 860), (960, 645)
COLOURS, AREAS = 256, 48
BAR = """(words) => {
  const id = "dpcore-caption";
  const made = () => Object.assign(document.createElement("div"), { id });
  const bar = document.getElementById(id) ?? document.body.appendChild(made());
  bar.textContent = words;
  bar.style.cssText = "position: fixed; inset: auto 0 0 0; z-index: 9999999; padding: 14px 24px;"
    + "background: #0F1A24; color: #FFFFFF; font: 600 24px 'Source Sans', sans-serif;";
}"""


@dataclass
class Reel:
    """Frames, and how many milliseconds each is seen."""

    frames: list[Image.Image] = field(default_factory=list)
    durations: list[int] = field(default_factory=list)
    # What the app says in the first frame: by that a test knows a film of an earlier app.
    begins: str = ""

    def take(self, page: Page, seconds: float) -> None:
        """Add what the page shows."""
        png = page.screenshot(animations="disabled")
        with Image.open(io.BytesIO(png)) as image:
            self.frames.append(image.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
        self.durations.append(round(1_000 * seconds))

    def save(self, path: Path) -> None:
        """Write the film, in colours that all frames share."""
        every = Image.new("RGB", (SIZE[0], SIZE[1] * len(self.frames)))
        for place, frame in enumerate(self.frames):
            every.paste(frame, (0, SIZE[1] * place))
        palette = palette_of(every)
        first, *others = (
            frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames
        )
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=self.durations,
            loop=0,
            optimize=True,
            comment=self.begins.encode(),
        )


def palette_of(every: Image.Image) -> Image.Image:
    """The colours of areas as they are, and the others as well as the rest of the palette can."""
    found = every.getcolors(every.width * every.height)
    assert found is not None
    areas = [colour for _, colour in sorted(found, reverse=True)[:AREAS]]
    others = every.quantize(
        COLOURS - AREAS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    palette = Image.new("P", (1, 1))
    levels = [level for colour in areas for level in colour]
    palette.putpalette(levels + (others.getpalette() or [])[: 3 * (COLOURS - AREAS)])
    return palette


def say(page: Page, words: str) -> None:
    """Put a caption beneath the page."""
    page.evaluate(BAR, words)


def move(page: Page, key: str) -> None:
    """One stop of the first slider, as the arrow keys move it."""
    page.locator("input[type=range]").first.focus()
    page.keyboard.press(key)
    page.wait_for_timeout(400)
    settle(page)


def go(page: Page, name: str, words: str) -> None:
    """Follow the navigation to a page."""
    page.get_by_role("link", name=name, exact=True).first.click()
    page.locator("h1").wait_for()
    page.wait_for_timeout(600)
    settle(page)
    page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    page.mouse.move(5, 5)
    say(page, words)


def press(page: Page, name: str) -> None:
    """Press a button of that name."""
    page.get_by_role("button", name=name, exact=True).first.click()
    page.wait_for_timeout(800)
    settle(page)


def scenes(page: Page, take: Callable[[float], None]) -> Iterator[str]:
    """What somebody does in a minute; each yields what it was about."""
    say(page, "How good is a model on data that nobody may see?")
    take(5)
    yield "overview"
    go(page, "ROC", "Drag epsilon: smaller is more private, and noisier")
    take(3)
    for key, times in (("ArrowLeft", 9), ("ArrowRight", 14)):
        for _ in range(times):
            move(page, key)
            take(0.5)
    take(1.5)
    yield "epsilon"
    say(page, "Pin a figure, and compare two settings in words, one picture and one link")
    press(page, "Pin")
    take(3)
    for _ in range(6):
        move(page, "ArrowLeft")
        take(0.6)
    take(3)
    press(page, "Unpin")
    yield "pin"
    go(page, "Threshold", "From the same release, at no further cost: who is flagged")
    take(3)
    for _ in range(5):
        move(page, "ArrowRight")
        take(0.7)
    yield "threshold"
    go(page, "Calibration", "Does a score of 0.7 mean seven in ten, and can that be published?")
    take(5)
    yield "calibration"
    go(page, "Model", "Train a private classifier, and see what the noise costs it")
    take(5)
    yield "model"
    go(page, "Release privately", "Private mode: charged to a ledger first, drawn second")
    take(3)
    page.get_by_role("radio", name="Private").click()
    page.get_by_text("Nothing is open.").wait_for()
    settle(page)
    say(page, "Private mode: charged to a ledger first, drawn second")
    take(5)
    yield "release"


def shoot(chromium: str) -> Reel:
    """Open the app as a visitor, and film it."""
    reel = Reel()
    with served() as address, launched(chromium) as browser:
        page = new_context(browser).new_page()
        page.set_viewport_size({"width": WINDOW[0], "height": WINDOW[1]})
        page.goto(address)
        settle(page)
        reel.begins = page.locator(".dpcore-headline").first.inner_text()
        for scene in scenes(page, partial(reel.take, page)):
            print(f"{scene}: {len(reel.frames)} frames", flush=True)
    return reel


def main() -> int:
    """Make the film, and refuse one that is too large or too long for a README."""
    chromium = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM_NAMES)), None
    )
    if chromium is None:
        print("no Chromium: set CHROMIUM to the path of one", file=sys.stderr)
        return 1
    reel = shoot(chromium)
    reel.save(FILM)
    seconds, size = sum(reel.durations) / 1_000, FILM.stat().st_size
    print(f"{FILM.relative_to(ROOT)}: {seconds:.0f} s, {size / 1e6:.2f} MB")
    return int(size > MOST_BYTES or not SECONDS[0] <= seconds <= SECONDS[1])


if __name__ == "__main__":
    sys.exit(main())
