"""How a model spreads its scores over the two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.figures.picture import Picture, literal, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

__all__ = ["scores_picture"]


def scores_picture(
    scores: ScoreHistogram,
    *,
    theme: Theme,
    names: tuple[str, str] = ("negative", "positive"),
    bins: int = 40,
    simulated: bool = True,
) -> Picture:
    """Draw the share of each class over the score, in bins of equal width.

    Parameters
    ----------
    scores : ScoreHistogram
    theme : Theme
    names : (str, str)
        Of the negative and the positive class.
    bins : int, default 40
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1], [0.11, 0.22, 0.22, 0.95])
    >>> scores_picture(scores, theme=LIGHT, bins=10).data[1]["y"][9]
    0.5
    """
    _check.integer_in_range(2, 1000, bins=bins)
    edges = np.linspace(0.0, 1.0, bins + 1)
    bin_of_cell = np.clip(np.searchsorted(edges, scores.centers, side="right") - 1, 0, bins - 1)
    sides = (scores.negatives, scores.positives)
    colours = (theme.negative, theme.positive)
    traces = [
        _steps(edges, _shares(counts, bin_of_cell, bins), literal(name), colour, dash)
        for counts, name, colour, dash in zip(sides, names, colours, ("dot", "solid"), strict=True)
    ]
    layout = base_layout(
        theme,
        xaxis=axis(theme, f"score: probability of “{literal(names[1])}”", range=[0, 1], dtick=0.2),
        yaxis=axis(theme, "share of the class", rangemode="tozero", tickformat=".0%", nticks=6),
        annotations=stamp(theme, simulated),
    )
    layout["legend"] |= {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    alt = (
        f"Distribution of the scores of the classes “{names[0]}” (dotted outline) and "
        f"“{names[1]}” (solid outline). The less they overlap, the better the model."
    )
    return Picture(name="scores", alt=alt, data=traces, layout=layout, height=320, aspect=0.8)


def _shares(counts: IntArray, bin_of_cell: IntArray, bins: int) -> FloatArray:
    binned = np.bincount(bin_of_cell, weights=counts, minlength=bins)
    return np.asarray(binned / max(binned.sum(), 1.0), dtype=np.float64)


def _steps(
    edges: FloatArray, shares: FloatArray, name: str, colour: str, dash: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": numbers(edges),
        # A step needs its last value twice: each bin has a left edge, the last a right one too.
        "y": numbers(np.append(shares, shares[-1])),
        "line": {"shape": "hv", "color": colour, "width": 2, "dash": dash},
        "fill": "tozeroy",
        "fillcolor": translucent(colour, 0.18),
        "hovertemplate": f"score %{{x:.3f}}<br>%{{y:.1%}} of “{name}”<extra></extra>",
    }
