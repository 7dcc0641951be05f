"""One measure of several methods as a line each, over a threshold, a number or a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture
from dpcore.figures.roc_methods import method_styles
from dpcore.figures.theme import Theme, axis, base_layout, stamp

__all__ = ["Line", "selection_lines_picture"]

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star")


@dataclass(frozen=True, eq=False)
class Line:
    """One line of the figure.

    Parameters
    ----------
    name : str
    x, y : array-like, shape (points,)
        A y that is not a number is left out.
    role : {"method", "reference", "true"}
        A method has a colour, a dash and a mark of its own; a reference is thin and grey; what is
        exact is solid, in the colour of the truth.
    text : sequence of str, optional
        What a pointer is told about each point, besides the numbers.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    role: str = "method"
    text: Sequence[str] = ()


def selection_lines_picture(
    lines: Sequence[Line],
    *,
    theme: Theme,
    name: str,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    marker: float | None = None,
    simulated: bool = True,
) -> Picture:
    """Draw a line for each method.

    Parameters
    ----------
    lines : sequence of Line
        One or more, of which at most six are methods.
    theme : Theme
    name : str
        Stem of exported files.
    x_title, y_title : str
    log_x, log_y : bool, default False
    y_range : (float, float), optional
        Of a linear axis.
    marker : float, optional
        An x at which a vertical line stands: the present setting of a slider.
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If there is no line, or more methods than colours.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = selection_lines_picture(
    ...     [Line("best", [1, 2], [0.5, 0.25])], theme=LIGHT, name="a", x_title="c", y_title="error"
    ... )
    >>> [(trace["name"], trace["y"]) for trace in picture.data]
    [('best', [0.5, 0.25])]
    """
    if not lines:
        raise InvalidArgument("lines", lines, "one line or more")
    styles = iter(method_styles(theme, sum(line.role == "method" for line in lines)))
    symbols = iter(_SYMBOLS)
    traces = [_trace(line, theme, styles, symbols) for line in lines]
    up: dict[str, Any] = {"type": "log", "exponentformat": "power"} if log_y else {}
    if y_range is not None:
        up["range"] = list(y_range)
    layout = base_layout(
        theme,
        xaxis=axis(theme, x_title, **({"type": "log", "dtick": "D2"} if log_x else {})),
        yaxis=axis(theme, y_title, **up),
        annotations=stamp(theme, simulated),
        shapes=_marker(theme, marker),
        showlegend=True,
        uirevision=name,
    )
    layout["legend"] |= {"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top"}
    return Picture(
        name=name,
        alt=f"{y_title} over {x_title}, a line for each of {', '.join(x.name for x in lines)}.",
        data=traces,
        layout=layout,
        height=470,
        aspect=1.15,
    )


def _trace(line: Line, theme: Theme, styles: Any, symbols: Any) -> dict[str, Any]:
    x, y = (np.asarray(values, dtype=np.float64) for values in (line.x, line.y))
    if x.shape != y.shape:
        raise InvalidArgument(line.name, (x.shape, y.shape), "as many x as y")
    common = {
        "type": "scatter",
        "name": line.name,
        "x": _plain(x),
        "y": _plain(y),
        "text": list(line.text),
        "hovertemplate": (
            f"{line.name}<br>%{{x:,.4~g}}: %{{y:,.3~g}}"
            + ("<br>%{text}" if line.text else "")
            + "<extra></extra>"
        ),
    }
    if line.role == "method":
        style = next(styles)
        marks = {"symbol": next(symbols), "size": 8, "color": style["color"]}
        return {
            **common,
            "mode": "lines+markers",
            "line": {**style, "width": 2.25},
            "marker": marks,
        }
    exact = line.role == "true"
    stroke = {"color": theme.true if exact else theme.muted, "width": 2 if exact else 1.5}
    dash = {} if exact else {"dash": "dot"}
    return {**common, "mode": "lines", "line": {**stroke, **dash}}


def _plain(values: FloatArray) -> list[float | None]:
    """Six digits of each; nothing for what is no number, which JSON cannot write."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values.tolist()]


def _marker(theme: Theme, at: float | None) -> list[dict[str, Any]]:
    if at is None:
        return []
    return [
        {
            "type": "line",
            "x0": at,
            "x1": at,
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "layer": "below",
            "line": {"color": theme.muted, "width": 1},
        }
    ]
