"""What each feature does to the log-odds: released beside what the records say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, literal, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

__all__ = ["model_effects_picture", "most_telling"]

_LONGEST = 26


def most_telling(released: FloatArray, exact: FloatArray, most: int = 25) -> IntArray:
    """Positions of the features with the largest effect, released or exact, the largest first.

    Examples
    --------
    >>> most_telling(np.array([0.1, -3.0, 0.0]), np.array([2.0, 0.0, 0.0]), most=2).tolist()
    [1, 0]
    """
    larger = np.maximum(np.abs(released), np.abs(exact))
    return np.argsort(-larger, kind="stable")[:most]


def model_effects_picture(
    names: Sequence[str],
    released: FloatArray,
    *,
    theme: Theme,
    exact: FloatArray | None = None,
    positive: str = "positive",
    adjective: str = "private",
    most: int = 25,
    simulated: bool = True,
) -> Picture:
    """Draw the released effects as bars, with the exact one as a tick across each.

    Parameters
    ----------
    names : sequence of str, length p
    released : float array, shape (p,)
        Changes of the log-odds.
    theme : Theme
    exact : float array, shape (p,), optional
        The same without noise; left out of a private release.
    positive : str
        The class whose log-odds they are.
    adjective : str, default "private"
        What the released effects are called.
    most : int, default 25
        Bars drawn at most; those with the largest effect.
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If the effects and `names` differ in length.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = model_effects_picture(["a", "b"], np.array([1.0, -2.0]), theme=LIGHT)
    >>> picture.data[0]["x"], picture.layout["yaxis"]["ticktext"]
    ([-2.0, 1.0], ['b', 'a'])
    """
    if released.shape != (len(names),):
        raise InvalidArgument("released", released.shape, f"{len(names)} effects, one per name")
    shown = most_telling(released, released if exact is None else exact, most)
    labels = [literal(_short(names[place])) for place in shown]
    rows = list(range(len(labels)))
    bars = {
        "type": "bar",
        "orientation": "h",
        "name": adjective,
        "y": rows,
        "x": numbers(released[shown], 4),
        "text": labels,
        "textposition": "none",
        "marker": {"color": translucent(theme.private, 0.6)},
        "hovertemplate": f"%{{text}}<br>{adjective} %{{x:+.3f}}<extra></extra>",
    }
    ticks = {
        "type": "scatter",
        "mode": "markers",
        "name": "without noise",
        "y": rows,
        "x": [] if exact is None else numbers(exact[shown], 4),
        "text": labels,
        "marker": {"symbol": "line-ns", "size": 15, "line": {"width": 3, "color": theme.true}},
        "hovertemplate": "%{text}<br>without noise %{x:+.3f}<extra></extra>",
    }
    moved = f"change of the log-odds of “{literal(positive)}”"
    layout = base_layout(
        theme,
        xaxis=axis(theme, moved, nticks=7, zeroline=True,
                   zerolinecolor=theme.muted),
        yaxis=axis(theme, "", range=[len(rows) - 0.4, -0.6], showgrid=False, tickvals=rows,
                   ticktext=labels, ticklabelstandoff=6),
        bargap=0.35,
        annotations=stamp(theme, simulated),
    )  # fmt: skip
    layout["legend"] |= {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    return Picture(
        name="model-parameters",
        alt=(
            f"Bars: how far each of {len(rows)} features moves the log-odds of “{positive}” in the "
            f"{adjective} model" + ("." if exact is None else "; a tick marks it without noise.")
        ),
        data=[bars] if exact is None else [bars, ticks],
        layout=layout,
        height=110 + 22 * max(len(rows), 4),
        # Bars need their height on any page, however narrow.
        aspect=100.0,
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
