"""A reproduction as a small still picture: an SVG of its first panel, inside an image element."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from math import ceil, floor, isfinite, log, log10
from textwrap import shorten
from urllib.parse import quote

from dpcore.figures.theme import Theme
from reproductions import Experiment, Rows
from reproductions.roles import role_colour, role_dash
from reproductions.rows import Role, Row

# Of the viewBox: it is shown about as large, so one unit is about a pixel.
WIDTH, HEIGHT = 320, 160
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, WIDTH - 4, 22, HEIGHT - 32
# Of an axis there is room for so many numbers, and above the picture for a name of so many signs.
_MOST_TICKS, _LONGEST_NAME = 4, 38
_TICK = 4
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
    '<img width="320" height="160" alt="Error '
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

    Lines and bars have the colours and dashes of `reproduction_picture`; each axis has its name and
    a few numbers.

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
    bars = chart.kind == "bars"
    values = [row.value for row in shown] + ([0.0] if bars else [])
    up = _scale(values, chart.log_y, _BOTTOM if bars else _BOTTOM - 4, _TOP + 3)
    places = _places(shown)
    room = (_RIGHT - _LEFT) / max(len(places), 1)
    ends = (_LEFT + room / 2, _RIGHT - room / 2) if bars else (_LEFT + 3, _RIGHT - 3)
    # Of bars the words at their places; else numbers, as they are.
    across = _scale(list(places.values()), chart.log_x and not bars, *map(round, ends))
    written = all(isinstance(row.x, str) for row in shown)
    numbers = list(places.values()) if written else _ticks(list(places.values()), chart.log_x)
    words = [str(one) for one in places] if written else [_number(one) for one in numbers]
    below = [(across(at), word) for at, word in zip(numbers, words, strict=True)]
    beside = [(up(at), _number(at)) for at in _ticks(values, chart.log_y)]
    drawn = _bars(shown, theme, up) if bars else _lines(shown, experiment, theme, across, up)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}{_marks(below, beside)}" fill="none" '
        f'stroke="{theme.muted}"/>'
        + "".join(drawn)
        + f'<g font-size="12" font-family="system-ui, sans-serif" fill="{theme.muted}">'
        + "".join(_axis_words(chart.x, _short(chart.y), below, beside))
        + "</g></svg>"
    )


def _marks(below: list[tuple[int, str]], beside: list[tuple[int, str]]) -> str:
    """Where the numbers stand on both axes."""
    upright = "".join(f"M{x} {_BOTTOM}v{_TICK}" for x, _ in below)
    return upright + "".join(f"M{_LEFT} {y}h-{_TICK}" for y, _ in beside)


def _axis_words(
    x: str, y: str, below: list[tuple[int, str]], beside: list[tuple[int, str]]
) -> Iterator[str]:
    """Names and numbers of both axes, and what the picture is."""
    for at, word in below:
        # A number at the end of the axis stays within the picture.
        kept = min(max(at, _LEFT), WIDTH - 1 - 3.2 * len(word))
        yield f'<text x="{kept:.0f}" y="{_BOTTOM + 16}" text-anchor="middle">{escape(word)}</text>'
    for at, word in beside:
        yield f'<text x="{_LEFT - 7}" y="{at + 4}" text-anchor="end">{escape(word)}</text>'
    middle = (_LEFT + _RIGHT) // 2
    yield f'<text x="{middle}" y="{HEIGHT - 3}" text-anchor="middle">{escape(x)}</text>'
    yield f'<text x="2" y="12">{escape(y)}</text>'
    yield f'<text x="{_RIGHT}" y="12" text-anchor="end">SIMULATION</text>'


def _short(name: str) -> str:
    """The name of an axis, by its first words where there is no room for all."""
    return shorten(name, _LONGEST_NAME, placeholder="…")


def _ticks(values: list[float], logarithmic: bool) -> list[float]:
    """A few round numbers within the range; its ends where there are none."""
    low, high = min(values), max(values)
    if logarithmic:
        first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
        step = max(ceil((last - first + 1) / _MOST_TICKS), 1)
        return [10.0**at for at in range(first, last + 1, step)] if last > first else [low, high]
    size = 10.0 ** floor(log10(high - low or 1.0))
    for step in (size / 5, size / 2, size, 2 * size, 5 * size):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if 2 <= last - first + 1 <= _MOST_TICKS:
            return [step * at for at in range(first, last + 1)]
    return list(dict.fromkeys((low, high)))


def _number(value: float) -> str:
    """A number in few signs.

    Examples
    --------
    >>> _number(16384.0), _number(2e7), _number(0.30000000000000004), _number(1e-8)
    ('16,384', '2e7', '0.3', '1e-8')
    """
    text = f"{value:,.0f}" if 10 <= abs(value) < 1e6 else f"{value:.2g}"
    return re.sub(r"e([+-])0*", lambda found: "e" + found[1].strip("+"), text)


def _lines(
    rows: list[Row], experiment: Experiment, theme: Theme, across: Scale, up: Scale
) -> Iterator[str]:
    chart, places = experiment.chart, _places(rows)
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


def _bars(rows: list[Row], theme: Theme, up: Scale) -> Iterator[str]:
    methods = list(_methods(rows))
    places = list(_places(rows))
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
