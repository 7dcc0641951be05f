"""Pictures as files: reports, JSON and HTML by ourselves, PNG and SVG by a browser."""

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
from string import Template

from dpcore._typing import Json
from dpcore.errors import MissingResource
from dpcore.figures.picture import Picture, plotly_library, printable
from dpcore.figures.theme import DARK, LIGHT, Theme


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


# No title holds it, because "<" is escaped there.
_LIBRARY = "<library>"


def page(title: str, body: Sequence[str]) -> bytes:
    """Put the parts of a report into one self-contained file, in UTF-8.

    The drawing library, nearly all of it, is never decoded.

    Parameters
    ----------
    title
        Plain text.
    body
        HTML made by the other functions of this module.
    """
    # Its policy forbids every request: a report can neither load nor send anything.
    look = {"light": _variables(LIGHT), "dark": _variables(DARK), "library": _LIBRARY}
    page = Template(_file("report.html"))
    text = page.substitute(look, title=escape(title), body="\n".join(body))
    before, after = text.encode().split(_LIBRARY.encode(), 1)
    return b"".join((before, plotly_library(), after))


def section(heading: str, *parts: str) -> str:
    """A heading and what stands under it."""
    return "\n".join([f"<section>\n<h2>{escape(heading)}</h2>", *parts, "</section>"])


def figure(light: Picture, dark: Picture, caption: str = "") -> str:
    """One figure, drawn for the screen's colour scheme, with words for who cannot see it."""
    name = f"figure-{light.name}"
    both = {
        "light": {"data": light.data, "layout": {**light.layout, "height": light.height}},
        "dark": {"data": dark.data, "layout": {**dark.layout, "height": dark.height}},
        "config": light.config(),
    }
    # "<" inside JSON text could close the script element.
    embedded = json.dumps(both).replace("<", "\\u003c")
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return (
        f'<figure>\n<div role="img" aria-label="{escape(light.alt)}" data-figure="{name}" '
        f'style="height: {light.height}px"></div>\n{below}\n</figure>\n'
        f'<script type="application/json" id="{name}">{embedded}</script>'
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str | float | int]]) -> str:
    """A table; numbers are set to the right.

    Examples
    --------
    >>> table(["name", "AUC"], [["a < b", 0.5]]).count("&lt;")
    1
    """
    columns = [*zip(*rows, strict=True)] or [("",)] * len(header)
    numeric = [all(isinstance(cell, int | float) for cell in column) for column in columns]
    kind = [' class="number"' if right else "" for right in numeric]
    names = zip(kind, header, strict=True)
    head = "".join(f'<th scope="col"{css}>{_cell(name)}</th>' for css, name in names)
    lines = (zip(kind, row, strict=True) for row in rows)
    cells = ("".join(f"<td{css}>{_cell(value)}</td>" for css, value in line) for line in lines)
    body = "\n".join(f"<tr>{line}</tr>" for line in cells)
    return (
        '<div class="scroll"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _cell(value: str | float | int) -> str:
    return f"{value:.4f}" if isinstance(value, float) else escape(printable(str(value)))


def _variables(theme: Theme) -> str:
    colours = {name: getattr(theme, name) for name in ("text", "muted", "grid", "page")}
    colours["accent"] = theme.private
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


# A picture, and what stands above it: nothing, where it is alone.
Shown = tuple[str, Picture]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


_CAPTION = 40

_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-background-networking", "--force-device-scale-factor=1",
    # It waits until the script has drawn what it draws.
    "--virtual-time-budget=20000",
)  # fmt: skip


def save(shown: Sequence[Shown], path: Path, *, theme: Theme, width: int) -> None:
    """Write pictures side by side into one file; its ending says in which form.

    Parameters
    ----------
    shown : sequence of pairs
        What stands above each picture, if anything, and the picture.
    path
        Ends in ``.json``, ``.html``, ``.svg`` or ``.png``.
    theme
        Of the page that they stand on.
    width
        Of all of them together, in pixels.

    Raises
    ------
    MissingResource
        If a PNG or SVG is asked for, and there is no browser to draw it.
    """
    FORMS[path.suffix](shown, path, theme, width)


def _figures(shown: Sequence[Shown], theme: Theme, width: int) -> list[Json]:
    """Traces and layout of each, of one height."""
    each = width // len(shown)
    # As on a page: as high as it wants to be, unless it is too narrow for that.
    height = max(min(one.height, round(one.aspect * each)) for _, one in shown)
    told = {"width": each, "height": height, "paper_bgcolor": theme.page}
    return [{"data": one.data, "layout": one.layout | told} for _, one in shown]


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
    page = Template(_file("drawing.html")).substitute(
        title=escape(shown[0][1].name),
        page=theme.page,
        text=theme.text,
        width=width // len(shown),
        caption=_CAPTION,
        library=plotly_library().decode(),
        sections=sections,
        # "<" inside JSON text could close the script element.
        figures=json.dumps(figures).replace("<", "\\u003c"),
        script=_file(script),
    )
    height: int = max(one["layout"]["height"] for one in figures)
    return page, height + _CAPTION * words


def _html(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    path.write_text(_document(shown, theme, width, "drawing.js")[0], encoding="utf-8")


def _png(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    page, height = _document(shown, theme, width, "drawing.js")
    _browse(page, f"--screenshot={path.resolve()}", f"--window-size={width},{height}")
    if not path.exists():
        raise _not_drawn("the browser has drawn nothing")


def _svg(shown: Sequence[Shown], path: Path, theme: Theme, width: int) -> None:
    page, height = _document(shown, theme, width, "drawing_as_svg.js")
    found = re.findall(r"<pre>([A-Za-z0-9+/=]+)</pre>", _browse(page, "--dump-dom"))
    if len(found) != len(shown):
        raise _not_drawn("the browser has drawn nothing")
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


def _not_drawn(what: str) -> MissingResource:
    return MissingResource(what, "ask for .html or .json instead")


def _browse(page: str, *options: str) -> str:
    """Let a browser without a window show a page; what it prints."""
    named = os.environ.get("CHROMIUM", "")
    browser = next(filter(None, map(shutil.which, [named] if named else BROWSERS)), None)
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
                command, capture_output=True, timeout=120, check=True
            )
        except (subprocess.SubprocessError, OSError) as error:
            what = f"{Path(browser).name} cannot draw here ({type(error).__name__})"
            raise _not_drawn(what) from None
    return done.stdout.decode("utf-8", errors="replace")


FORMS: dict[str, Callable[[Sequence[Shown], Path, Theme, int], None]] = {
    ".json": _json,
    ".html": _html,
    ".svg": _svg,
    ".png": _png,
}
