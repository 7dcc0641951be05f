"""How many records each class has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcore.figures.numbers import percent
from dpcore.figures.picture import Picture, literal
from dpcore.figures.theme import LIGHT, Theme, axis, base_layout, stamp

__all__ = ["classes_picture"]


def classes_picture(
    counts: Mapping[str, int], *, theme: Theme, positive: str | None = None, simulated: bool = True
) -> Picture:
    """Draw one bar per class, with its count and share written on it.

    Parameters
    ----------
    counts : mapping of str to int
        Records of each class.
    theme : Theme
    positive : str, optional
        The class that scores are about; it has its own colour.
    simulated : bool, default True
        Stamps the figure: exact counts are for simulations only.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> classes_picture({"no": 3, "yes": 1}, theme=LIGHT, positive="yes").data[0]["text"]
    ['3 (75 %)', '1 (25 %)']
    """
    layout = base_layout(
        theme,
        xaxis=axis(theme, "records", rangemode="tozero", nticks=5),
        yaxis=axis(
            theme, "", autorange="reversed", showgrid=False, type="category", ticklabelstandoff=6
        ),
        bargap=0.4,
        showlegend=False,
        annotations=stamp(theme, simulated),
    )
    listed = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return Picture(
        name="classes",
        alt=f"Records of each class: {listed}.",
        data=[_bars(counts, theme, positive)],
        layout=layout,
        height=90 + 44 * len(counts),
        aspect=100.0,
    )


def _bars(counts: Mapping[str, int], theme: Theme, positive: str | None) -> dict[str, Any]:
    total = max(sum(counts.values()), 1)
    return {
        "type": "bar",
        "orientation": "h",
        "x": list(counts.values()),
        "y": [literal(name) for name in counts],
        "text": [f"{count:,} ({percent(count / total, digits=0)})" for count in counts.values()],
        "textposition": "auto",
        "insidetextanchor": "middle",
        "insidetextfont": {"size": 13, "color": LIGHT.text},
        "outsidetextfont": {"size": 13, "color": theme.text},
        "cliponaxis": False,
        "marker": {
            "color": [theme.positive if name == positive else theme.negative for name in counts]
        },
        "hovertemplate": "%{y}: %{x:,} records<extra></extra>",
    }
