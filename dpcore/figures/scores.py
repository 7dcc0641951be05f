"""Test scores of two classes, with a threshold of a model; and sizes of classes."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dpcore import _check
from dpcore._numbers import percent
from dpcore._typing import FloatArray, IntArray, Json
from dpcore.data.counting import ScoreHistogram
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.theme import LIGHT, Theme, note, translucent

_NAMES = ("negative", "positive")


def classes_picture(
    counts: Mapping[str, int], *, theme: Theme, positive: str | None = None
) -> Picture:
    """Draw one bar per class, with its count and share written on it.

    Parameters
    ----------
    counts : mapping of str to int
        Records of each class.
    theme : Theme
    positive : str, optional
        The class that scores are about; it has its own colour.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> classes_picture({"no": 3, "yes": 1}, theme=LIGHT, positive="yes").data[0]["text"]
    ['3 (75 %)', '1 (25 %)']
    """
    listed = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    colours = [theme.positive if name == positive else theme.negative for name in counts]
    total = max(sum(counts.values()), 1)
    words = {
        "text": [f"{count:,} ({percent(count / total, digits=0)})" for count in counts.values()],
        "textposition": "auto",
        "insidetextanchor": "middle",
        "insidetextfont": {"size": 13, "color": LIGHT.text},
        "outsidetextfont": {"size": 13, "color": theme.text},
    }
    style = {"orientation": "h", "cliponaxis": False, "marker": {"color": colours}, **words}
    names, hover = [picture.literal(name) for name in counts], "%{y}: %{x:,} records"
    shown = [picture.shortened(name) for name in counts]
    alt = f"Records of each class: {listed}."
    bars = [picture.bar("records", list(counts.values()), names, hover, **style)]
    layout: Json = {"yaxis": {"tickvals": names, "ticktext": shown}}
    layout["size"] = 90 + 44 * len(counts), picture.FULL_HEIGHT
    return picture.drawn("classes", alt, bars, theme, exact=True, **layout)


def scores_picture(
    scores: ScoreHistogram, *, theme: Theme, names: tuple[str, str] = _NAMES, bins: int = 40
) -> Picture:
    """Draw the share of each class over the score, in bins of equal width.

    Parameters
    ----------
    scores : ScoreHistogram
    theme : Theme
    names : (str, str)
        Of the negative and the positive class.
    bins : int, default 40

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
    traces = []
    dashes = "dot", "solid"
    for counts, name, colour, dash in zip(sides, names, colours, dashes, strict=True):
        shares, shown = _shares(counts, bin_of_cell, bins), picture.shortened(name)
        hover = f"score %{{x:.3f}}<br>%{{y:.1%}} of “{shown}”"
        traces.append(outline(shown, edges, shares, colour, dash, hover, opacity=0.18))
    alt = f"Distribution of the scores of the classes “{names[0]}” (dotted outline) and "
    alt += f"“{names[1]}” (solid outline). The less they overlap, the better the model."
    across = {"title": f"score: probability of “{shown}”"}
    return picture.drawn("scores", alt, traces, theme, xaxis=across, exact=True)


def _shares(counts: IntArray, bin_of_cell: IntArray, bins: int) -> FloatArray:
    binned = np.bincount(bin_of_cell, weights=counts, minlength=bins)
    return np.asarray(binned / max(binned.sum(), 1.0), dtype=np.float64)


def outline(
    name: str, edges: FloatArray, shares: FloatArray, colour: str, dash: str, hover: str, *,
    opacity: float,
) -> Json:  # fmt: skip
    """A histogram as a stepped line, shaded beneath."""
    # A step needs its last value twice: each bin has a left edge, the last a right one too.
    heights = np.append(shares, shares[-1:])
    style = {"fill": "tozeroy", "fillcolor": translucent(colour, opacity)}
    line = picture.stroke(colour, 2, dash, shape="hv")
    return picture.scatter("lines", name, edges, heights, hover, line=line, **style)


def model_scores_picture(
    scores: ScoreHistogram, threshold: float, *, theme: Theme, names: tuple[str, str] = _NAMES
) -> Picture:
    """Draw `scores_picture` with a line at the threshold.

    Parameters
    ----------
    threshold
        Within [0, 1]; records at or above it are called positive.
    names
        Of the negative and the positive class.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> scores = ScoreHistogram.from_arrays([0, 1], [0.2, 0.9])
    >>> model_scores_picture(scores, 0.4, theme=LIGHT).layout["shapes"][0]["x0"]
    0.4
    """
    _check.in_range(0, 1, threshold=threshold)
    plain = scores_picture(scores, theme=theme, names=names)
    line = picture.rule(theme, x=threshold, layer="above", color=theme.text, width=2, dash="solid")
    called = ("called positive →", "left top", 5), ("← called negative", "right top", -5)
    text, corner, shift = called[threshold > 0.5]
    more: Json = {"color": theme.text, "xshift": shift, "yref": "paper"}
    word = note(text, threshold, 0.99, corner, **more)
    layout = plain.layout
    return replace(
        plain,
        alt=f"{plain.alt} A line marks the threshold {threshold:g}.",
        layout={**layout, "shapes": [line], "annotations": [*layout["annotations"], word]},
    )
