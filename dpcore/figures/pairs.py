"""Maps of what two columns of a model say together."""

from collections.abc import Sequence

import numpy as np

from dpcore._typing import Json
from dpcore.curves.model_curves.effects import PairEffect
from dpcore.errors import InvalidArgument
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.theme import Theme, axis, translucent

_COLUMNS, _HEIGHT, _EXTRA, _LONGEST_LEVEL = 2, 270, 60, 16


def pairs_picture(
    pairs: Sequence[PairEffect], *, theme: Theme, positive: str = "positive"
) -> Picture:
    """Draw a map for each pair: where their cells meet, how far the log-odds move.

    Parameters
    ----------
    pairs
        From `pair_effects`.
    theme
    positive
        The class whose log-odds they are.

    Raises
    ------
    InvalidArgument
        If there is no pair.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> levels = (("0 to 5", "5 to 10"), ("no", "other"))
    >>> pair = PairEffect(("dose", "smoker"), levels, np.array([[1.0, -1.0], [-1.0, 1.0]]))
    >>> pairs_picture([pair], theme=LIGHT).data[0]["z"]
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    if not pairs:
        raise InvalidArgument("pairs", pairs, "one pair or more")
    traces: list[Json] = []
    layout: Json = {}
    for place, pair in enumerate(pairs):
        own = str(place + 1) if place else ""
        first, second = map(picture.shortened, pair.names)
        x, y = ([picture.shortened(one, _LONGEST_LEVEL) for one in some] for some in pair.levels)
        layout[f"xaxis{own}"] = _cells(theme, first, x)
        layout[f"yaxis{own}"] = _cells(theme, second, y)
        where = [[f"{first} {one}, {second} {two}" for one in x] for two in y]
        of_panel = {"xaxis": f"x{own}", "yaxis": f"y{own}", "text": where}
        of_panel["hovertemplate"] = "%{text}: %{z:+.2f}<extra></extra>"
        cells = {"z": np.round(pair.log_odds.T, 5).tolist(), "xgap": 2, "ygap": 2}
        cells["name"] = f"{first} with {second}"
        traces.append({"type": "heatmap", "coloraxis": "coloraxis", **cells, **of_panel})
    columns = min(len(pairs), _COLUMNS)
    rows = -(-len(pairs) // columns)
    most = max(float(np.abs(pair.log_odds).max()) for pair in pairs)
    told = ", ".join(map(str, pairs))
    alt = f"Maps of {told}: how far the log-odds of “{positive}” move where their cells meet."
    layout["grid"] = {"rows": rows, "columns": columns, "pattern": "independent"}
    layout |= {"coloraxis": _colours(theme, most, picture.shortened(positive)), "showlegend": False}
    layout["size"] = _HEIGHT * rows + _EXTRA, max(0.5 * rows, 0.6)
    return picture.drawn("model-pairs", alt, traces, theme, **layout)


def _cells(theme: Theme, name: str, levels: Sequence[str]) -> Json:
    # Numbered, because two short names may be equal.
    ticks = {"tickvals": list(range(len(levels))), "ticktext": list(levels)}
    return axis(theme, name, showgrid=False, **ticks)


def _colours(theme: Theme, most: float, positive: str) -> Json:
    """From the other class's colour by none to the positive one's."""
    low, high = theme.negative, theme.positive
    scale = [(0.0, low, 0.85), (0.5, low, 0.0), (0.5, high, 0.0), (1.0, high, 0.85)]
    font = {"size": 12.5, "color": theme.muted}
    title = {"text": f"log-odds of “{positive}”", "side": "right", "font": font}
    bar = {
        "title": title,
        "tickfont": font,
        "thickness": 12,
        "outlinewidth": 0,
        "tickformat": "+.2~f",
    }
    colours = [[at, translucent(colour, share)] for at, colour, share in scale]
    return {"colorscale": colours, "cmin": -most, "cmax": most, "colorbar": bar}
