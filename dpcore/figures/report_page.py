"""The frame of a report: one HTML file that needs no network, for light and dark screens."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from string import Template

from dpcore.figures.picture import Picture, plotly_folder
from dpcore.figures.theme import DARK, LIGHT, Theme

# The policy forbids every request: a report can neither load nor send anything.
_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>$title</title>
<style>
:root { $light }
@media (prefers-color-scheme: dark) { :root { $dark } }
$style
</style>
<script>$plotly</script>
</head>
<body>
<main>
$body
</main>
<script>
$script
</script>
</body>
</html>
""")

_STYLE = """\
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
p { margin: .5rem 0; }
.lead { font-size: 1.1rem; }
.note, figcaption { color: var(--muted); font-size: .92rem; }
.stamp { display: inline-block; border: 1px solid var(--accent); color: var(--accent);
  border-radius: .25rem; padding: .1rem .6rem; font-weight: 600; }
figure { margin: 1rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--grid);
  vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; }
td.number, th.number { text-align: right; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
pre { overflow-x: auto; font-size: .85rem; border: 1px solid var(--grid); padding: .75rem;
  border-radius: .25rem; }
"""

_SCRIPT = """\
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function draw() {
  for (const place of document.querySelectorAll("[data-figure]")) {
    const both = JSON.parse(document.getElementById(place.dataset.figure).textContent);
    const shown = dark.matches ? both.dark : both.light;
    Plotly.react(place, shown.data, shown.layout, both.config);
  }
}
dark.addEventListener("change", draw);
draw();
"""


def page(title: str, body: Sequence[str]) -> str:
    """Put the parts of a report into one self-contained file.

    Parameters
    ----------
    title
        Plain text.
    body
        HTML made by the other functions of this module.
    """
    return _PAGE.substitute(
        title=escape(title),
        light=_variables(LIGHT),
        dark=_variables(DARK),
        style=_STYLE,
        plotly=(plotly_folder() / "plotly.min.js").read_text(encoding="utf-8"),
        body="\n".join(body),
        script=_SCRIPT,
    )


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
    numeric = [
        bool(rows) and all(isinstance(row[place], int | float) for row in rows)
        for place in range(len(header))
    ]
    kind = [' class="number"' if right else "" for right in numeric]
    head = "".join(
        f'<th scope="col"{css}>{escape(name)}</th>' for css, name in zip(kind, header, strict=True)
    )
    lines = [
        "".join(f"<td{css}>{_cell(value)}</td>" for css, value in zip(kind, row, strict=True))
        for row in rows
    ]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<div class="scroll"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _cell(value: str | float | int) -> str:
    return f"{value:.4f}" if isinstance(value, float) else escape(str(value))


def _variables(theme: Theme) -> str:
    colours = {
        "text": theme.text,
        "muted": theme.muted,
        "grid": theme.grid,
        "page": theme.page,
        "accent": theme.private,
    }
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())
