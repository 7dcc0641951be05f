"""What comes out on two neighbouring data sets."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.output_view import OutputView
from dpcore.figures.picture import Picture, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

__all__ = ["audit_outputs_picture"]

_FIRST, _SECOND = "first set", "second set"


def audit_outputs_picture(view: OutputView, *, theme: Theme, simulated: bool = True) -> Picture:
    """Draw the outputs on two data sets over each other, and mark the event that tells them apart.

    Parameters
    ----------
    view : OutputView
    theme : Theme
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.audit.output_view import output_view
    >>> from dpcore.figures import LIGHT
    >>> view = output_view(np.array([[1.0], [2.0]]), np.array([[2.0], [2.0]]))
    >>> [trace["name"] for trace in audit_outputs_picture(view, theme=LIGHT).data]
    ['first set', 'second set']
    """
    layout = base_layout(
        theme,
        xaxis=axis(theme, view.words, showgrid=False),
        yaxis=axis(theme, "share of the draws", rangemode="tozero", tickformat=".0%", nticks=6),
        annotations=stamp(theme, simulated),
        shapes=_event(view, theme),
    )
    layout["legend"] |= {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    if view.labels:
        layout["xaxis"] |= {"type": "category"}
        layout |= {"barmode": "group", "bargap": 0.3, "bargroupgap": 0.05}
        traces = _bars(view, theme)
    else:
        layout["xaxis"] |= {"range": view.edges[[0, -1]].tolist(), "nticks": 8}
        traces = _steps(view, theme)
    kind = "outcome" if view.labels else "range"
    return Picture(
        name="audit-outputs",
        alt=(
            f"How often each {kind} of {view.words} comes on the first data set (solid) and on the "
            "second (hatched or dashed). The shaded part is the event that tells them apart best."
        ),
        data=traces,
        layout=layout,
        height=330,
        aspect=0.8,
    )


def _bars(view: OutputView, theme: Theme) -> list[dict[str, Any]]:
    # A label that looks like a number or a date would be read as one.
    common = {"type": "bar", "x": list(view.labels)}
    sides = ((_FIRST, view.here, theme.positive, ""), (_SECOND, view.there, theme.negative, "/"))
    return [
        {
            **common,
            "name": name,
            "y": numbers(shares),
            "marker": {
                "color": colour,
                "line": {"color": colour, "width": 1},
                "pattern": {"shape": shape, "size": 7, "solidity": 0.5},
            },
            "hovertemplate": f"%{{x}}: %{{y:.2%}}<extra>{name}</extra>",
        }
        for name, shares, colour, shape in sides
    ]


def _steps(view: OutputView, theme: Theme) -> list[dict[str, Any]]:
    sides = (
        (_FIRST, view.here, theme.positive, "solid"),
        (_SECOND, view.there, theme.negative, "dash"),
    )
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": numbers(view.edges),
            "y": numbers(np.append(shares, shares[-1:])),
            "line": {"color": colour, "width": 2, "dash": dash, "shape": "hv"},
            "fill": "tozeroy",
            "fillcolor": translucent(colour, 0.15),
            "hovertemplate": f"from %{{x:.4g}}: %{{y:.2%}}<extra>{name}</extra>",
        }
        for name, shares, colour, dash in sides
    ]


def _event(view: OutputView, theme: Theme) -> list[dict[str, Any]]:
    """A shaded box behind every run of bars in which the event happens."""
    bars = np.arange(len(view.event) + 1, dtype=np.float64) - 0.5
    places: FloatArray = bars if view.labels else view.edges
    boxes, start = [], 0
    for inside, run in groupby(view.event.tolist()):
        end = start + len(list(run))
        if inside:
            boxes.append(
                {
                    "type": "rect",
                    "xref": "x",
                    "yref": "paper",
                    "x0": float(places[start]),
                    "x1": float(places[end]),
                    "y0": 0,
                    "y1": 1,
                    "layer": "below",
                    "line": {"width": 0},
                    "fillcolor": translucent(theme.muted, 0.18),
                }
            )
        start = end
    return boxes
