"""Released numbers by row: a dot with its intervals, and the true one beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._numbers import BANDS, rate
from dpcore._typing import BoolArray, FloatArray
from dpcore.figures.picture import Picture, legend_below, literal, numbers, rule, scatter
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

LONGEST_NAME = 24
_ROW, _AROUND = 46, 130


@dataclass(frozen=True, kw_only=True)
class EstimateRow:
    """One released number.

    Parameters
    ----------
    value
        NaN if there is none.
    interval, population_interval : (float, float)
        For these records, and for those whom they were drawn from.
    true
        Exact, so private: drawn in simulations only.
    says_nothing : bool, default False
        Whether the noise leaves any value possible: a cross takes the place of the number.
    """

    name: str
    value: float
    interval: tuple[float, float]
    population_interval: tuple[float, float]
    true: float | None = None
    says_nothing: bool = False


def estimates_picture(
    rows: Sequence[EstimateRow],
    *,
    theme: Theme,
    what: str,
    limits: tuple[float, float],
    name: str = "estimates",
    band_names: tuple[str, str] = BANDS,
    zero: bool = False,
    simulated: bool = True,
) -> Picture:
    """Draw released numbers under each other, the first on top, each with both of its intervals.

    Parameters
    ----------
    what
        Title of the axis.
    limits : (float, float)
        Ends of the axis.
    name : str, default "estimates"
        Stem of exported files.
    band_names : (str, str)
        Of the interval for these records and the one for the population.
    zero : bool, default False
        Whether to draw a line at zero: for differences.
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> row = EstimateRow(
    ...     name="B less A", value=0.02, interval=(0.01, 0.03), population_interval=(-0.01, 0.05)
    ... )
    >>> picture = estimates_picture([row], theme=LIGHT, what="difference", limits=(-0.1, 0.1))
    >>> [trace["name"] for trace in picture.data][1:]
    ['privacy band for these records', 'any value possible', 'private']
    """
    places = np.arange(len(rows), dtype=np.float64)
    told = np.array([not row.says_nothing and np.isfinite(row.value) for row in rows], dtype=bool)
    wide, narrow = (
        np.array([getattr(row, which) for row in rows], dtype=np.float64).reshape(-1, 2)
        for which in ("population_interval", "interval")
    )
    values = np.array([row.value for row in rows], dtype=np.float64)
    labels = [literal(_short(row.name)) for row in rows]

    def of(which: BoolArray) -> list[str]:
        return [labels[row] for row in np.flatnonzero(which)]

    traces = [
        _bars(wide[told], values[told], places[told], band_names[1], theme, wide=True),
        _bars(narrow[told], values[told], places[told], band_names[0], theme, wide=False),
        _unknown(places[~told], of(~told), sum(limits) / 2, theme),
        _dots(values[told], places[told], of(told), "private", theme),
    ]
    exact = [row.true for row in rows]
    if any(one is not None for one in exact):
        shown = np.array([one is not None for one in exact])
        true = np.array([one for one in exact if one is not None], dtype=np.float64)
        traces.append(_dots(true, places[shown], of(shown), "true", theme))
    ticks = {"tickvals": places.tolist(), "ticktext": labels, "ticklabelstandoff": 6}
    layout = base_layout(
        theme,
        xaxis=axis(theme, what, range=list(limits), nticks=7),
        yaxis=axis(theme, "", range=[len(rows) - 0.4, -0.6], showgrid=False, **ticks),
        shapes=[rule(theme, x=0, width=1.2)] if zero else [],
        annotations=stamp(theme, simulated),
        uirevision=name,
    )
    legend_below(layout, 0, yref="container", yanchor="bottom", traceorder="reversed")
    return Picture(
        name=name,
        alt=_words(rows, what),
        data=traces,
        layout=layout,
        height=_AROUND + _ROW * max(len(rows), 2),
        # Rows need their height on any page, however narrow.
        aspect=100.0,
    )


def _words(rows: Sequence[EstimateRow], what: str) -> str:
    crossed = any(row.says_nothing for row in rows)
    said = "; ".join(
        f"{row.name}: "
        + ("any value possible" if row.says_nothing else f"{rate(row.value)}, {_ends(row)}")
        for row in rows
    )
    return (
        f"Dots with bars along the axis “{what}”. Filled squares are private; the bar says where "
        "noise may have moved them, the longer, paler one where the population's value may lie"
        + ("; a cross marks a row that says nothing" if crossed else "")
        + ("; hollow circles are true" if any(row.true is not None for row in rows) else "")
        + f". {said}."
    )


def _ends(row: EstimateRow) -> str:
    return f"{rate(row.interval[0])} to {rate(row.interval[1])}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _dots(
    values: FloatArray, places: FloatArray, labels: Sequence[str], name: str, theme: Theme
) -> dict[str, Any]:
    """Squares for what is private, hollow circles for what is true."""
    private = name == "private"
    colour = theme.private if private else theme.true
    mark = {"symbol": "square", "size": 10, "color": colour} if private else {
        "symbol": "circle-open", "size": 13, "color": colour, "line": {"width": 2.5},
    }  # fmt: skip
    return scatter(
        "markers",
        name,
        numbers(values),
        places.tolist(),
        text=list(labels),
        marker=mark,
        cliponaxis=False,
        hovertemplate=f"%{{text}}<br>{name} %{{x:.4f}}<extra></extra>",
    )


def _bars(
    ends: FloatArray, values: FloatArray, places: FloatArray, name: str, theme: Theme, *, wide: bool
) -> dict[str, Any]:
    """Bars from the lower to the upper end, around invisible markers."""
    colour = translucent(theme.private, 0.28 if wide else 1.0)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": numbers(values),
        "y": places.tolist(),
        # The legend shows the marker: a bar of the band's own colour.
        "marker": {
            "symbol": "line-ew",
            "size": 9,
            "color": colour,
            "line": {"color": colour, "width": 7 if wide else 2},
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": numbers(np.maximum(ends[:, 1] - values, 0.0)),
            "arrayminus": numbers(np.maximum(values - ends[:, 0], 0.0)),
            "color": colour,
            "thickness": 9 if wide else 2,
            "width": 0 if wide else 5,
        },
        "hoverinfo": "skip",
    }


def _unknown(
    places: FloatArray, labels: Sequence[str], middle: float, theme: Theme
) -> dict[str, Any]:
    """Rows of which nothing is known: a thin cross in the middle."""
    return scatter(
        "markers",
        "any value possible",
        [middle] * len(places),
        places.tolist(),
        text=list(labels),
        marker={"symbol": "x-thin", "size": 9, "line": {"color": theme.private, "width": 1.5}},
        hovertemplate="%{text}<br>too few records: any value is possible<extra></extra>",
        showlegend=bool(len(places)),
    )
