"""How a model spreads its scores over the classes, and where a threshold divides them."""

from __future__ import annotations

from dataclasses import replace

from dpcore import _check
from dpcore.data.counting import ScoreHistogram
from dpcore.figures.picture import Picture
from dpcore.figures.scores import scores_picture
from dpcore.figures.theme import Theme

__all__ = ["model_scores_picture"]


def model_scores_picture(
    scores: ScoreHistogram,
    threshold: float,
    *,
    theme: Theme,
    names: tuple[str, str] = ("negative", "positive"),
    simulated: bool = True,
) -> Picture:
    """Draw `scores_picture` with a line at the threshold.

    Parameters
    ----------
    scores : ScoreHistogram
    threshold : float
        Within [0, 1]; records at or above it are called positive.
    theme : Theme
    names : (str, str)
        Of the negative and the positive class.
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> scores = ScoreHistogram.from_arrays([0, 1], [0.2, 0.9])
    >>> model_scores_picture(scores, 0.4, theme=LIGHT).layout["shapes"][0]["x0"]
    0.4
    """
    _check.in_range(0, 1, threshold=threshold)
    picture = scores_picture(scores, theme=theme, names=names, simulated=simulated)
    line = {
        "type": "line",
        "x0": threshold,
        "x1": threshold,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": theme.text, "width": 2},
    }
    word = {
        "text": "called positive →" if threshold <= 0.5 else "← called negative",
        "x": threshold,
        "xanchor": "left" if threshold <= 0.5 else "right",
        "xshift": 5 if threshold <= 0.5 else -5,
        "y": 0.99,
        "yref": "paper",
        "yanchor": "top",
        "showarrow": False,
        "font": {"size": 12.5, "color": theme.text},
    }
    layout = picture.layout
    return replace(
        picture,
        alt=f"{picture.alt} A line marks the threshold {threshold:g}.",
        layout={**layout, "shapes": [line], "annotations": [*layout["annotations"], word]},
    )
