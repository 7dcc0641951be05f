"""A figure as plain data, with the words that go with it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore._typing import FloatArray, Interval, Json
from dpcore.errors import MissingResource
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

if TYPE_CHECKING:
    import plotly.graph_objects as go

# A figure of many rows says a larger one: it has its height however narrow the page is.
_TALLEST_ASPECT = 10

# Rows and bars need their height on any page, however narrow.
FULL_HEIGHT = 100.0

_SAVED_WIDTH = 1000

# Letters of a name beside a row or in the title of an axis, and of one alone in a legend: so many
# are seen on a telephone.
LONGEST_NAME, LONGEST_ENTRY = 24, 44

# Its import takes a while, and whoever releases numbers alone needs none of it.
_PLOTLY = "pip install plotly"


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Traces and layout in Plotly's JSON form, which costs nothing to build or to send.

    Parameters
    ----------
    name : str
        Stem of exported files.
    alt : str
        What the figure shows, for a reader who cannot see it.
    data : list of dict
        Traces.
    layout : dict
    height : int
        Of the figure on a wide page, in pixels.
    aspect : float
        Height over width, where the page is too narrow for `height`; above 10 it never is.
    frames : list of dict
        Plotly's frames: other states of some traces, which a page can play or step through.

    Examples
    --------
    >>> picture = Picture(
    ...     name="line",
    ...     alt="A rising line.",
    ...     layout={},
    ...     data=[{"type": "scatter", "x": [0, 1], "y": [0, 1]}],
    ... )
    >>> picture.figure().data[0].y
    (0, 1)
    """

    name: str
    alt: str
    data: list[Json]
    layout: Json
    height: int = 420
    aspect: float = 0.9
    frames: list[Json] = field(default_factory=list)

    def figure(self) -> go.Figure:
        """The figure as Plotly's own object, for notebooks."""
        plotly_folder()
        import plotly.graph_objects as go

        layout = {**self.layout, "height": self.height}
        return go.Figure({"data": self.data, "layout": layout, "frames": self.frames})

    def config(self) -> Json:
        """Options of the drawing library: one button, which saves a PNG in the browser."""
        return {
            **FIXED["config"],
            "toImageButtonOptions": {
                "format": "png",
                "filename": self.name,
                "width": _SAVED_WIDTH,
                "height": self.height
                if self.aspect > _TALLEST_ASPECT
                else round(_SAVED_WIDTH * self.aspect),
                "scale": 2,
            },
        }

    def to_json(self) -> str:
        """Traces, layout and words as JSON text."""
        return json.dumps({"data": self.data, "layout": self.layout, "alt": self.alt})


def scatter(mode: str, name: str, x: Any, y: Any, hover: str = "", **settings: Any) -> Json:
    """A trace of lines, markers or texts; `hover` is what a pointer is told, if anything."""
    return _trace("scatter", name, x, y, hover, mode=mode, **settings)


def bar(name: str, x: Any, y: Any, hover: str, **settings: Any) -> Json:
    """A trace of bars."""
    return _trace("bar", name, x, y, hover, **settings)


def _trace(kind: str, name: str, x: Any, y: Any, hover: str, **settings: Any) -> Json:
    x, y = (numbers(one) if isinstance(one, np.ndarray) else one for one in (x, y))
    told = {"hovertemplate": hover if "<extra>" in hover else f"{hover}<extra></extra>"}
    found = {"type": kind, "name": name, "x": x, "y": y, **settings}
    return found | (told if hover else {"hoverinfo": "skip"})


def stroke(color: str, width: float, dash: str = "", **more: Any) -> Json:
    """How a line is drawn."""
    return {"color": color, "width": width, **({"dash": dash} if dash else {}), **more}


def tick(color: str, size: int = 14, width: float = 3, symbol: str = "line-ns") -> Json:
    """A marker that is a short line, upright across a bar, or another thin sign."""
    return {"symbol": symbol, "size": size, "line": stroke(color, width)}


def interval_bars(
    name: str,
    x: FloatArray,
    y: FloatArray,
    ends: FloatArray,
    theme: Theme,
    *,
    along: str = "y",
    wide: bool = False,
) -> Json:
    """Bars from the lower to the upper end, around invisible markers; the wide ones are pale."""
    colour = theme.band(0.28) if wide else theme.private
    values = y if along == "y" else x
    # The legend shows the marker: a bar of the band's own colour.
    symbol = "line-ns" if along == "y" else "line-ew"
    marker = tick(colour, 9, 7 if wide else 2, symbol) | {"color": colour}
    error = error_bars(values, ends, colour, thickness=8 if wide else 2, width=0 if wide else 5)
    return scatter("markers", name, x, y, marker=marker) | {f"error_{along}": error}


def error_bars(values: FloatArray, ends: FloatArray, colour: str, **size: int) -> Json:
    """What a trace says of the lower and upper ends around its values."""
    above, below = np.maximum(ends[1] - values, 0.0), np.maximum(values - ends[0], 0.0)
    around = {"array": numbers(above), "arrayminus": numbers(below)}
    return {"type": "data", "symmetric": False, **around, "color": colour, **size}


def region(name: str, low: Json, high: Json, colour: str, fill: str, **settings: Any) -> list[Json]:
    """What lies between two lines, shaded; neither has a stroke."""
    edge = {"type": "scatter", "mode": "lines", "line": stroke(colour, 0), "hoverinfo": "skip"}
    upper = {"name": name, "fill": "tonexty", "fillcolor": fill}
    return [{**edge, **low, "showlegend": False}, {**edge, **high, **upper, **settings}]


def rule(
    theme: Theme,
    *,
    x: float | None = None,
    y: float | None = None,
    layer: str = "below",
    **stroke: Any,
) -> Json:
    """A straight line of reference: upright at x, level at y, or else the square's diagonal."""
    across = {"x0": 0, "x1": 1} if x is None else {"x0": x, "x1": x, "yref": "paper"}
    up = {"y0": 0, "y1": 1} if y is None else {"y0": y, "y1": y, "xref": "paper"}
    line = {"color": theme.muted, "width": 1, "dash": "dot"} | stroke
    return {"type": "line", "layer": layer, **across, **up, "line": line}


def shade(theme: Theme, x: Interval, y: Interval, *, opacity: float, **refs: str) -> Json:
    """A shaded rectangle beneath the traces."""
    colour = translucent(theme.muted, opacity)
    place = {"x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1], **refs}
    return {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": colour, **place}


def rows_axis(labels: Sequence[str]) -> Json:
    """An upward axis of rows, the first on top; numbered, because two short names may be equal."""
    ticks = {"tickvals": list(range(len(labels))), "ticktext": list(labels)}
    ends = [len(labels) - 0.4, -0.6]
    return {"title": "", "range": ends, "showgrid": False, "ticklabelstandoff": 6, **ticks}


FIXED = tomllib.loads(Path(__file__).with_name("pictures.toml").read_text(encoding="utf-8"))


def drawn(
    name: str,
    alt: str,
    traces: list[Json],
    theme: Theme,
    *,
    like: str = "",
    simulated: bool = True,
    exact: bool = False,
    words: Sequence[Json] = (),
    **layout: Any,
) -> Picture:
    """Traces on the layout that all figures share, and on that of its kind in ``pictures.toml``.

    Parameters
    ----------
    name, alt
        As in `Picture`.
    like
        What its kind is called, where `name` does not say it.
    simulated, exact
        What the figure is stamped with; see `stamp`.
    words
        Further annotations, each from `note`.
    **layout
        What this figure has of its own: shapes, size (height and aspect, as in `Picture`), legend,
        and axes, whole ones or what its kind leaves open.
    """
    kind = FIXED["figures"].get(like or name, {})
    for part, settings in kind.items():
        if isinstance(settings, dict):
            layout[part] = settings | layout.get(part, {})
        layout.setdefault(part, settings)
        if "axis" in part:
            layout[part] = axis(theme, **layout[part])
    height, aspect = layout.pop("size", (420, 0.9))
    legend, margin = layout.pop("legend", {}), layout.pop("margin", {})
    above = layout.pop("stamped_above", 6)
    stamped = [*stamp(theme, simulated, exact=exact, above=above), *words]
    # What a reader has zoomed or hidden survives the next move of a slider.
    made = base_layout(theme, annotations=stamped, uirevision=name, **layout)
    made["legend"] |= FIXED["legends"].get(legend.get("at"), {}) | legend
    made["legend"].pop("at", None)
    made["margin"] |= margin
    return Picture(name=name, alt=alt, data=traces, layout=made, height=height, aspect=aspect)


def numbers(values: FloatArray, digits: int = 5) -> list[float]:
    """Round an array for the wire: five digits are a hundredth of a pixel.

    Examples
    --------
    >>> import numpy as np
    >>> numbers(np.array([1 / 3, 1.0]))
    [0.33333, 1.0]
    """
    rounded: list[float] = values.round(digits).tolist()
    return rounded


def printable(text: str) -> str:
    """A text in one line, with a box for every sign that cannot be seen or turns the others."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def literal(text: str) -> str:
    """Text of a file as Plotly shows it unchanged: no tags, links, entities or placeholders.

    Whatever a file has put into a name goes through here before it is part of a figure. Marks that
    turn the direction of writing, and other signs that cannot be seen, are shown as a box.

    Examples
    --------
    >>> literal("<b>R&D</b> %{x}")
    '&lt;b&gt;R&amp;D&lt;/b&gt; &#37;{x}'
    """
    return re.sub(r"%(?=\{)", "&#37;", escape(printable(text), quote=False))


def shortened(name: str, longest: int = LONGEST_NAME, end: int = 0) -> str:
    """A name of a file where room is short, cut so that its beginning and so much of its end stay.

    Examples
    --------
    >>> shortened("a column of many words", 10), shortened("duration:(300, inf)", 14, 5)
    ('a column …', 'duration… inf)')
    """
    cut = len(name) - end
    return literal(name if len(name) <= longest else f"{name[: longest - end - 1]}…{name[cut:]}")


def plotly_folder() -> Path:
    """Folder of the drawing library that ships with the installed Plotly: ``plotly.min.js``.

    Raises
    ------
    MissingResource
        If Plotly is not installed.
    """
    try:
        import plotly
    except ImportError:
        raise MissingResource("Plotly, which draws figures, is not installed", _PLOTLY) from None
    return Path(plotly.__file__).parent / "package_data"


def plotly_library() -> bytes:
    """The drawing library itself, for documents that need no network."""
    return (plotly_folder() / "plotly.min.js").read_bytes()


def frames_between(pictures: Mapping[str, Picture]) -> list[Json]:
    """Turn pictures that differ in attributes of traces or layout into frames of any of them.

    Parameters
    ----------
    pictures
        States of one figure by name.

    Returns
    -------
    list of dict
        A frame for each state, in order: the traces in which any two states differ, and for each
        of them every attribute in which they do, with dots for nested ones (``error_y.array``);
        and those of the layout, if it differs. Empty if the states do not have the same traces, or
        only differ in other ways.

    Examples
    --------
    >>> def state(y):
    ...     still, moving = {"name": "a", "y": [0]}, {"name": "b", "y": [y]}
    ...     return Picture(name="p", alt="", layout={}, data=[still, moving])
    >>> frames_between({"1": state(1), "2": state(2)})[1]
    {'name': '2', 'traces': [1], 'data': [{'y': [2]}]}
    """
    states = {name: [_flat(trace) for trace in picture.data] for name, picture in pictures.items()}
    first = next(iter(states.values()), [])
    if any(_kinds(state) != _kinds(first) for state in states.values()):
        return []
    moving = {
        place: keys
        for place in range(len(first))
        if (keys := _differing([state[place] for state in states.values()]))
    }
    layouts = {name: _flat(picture.layout) for name, picture in pictures.items()}
    rest = _differing(list(layouts.values()))
    if not (moving or rest):
        return []
    return [
        {
            "name": name,
            "traces": list(moving),
            "data": [
                {key: state[place].get(key) for key in keys} for place, keys in moving.items()
            ],
            **({"layout": {key: layouts[name].get(key) for key in rest}} if rest else {}),
        }
        for name, state in states.items()
    ]


def _flat(trace: Mapping[str, Any], prefix: str = "") -> Json:
    """Attributes of a trace by their dotted names."""
    flat: Json = {}
    for key, value in trace.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _kinds(state: list[Json]) -> list[tuple[Any, Any]]:
    return [(trace.get("type"), trace.get("name")) for trace in state]


def _differing(states: Sequence[Mapping[str, Any]]) -> list[str]:
    """Attributes in which any state of one trace, or of the layout, differs from the first."""
    if not states:
        return []
    first, *others = states
    keys = dict.fromkeys(key for one in states for key in one)
    return [key for key in keys if any(other.get(key) != first.get(key) for other in others)]
