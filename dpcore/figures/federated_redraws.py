"""How far off federated curves are over many draws of their noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.figures.numbers import percent
from dpcore.figures.picture import Picture, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp

__all__ = ["redraws_picture"]


def redraws_picture(
    errors: Mapping[str, FloatArray], *, chosen: str, here: float, theme: Theme
) -> Picture:
    """Draw how far off curves are over many draws of the noise: a distribution function for each.

    Parameters
    ----------
    errors : mapping of str to float array, shape (redraws,)
        Largest error of each redraw, sorted.
    chosen : str
        The name that stands out.
    here : float
        The error of the curve that is shown, on a line of its own.
    theme : Theme

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> two = {"a": np.array([0.02, 0.04])}
    >>> redraws_picture(two, chosen="a", here=0.03, theme=LIGHT).data[0]["y"]
    [0.5, 1.0]
    """
    colours = theme.muted, theme.private, theme.positive
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": numbers(found),
            "y": numbers(np.arange(1, found.size + 1) / found.size),
            "line": {
                "shape": "hv",
                "color": colours[place % len(colours)],
                "width": 4 if name == chosen else 2,
            },
            "hovertemplate": f"%{{y:.0%}} of the draws: at most %{{x:.1%}}<extra>{name}</extra>",
        }
        for place, (name, found) in enumerate(errors.items())
    ]
    layout = base_layout(
        theme,
        xaxis=axis(theme, "largest error; dotted: this draw", rangemode="tozero", tickformat=".0%"),
        yaxis=axis(theme, "share of draws below", range=[0, 1.005], dtick=0.25, tickformat=".0%"),
        annotations=stamp(theme, True),
        shapes=[
            {
                "type": "line",
                "yref": "paper",
                "x0": here,
                "x1": here,
                "y0": 0,
                "y1": 1,
                "line": {"color": theme.muted, "width": 1, "dash": "dot"},
                "layer": "below",
            }
        ],
    )
    layout["legend"] |= {"orientation": "h", "x": 0, "y": -0.24, "yanchor": "top"}
    middle = ", ".join(
        f"{name} {percent(float(np.median(found)))}" for name, found in errors.items()
    )
    return Picture(
        name="federated-redraws",
        alt=f"Share of draws whose largest error stays below each value. Medians: {middle}.",
        data=traces,
        layout=layout,
        height=340,
        aspect=0.95,
    )
