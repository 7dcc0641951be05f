"""A reproduction as a small still picture: an SVG of its first panel, inside an image element."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from math import isfinite, log
from urllib.parse import quote

from dpcore.figures.theme import Theme
from reproductions import Experiment, Rows
from reproductions.roles import role_colour, role_dash
from reproductions.rows import Role, Row

# Of the viewBox: it is shown about as large, so one unit is about a pixel.
WIDTH, HEIGHT = 320, 132
_LEFT, _RIGHT, _TOP, _BOTTOM = 4, WIDTH - 4, 18, HEIGHT - 4
# Of the room that each place on the axis has, bars take so much.
_BARS = 0.8
_DASHES = {"solid": "", "dot": "1 4", "dash": "6 4", "dashdot": "6 3 1 3"}

Scale = Callable[[float], int]


def reproduction_thumbnail(experiment: Experiment, rows: Rows, *, theme: Theme) -> str:
    """The first panel of an experiment as an image element of a few kilobytes.

    The picture is part of the element: nothing is requested, and pages that strip drawings out of
    HTML keep it. It names its size, so that a page does not move when it appears.

    Parameters
    ----------
    experiment
        Says how its rows are drawn.

    Examples
    --------
    >>> from dpcore.figures.theme import LIGHT
    >>> from reproductions import Row, experiment
    >>> rows = Rows((Row("SMS", "best", "ours", 1.0, 0.5),))
    >>> reproduction_thumbnail(experiment("lyu-figure-5"), rows, theme=LIGHT)[:41]
    '<img width="320" height="132" alt="Error '
    """
    chart = experiment.chart
    words = f"{chart.y.capitalize()} against {chart.x}, {rows.panels[0]}; simulation"
    source = quote(thumbnail_svg(experiment, rows, theme=theme), safe=" =:/,;()")
    return (
        f'<img width="{WIDTH}" height="{HEIGHT}" alt="{escape(words)}" '
        f'src="data:image/svg+xml,{source}">'
    )


def thumbnail_svg(experiment: Experiment, rows: Rows, *, theme: Theme) -> str:
    """The picture itself, as SVG text.

    Lines and bars have the colours and dashes of `reproduction_picture`; there are no numbers.

    Examples
    --------
    >>> from dpcore.figures.theme import LIGHT
    >>> from reproductions import Row, experiment
    >>> rows = Rows(tuple(Row("SMS", "best", "ours", x, 0.5 * x) for x in (1.0, 2.0)))
    >>> thumbnail_svg(experiment("lyu-figure-5"), rows, theme=LIGHT).count("<path")
    2
    """
    chart, part = experiment.chart, rows.panel(rows.panels[0])
    shown = [row for row in part if isfinite(row.value) and (row.value > 0 or not chart.log_y)]
    draw = _bars if chart.kind == "bars" else _lines
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="{theme.grid}"/>'
        + "".join(draw(shown, experiment, theme))
        + f'<text x="{_RIGHT}" y="12" text-anchor="end" font-size="12" '
        f'font-family="system-ui, sans-serif" fill="{theme.muted}">SIMULATION</text></svg>'
    )


def _lines(rows: list[Row], experiment: Experiment, theme: Theme) -> Iterator[str]:
    chart, places = experiment.chart, _places(rows)
    across = _scale(list(places.values()), chart.log_x, _LEFT + 3, _RIGHT - 3)
    up = _scale([row.value for row in rows], chart.log_y, _BOTTOM - 4, _TOP + 3)
    ranks: Counter[Role] = Counter()
    for role, line in _methods(rows):
        rank, ranks[role] = ranks[role] if chart.kind == "curves" else 0, ranks[role] + 1
        points = [(across(places[row.x]), up(row.value)) for row in line]
        # Points that fall on one pixel are one.
        kept = [
            point for before, point in zip([None, *points], points, strict=False) if point != before
        ]
        dash = role_dash(role, rank)
        dashes = _DASHES.get(dash, dash.replace("px,", " ").removesuffix("px"))
        width = 2.5 if role in ("ours", "exact") else 1.5 if rank < 2 else 0.75
        yield (
            f'<path d="M{" ".join(f"{x} {y}" for x, y in kept)}{"h0" if len(kept) == 1 else ""}" '
            f'fill="none" stroke="{role_colour(role, theme)}" stroke-linejoin="round" '
            f'stroke-linecap="round" stroke-width="{width}"'
            + (f' stroke-dasharray="{dashes}"' if dashes else "")
            + "/>"
        )


def _bars(rows: list[Row], experiment: Experiment, theme: Theme) -> Iterator[str]:
    methods = list(_methods(rows))
    places = list(dict.fromkeys(row.x for row in rows))
    up = _scale([0.0, *(row.value for row in rows)], experiment.chart.log_y, _BOTTOM, _TOP + 3)
    room = (_RIGHT - _LEFT) / len(places)
    width = _BARS * room / len(methods)
    for at, (role, line) in enumerate(methods):
        parts = []
        for row in line:
            left = _LEFT + (places.index(row.x) + (1 - _BARS) / 2) * room + at * width
            top = up(row.value)
            parts.append(f"M{left:.1f} {_BOTTOM}V{top}h{max(width - 1, 1):.1f}V{_BOTTOM}z")
        yield f'<path d="{"".join(parts)}" fill="{role_colour(role, theme)}"/>'


def _methods(rows: list[Row]) -> Iterator[tuple[Role, list[Row]]]:
    for method in dict.fromkeys(row.method for row in rows):
        line = [row for row in rows if row.method == method]
        yield line[0].role, line


def _places(rows: list[Row]) -> dict[float | str, float]:
    """Numbers where they are, words side by side."""
    found = dict.fromkeys(row.x for row in rows)
    if all(isinstance(x, float) for x in found):
        return {x: float(x) for x in found}
    return {x: float(place) for place, x in enumerate(found)}


def _scale(values: list[float], logarithmic: bool, first: int, last: int) -> Scale:
    """Whole pixels from first, where the least value is, to last."""
    bent = log if logarithmic else float
    low, high = bent(min(values)), bent(max(values))
    span = (high - low) or 1.0
    return lambda value: round(first + (bent(value) - low) / span * (last - first))
