"""Pictures as files: JSON and HTML by ourselves, PNG and SVG by a browser without a window."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from plotly.offline import get_plotlyjs

from dpcore.errors import MissingResource
from dpcore.figures.picture import Picture
from dpcore.figures.theme import Theme

# A picture, and what stands above it: nothing, where it is alone.
Shown = tuple[str, Picture]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SECONDS = 120
_CAPTION = 40
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-background-networking", "--force-device-scale-factor=1",
    # It waits until the script has drawn what it draws.
    "--virtual-time-budget=20000",
)  # fmt: skip
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ margin: 0; background: {page}; color: {text}; font: 16px system-ui, sans-serif;
  display: flex; flex-wrap: wrap; }}
section {{ width: {width}px; }} p {{ margin: 0; padding: 0 8px; line-height: {caption}px; }}
</style><script>{library}</script></head><body>
{sections}
<script>
const figures = {figures};
{script}
</script></body></html>
"""
_DRAW = """\
figures.forEach((one, i) => Plotly.newPlot(
  `figure${i}`, one.data, one.layout, { displayModeBar: false, staticPlot: false }));
"""
# Drawings side by side in one; a browser without a window says what it has made as text.
_DRAW_SVG = """\
Promise.all(figures.map((one) => Plotly.toImage(
  one, { format: "svg", width: one.layout.width, height: one.layout.height }
))).then((found) => {
  const code = (text) => btoa(unescape(encodeURIComponent(text)));
  const drawn = found.map((text) => code(decodeURIComponent(text.slice(text.indexOf(",") + 1))));
  document.body.innerHTML = drawn.map((text) => `<pre>${text}</pre>`).join("");
});
"""


def save(shown: Sequence[Shown], path: Path, *, theme: Theme, width: int) -> None:
    """Write pictures side by side into one file; its ending says in which form.

    Parameters
    ----------
    shown : sequence of pairs
        What stands above each picture, if anything, and the picture.
    path : Path
        Ends in ``.json``, ``.html``, ``.svg`` or ``.png``.
    theme : Theme
        Of the page that they stand on.
    width : int
        Of all of them together, in pixels.

    Raises
    ------
    MissingResource
        If a PNG or SVG is asked for, and there is no browser to draw it.
    """
    FORMS[path.suffix](shown, path, theme, width)


def _figures(shown: Sequence[Shown], theme: Theme, width: int) -> list[dict[str, object]]:
    """Traces and layout of each, of one height."""
    each = width // len(shown)
    # As on a page: as high as it wants to be, unless it is too narrow for that.
    height = max(min(one.height, round(one.aspect * each)) for _, one in shown)
    return [
        {
            "data": one.data,
            "layout": {
                **one.layout, "width": each, "height": height, "paper_bgcolor": theme.page,
            },
        }
        for _, one in shown
    ]  # fmt: skip


def _json(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    drawn = zip(shown, _figures(shown, theme, width), strict=True)
    told = [{"setting": words, "alt": one.alt, **figure} for (words, one), figure in drawn]
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _document(shown: Sequence[Shown], theme: Theme, width: int, script: str) -> tuple[str, int]:
    """An HTML page that needs no network, and its height."""
    figures = _figures(shown, theme, width)
    words = any(words for words, _ in shown)
    sections = "".join(
        f"<section>{f'<p>{escape(words)}</p>' if words else ''}"
        f'<div id="figure{place}" role="img" aria-label="{escape(one.alt)}"></div></section>'
        for place, (words, one) in enumerate(shown)
    )
    page = _PAGE.format(
        title=escape(shown[0][1].name),
        page=theme.page,
        text=theme.text,
        width=width // len(shown),
        caption=_CAPTION,
        library=get_plotlyjs(),
        sections=sections,
        # "<" inside JSON text could close the script element.
        figures=json.dumps(figures).replace("<", "\\u003c"),
        script=script,
    )
    height = max(int(str(_layout(one)["height"])) for one in figures)
    return page, height + _CAPTION * words


def _layout(figure: dict[str, object]) -> dict[str, object]:
    layout = figure["layout"]
    assert isinstance(layout, dict)
    return layout


def _html(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    path.write_text(_document(shown, theme, width, _DRAW)[0], encoding="utf-8")


def _png(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    page, height = _document(shown, theme, width, _DRAW)
    _browse(page, f"--screenshot={path.resolve()}", f"--window-size={width},{height}")
    if not path.exists():
        raise MissingResource("the browser has drawn nothing", "ask for .html or .json instead")


def _svg(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    page, height = _document(shown, theme, width, _DRAW_SVG)
    found = re.findall(r"<pre>([A-Za-z0-9+/=]+)</pre>", _browse(page, "--dump-dom"))
    if len(found) != len(shown):
        raise MissingResource("the browser has drawn nothing", "ask for .html or .json instead")
    each, top = width // len(shown), _CAPTION * any(words for words, _ in shown)
    parts = "".join(
        f'<text x="{place * each + 8}" y="26" font-family="sans-serif" font-size="16" '
        f'fill="{theme.text}">{escape(words)}</text><svg x="{place * each}" y="{top}" '
        f"{base64.b64decode(drawing).decode().removeprefix('<svg ')}"
        for place, ((words, _), drawing) in enumerate(zip(shown, found, strict=True))
    )
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect width="100%" height="100%" fill="{theme.page}"/>{parts}</svg>\n',
        encoding="utf-8",
    )


def _browse(page: str, *options: str) -> str:
    """Let a browser without a window show a page; what it prints."""
    named = os.environ.get("CHROMIUM", "")
    browser = (
        shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    )
    if browser is None:
        raise MissingResource(
            "PNG and SVG are drawn by Chromium, which is not here",
            "ask for .html or .json, or set CHROMIUM to the path of one",
        )
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder, "page.html")
        document.write_text(page, encoding="utf-8")
        profile = f"--user-data-dir={folder}/profile"
        command = [browser, *_OPTIONS, profile, *options, document.as_uri()]
        try:
            done = subprocess.run(  # noqa: S603
                command, capture_output=True, timeout=_SECONDS, check=True
            )
        except (subprocess.SubprocessError, OSError) as error:
            raise MissingResource(
                f"{Path(browser).name} cannot draw here ({type(error).__name__})",
                "ask for .html or .json instead",
            ) from None
    return done.stdout.decode("utf-8", errors="replace")


FORMS: dict[str, Callable[[Sequence[Shown], Path, Theme, int], None]] = {
    ".json": _json,
    ".html": _html,
    ".svg": _svg,
    ".png": _png,
}
