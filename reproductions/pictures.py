"""Reproduced figures: one panel of an experiment, and the whole of it as an HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import Any

from dpcore.figures.export import figure, page, section, table
from dpcore.figures.picture import Picture
from dpcore.figures.theme import DARK, LIGHT, Theme, axis, base_layout, stamp
from reproductions import ROLES, Experiment, Result, Rows
from reproductions.markdown import panel_table
from reproductions.roles import role_colour, role_dash
from reproductions.rows import Row

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "pentagon")
# The legend stands below the figure: a line for each two methods, on a narrow page for each one.
_PER_LINE, _LINE, _HEIGHT = 2, 22, 380
_ASPECT, _ASPECT_LINE = 0.95, 0.05


def reproduction_picture(
    experiment: Experiment, rows: Rows, panel: str, *, theme: Theme
) -> Picture:
    """Draw one panel of an experiment.

    Parameters
    ----------
    experiment
        Says how its rows are drawn.
    panel
        One of ``rows.panels``.

    Examples
    --------
    >>> from reproductions import Row, experiment
    >>> rows = Rows(
    ...     (Row("SMS", "best", "ours", 1.0, 0.5), Row("SMS", "joint", "published", 1.0, 0.7))
    ... )
    >>> picture = reproduction_picture(experiment("lyu-figure-5"), rows, "SMS", theme=LIGHT)
    >>> [trace["name"] for trace in picture.data]
    ['best', 'joint']
    """
    chart, part = experiment.chart, rows.panel(panel)
    draw = _bars if chart.kind == "bars" else _lines
    traces = [draw(part, method, experiment, theme) for method in part.methods()]
    layout = base_layout(
        theme,
        xaxis=axis(theme, chart.x, **_scale(chart.log_x, part)),
        yaxis=axis(theme, chart.y, type="log" if chart.log_y else "linear"),
        annotations=stamp(theme, True),
        barmode="group",
    )
    lines = -(-len(traces) // _PER_LINE)
    layout["legend"] |= {"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"}
    return Picture(
        name=f"{experiment.name}-{rows.panels.index(panel)}",
        alt=_words(experiment, part, panel),
        data=traces,
        layout=layout,
        height=_HEIGHT + _LINE * lines,
        aspect=_ASPECT + _ASPECT_LINE * len(traces),
    )


def _scale(logarithmic: bool, rows: Rows) -> dict[str, Any]:
    places = sorted({row.x for row in rows if isinstance(row.x, float)})
    if not logarithmic:
        return {}
    thinned = places[:: max(len(places) // 6, 1)]
    return {
        "type": "log",
        "tickvals": thinned,
        "ticktext": [f"{place:,g}" for place in thinned],
    }


def _lines(part: Rows, method: str, experiment: Experiment, theme: Theme) -> dict[str, Any]:
    rows, place = _of(part, method)
    role = rows[0].role
    curves = experiment.chart.kind == "curves"
    rank = part.methods(role).index(method) if curves else 0
    return {
        "type": "scatter",
        "mode": "lines" if curves else "lines+markers",
        "name": rows[0].method + ("" if isfinite(rows[-1].value) else " (infinite)"),
        "x": [row.x for row in rows],
        "y": [row.value if isfinite(row.value) else None for row in rows],
        "line": {
            "color": role_colour(role, theme),
            "dash": role_dash(role, rank),
            "width": 3 if role in ("ours", "exact") else 2 if rank < 2 else 1,
        },
        "marker": {"symbol": _SYMBOLS[place % len(_SYMBOLS)], "size": 8},
        "hovertemplate": "%{y:.4g}<extra>" + f"{escape(rows[0].method)}</extra>",
    }


def _of(part: Rows, method: str) -> tuple[list[Row], int]:
    """Rows of a method, and its place among the methods."""
    return [row for row in part if row.method == method], part.methods().index(method)


def _bars(part: Rows, method: str, experiment: Experiment, theme: Theme) -> dict[str, Any]:
    rows, place = _of(part, method)
    patterns = ("", "/", "\\", "x", "-", "|", "+", ".")
    return {
        "type": "bar",
        "name": rows[0].method,
        "x": [row.x for row in rows],
        "y": [row.value for row in rows],
        "marker": {
            "color": role_colour(rows[0].role, theme),
            "pattern": {
                "shape": patterns[place % len(patterns)],
                "fgcolor": theme.page,
                "fillmode": "overlay",
            },
        },
        "hovertemplate": "%{y:.4g}<extra>" + f"{escape(rows[0].method)}</extra>",
    }


def _words(experiment: Experiment, rows: Rows, panel: str) -> str:
    chart = experiment.chart
    ends = []
    for method in rows.methods():
        curve = rows.curve(panel, method)
        ends.append(f"{method} from {curve[0]:.3g} to {curve[-1]:.3g}")
    return f"{panel}: {chart.y} against {chart.x}. {'; '.join(ends)}."


def reproductions_html(pairs: Sequence[tuple[Experiment, Result]]) -> bytes:
    """Results as one self-contained HTML file, for light and dark screens.

    Parameters
    ----------
    pairs : sequence of (Experiment, Result)
        At least one.
    """
    judged = [(experiment, experiment.judge(result.rows)) for experiment, result in pairs]
    trends = [trend for _, judgement in judged for trend in judgement.trends]
    seen = sum(trend.seen for trend in trends)
    title = _title(pairs[0][0]) if len(pairs) == 1 else "Reproductions of the papers"
    head = (
        f"<header>\n<h1>{escape(title)}</h1>\n"
        '<p><span class="stamp">SIMULATION</span></p>\n'
        f'<p class="lead">{seen} of {len(trends)} trends seen.</p>\n</header>'
    )
    rows = [
        [f"{experiment.paper.name}, {experiment.figures}", trend.claim, trend.word, trend.finding]
        for experiment, judgement in judged
        for trend in judgement.trends
    ]
    summary = section("Trends", table(["experiment", "the paper's claim", "here", "figure"], rows))
    return page(title, [head, summary, *(part for pair in pairs for part in _parts(*pair))])


def _parts(experiment: Experiment, result: Result) -> list[str]:
    judgement = experiment.judge(result.rows)
    return [
        section(
            _title(experiment),
            f"<p><strong>The paper's claim.</strong> {escape(experiment.claim)}</p>",
            f"<p><strong>Here.</strong> {escape(judgement.verdict)}.</p>",
            f"<p><strong>The gap.</strong> {escape(judgement.gap)}</p>",
        ),
        *(_panel(experiment, result.rows, panel) for panel in result.rows.panels),
        _provenance(experiment, result),
    ]


def _provenance(experiment: Experiment, result: Result) -> str:
    sources = " ".join(result.sources)
    return (
        f"<section><p>Published methods: {escape(experiment.published)}.</p>"
        f"<p>Sound: {escape(experiment.sound)}.</p>"
        f"<p>Settings: {escape(experiment.settings(result.quick))}.</p>"
        f'<p class="note">{escape(experiment.paper.citation)}, {experiment.figures}. '
        f"{escape(sources)} Configuration {result.digest}.</p></section>"
    )


def _panel(experiment: Experiment, rows: Rows, panel: str) -> str:
    drawn = figure(
        reproduction_picture(experiment, rows, panel, theme=LIGHT),
        reproduction_picture(experiment, rows, panel, theme=DARK),
        "; ".join(dict.fromkeys(ROLES[row.role] for row in rows.panel(panel))),
    )
    if experiment.chart.kind == "curves":
        return section(panel, drawn)
    return section(panel, drawn, table(*panel_table(rows, panel)))


def _title(experiment: Experiment) -> str:
    return f"{experiment.paper.name}, {experiment.figures}: {experiment.title}"
