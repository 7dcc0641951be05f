"""How many features have which score, chosen and left out, with the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

__all__ = ["selection_histogram_picture"]

_BINS = 30


def selection_histogram_picture(
    scores: ArrayLike,
    selected: ArrayLike,
    *,
    theme: Theme,
    kind: str,
    score_name: str = "score",
    threshold: float | None = None,
    threshold_name: str = "threshold",
    simulated: bool = True,
) -> Picture:
    """Draw the histogram of scores, stacked by whether the feature was chosen.

    Parameters
    ----------
    scores : array-like, shape (features,)
        Finite.
    selected : array-like of int
        Positions of the chosen features.
    theme : Theme
    kind : {"noisy", "true"}
        What the scores are.
    score_name : str
    threshold : float, optional
        A vertical line.
    threshold_name : str
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If there is no score.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = selection_histogram_picture([1, 2, 9], [2], theme=LIGHT, kind="noisy")
    >>> [sum(trace["y"]) for trace in picture.data]
    [2, 1]
    """
    values = np.asarray(scores, dtype=np.float64)
    if not values.size:
        raise InvalidArgument("scores", values.shape, "one score or more")
    chosen = np.isin(np.arange(values.size), np.asarray(selected, dtype=np.int64))
    seen = values if threshold is None else np.append(values, threshold)
    low, high = float(seen.min()), float(seen.max())
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    colour = theme.private if kind == "noisy" else theme.true
    traces = [
        _bars(values[chosen == picked], edges, kind, picked, colour) for picked in (False, True)
    ]
    return Picture(
        name="score-histogram",
        alt=(
            f"Histogram of the {kind} {score_name} of {values.size:,} features, of which "
            f"{int(chosen.sum()):,} were chosen, drawn strong"
            + (f"; a line marks the {threshold_name}." if threshold is not None else ".")
        ),
        data=traces,
        layout=_layout(
            theme,
            axis(theme, f"{kind} {score_name}", nticks=7),
            _tall(traces),
            [] if threshold is None else _line(theme, threshold),
            [] if threshold is None else _word(theme, threshold, threshold_name, edges),
            simulated,
        ),
        height=330,
        aspect=0.8,
    )


def _bars(
    drawn: FloatArray, edges: FloatArray, kind: str, picked: bool, colour: str
) -> dict[str, Any]:
    heights, _ = np.histogram(drawn, edges)
    return {
        "type": "bar",
        "name": f"{kind}, {'chosen' if picked else 'left out'}",
        "x": numbers((edges[:-1] + edges[1:]) / 2.0, 5),
        "width": float(edges[1] - edges[0]),
        "y": heights.tolist(),
        "marker": {"color": translucent(colour, 0.9 if picked else 0.3)},
        "hovertemplate": "%{y} features<extra></extra>",
    }


def _tall(traces: list[dict[str, Any]]) -> bool:
    """Whether some bars would hide the others on a linear axis."""
    heights = np.array([trace["y"] for trace in traces]).ravel()
    return bool(heights.max() > 20 * np.median(heights[heights > 0]))


def _layout(
    theme: Theme,
    across: dict[str, Any],
    tall: bool,
    shapes: list[dict[str, Any]],
    words: list[dict[str, Any]],
    simulated: bool,
) -> dict[str, Any]:
    # On a logarithmic axis a single feature has a bar, too.
    up = {"type": "log", "dtick": 1, "range": [-0.3, None]} if tall else {"rangemode": "tozero"}
    layout = base_layout(
        theme,
        xaxis=across,
        yaxis=axis(theme, "features", **up),
        barmode="overlay",
        annotations=[*stamp(theme, simulated), *words],
        shapes=shapes,
        showlegend=True,
    )
    layout["legend"] |= {"orientation": "h", "x": 0, "y": 1.1, "yanchor": "bottom"}
    layout["margin"] |= {"t": 64}
    return layout


def _line(theme: Theme, at: float) -> list[dict[str, Any]]:
    stroke = {"color": theme.text, "width": 2, "dash": "dash"}
    return [{"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": stroke}]


def _word(theme: Theme, at: float, name: str, edges: FloatArray) -> list[dict[str, Any]]:
    left = at > (edges[0] + edges[-1]) / 2.0
    return [
        {
            "text": f"{name} {at:,.4g}",
            "font": {"size": 12.5, "color": theme.text},
            "showarrow": False,
            "x": at,
            "yref": "paper",
            "y": 1,
            "xanchor": "right" if left else "left",
            "yanchor": "top",
            "xshift": -6 if left else 6,
        }
    ]
