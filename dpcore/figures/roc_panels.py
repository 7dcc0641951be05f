"""Small multiples: private ROC curves over epsilon, and over one more parameter, on shared axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, Json
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, drawn, numbers, scatter, stroke
from dpcore.figures.roc import over_rates, roc_trace
from dpcore.figures.theme import TOLD, Theme, axis, note
from dpcore.figures.thin import thin

_DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot", "4px,2px,1px,2px")

# Markers tell lines apart where dashes are too short to show.
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star")

MOST_METHODS = len(_DASHES)

Curve = tuple[ArrayLike, ArrayLike]


def method_styles(theme: Theme, number: int) -> list[dict[str, str]]:
    """Colour and dash of each of so many methods; no two share either.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> method_styles(LIGHT, 2)
    [{'color': '#D55E00', 'dash': 'dash'}, {'color': '#009E73', 'dash': 'dot'}]
    """
    _check.integer_in_range(0, MOST_METHODS, number=number)
    pairs = zip(TOLD["methods"][theme.name], _DASHES, strict=True)
    return [{"color": colour, "dash": dash} for colour, dash in pairs][:number]


def method_traces(lines: Sequence[Json], theme: Theme) -> list[Json]:
    """Lines of several methods, each in a colour and a dash, with a mark at each of its points."""
    styles = zip(lines, method_styles(theme, len(lines)), _SYMBOLS, strict=False)
    return [
        {
            **line,
            "mode": "lines+markers",
            "line": {**style, "width": 2.25},
            "marker": {"symbol": symbol, "size": 8, "color": style["color"]},
        }
        for line, style, symbol in styles
    ]


def roc_methods_picture(
    curves: Mapping[str, Curve], *, theme: Theme, truth: Json | None = None
) -> Picture:
    """Draw the curves of several methods, each in its own colour and dash.

    Parameters
    ----------
    curves : mapping of str to (fpr, tpr)
        One to six curves by the name of their method; fpr and tpr of shape (points,).
    truth
        From `true_trace`.

    Raises
    ------
    InvalidArgument
        If there are more curves than colours.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> line = [0, 0.5, 1]
    >>> picture = roc_methods_picture({"one": (line, line), "two": (line, line)}, theme=LIGHT)
    >>> [(trace["name"], trace["line"]["dash"]) for trace in picture.data]
    [('one', 'dash'), ('two', 'dot')]
    """
    traces = [] if truth is None else [truth]
    for (name, curve), style in zip(curves.items(), method_styles(theme, len(curves)), strict=True):
        traces.append(roc_trace(*curve, name, {**style, "width": 2.25}))
    words = (
        "ROC curves: true positive rate over false positive rate, one broken line for each of "
        f"{', '.join(curves)}" + (", over the true curve, solid" if truth else "") + "."
    )
    return over_rates("roc-methods", words, traces, theme)


# Of a panel and of what stands above all of them, in pixels.
_HEIGHT, _EXTRA = 215, 90


@dataclass(frozen=True)
class Panel:
    """One of several small figures on the same axes.

    Parameters
    ----------
    title, note
        What stands above the panel, and in its corner.
    traces
        Each without its axes; those of the first panel speak for the legend.
    """

    title: str
    note: str
    traces: list[Json]


def panels_picture(
    name: str,
    alt: str,
    panels: Sequence[Panel],
    theme: Theme,
    *,
    columns: int,
    across: Json,
    up: Json,
    corner: tuple[float, float, str],
) -> Picture:
    """Draw panels row by row; only the outer ones carry the numbers and titles of their axes.

    Parameters
    ----------
    across, up
        What both axes of every panel are, from `axis`.
    corner : (x, y, anchor)
        Where the note of a panel stands.

    Raises
    ------
    InvalidArgument
        If there is no panel.
    """
    if not panels:
        raise InvalidArgument("panels", panels, "one panel or more")
    rows, words, traces = -(-len(panels) // columns), [], []
    axes: Json = {}
    for place, panel in enumerate(panels):
        own = str(place + 1) if place else ""
        # Nothing is below the last row, nor below a gap in it.
        axes[f"xaxis{own}"] = _outer(across, place + columns >= len(panels), "x" if own else "")
        axes[f"yaxis{own}"] = _outer(up, not place % columns, "y" if own else "")
        at = {"xref": f"x{own} domain", "yref": f"y{own} domain", "align": "left"}
        style: Json = {"color": theme.text, **at}
        words.append(note(f"<b>{panel.title}</b>", 0, 1, "left bottom", size=13, **style))
        words.append(note(panel.note, *corner, size=12, **style))
        of_panel = {"xaxis": f"x{own}", "yaxis": f"y{own}"}
        shown = {} if place == 0 else {"showlegend": False}
        traces += [trace | of_panel | shown for trace in panel.traces]
    layout: Json = {"grid": {"rows": rows, "columns": columns}, **axes}
    layout["legend"] = {"y": 1 + 34 / (_HEIGHT * rows)}
    layout["size"] = _HEIGHT * rows + _EXTRA, max(0.5 * rows, 0.7)
    return drawn(name, alt, traces, theme, like="panels", words=words, **layout)


def _outer(axis: Json, outer: bool, matches: str) -> Json:
    """An axis of a panel: as large as the first, and with words if nothing is beside it."""
    font = {**axis["title"]["font"], "size": 12.5}
    title = {"text": axis["title"]["text"] if outer else "", "font": font, "standoff": 6}
    small = {"title": title, "tickfont": {**axis["tickfont"], "size": 11.5}}
    return axis | small | {"showticklabels": outer} | ({"matches": matches} if matches else {})


# Of the width of a panel, which is a third of the figure's.
_TOLERANCE = 1 / 500


@dataclass(frozen=True, eq=False)
class RocPanel:
    """One private curve.

    Parameters
    ----------
    title, note
        What stands above the panel, and in its corner.
    fpr, tpr : array-like, shape (points,)
    """

    title: str
    note: str
    fpr: ArrayLike
    tpr: ArrayLike


def roc_panels_picture(
    panels: Sequence[RocPanel],
    *,
    columns: int,
    theme: Theme,
    truth: tuple[ArrayLike, ArrayLike] | None = None,
    private_name: str = "private",
) -> Picture:
    """Draw a panel for each curve, row by row, all on the same axes and over the same true curve.

    Parameters
    ----------
    panels
        At least one.
    truth : (fpr, tpr), optional
        The exact curve, shape (points,) each.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> one = RocPanel("epsilon 1", "AUC 0.8", [0, 0.2, 1], [0, 0.8, 1])
    >>> picture = roc_panels_picture([one, one, one], columns=2, theme=LIGHT)
    >>> picture.data[2]["xaxis"], picture.layout["grid"]["rows"]
    ('x3', 2)
    """
    private, true = stroke(theme.private, 2, "dash"), stroke(theme.true, 1.75)
    # The true line is thinned once, and drawn in every panel.
    exact = [_line("true", *truth, "", true)] if truth else []
    hover = "%{x:.1%}, %{y:.1%}<extra>"
    drawn_panels = []
    for one in panels:
        line = _line(private_name, one.fpr, one.tpr, f"{hover}{one.title}</extra>", private)
        drawn_panels.append(Panel(one.title, one.note, [*exact, line]))
    alt = f"{len(panels)} small ROC curves on the same axes, one for each setting: "
    alt += f"{'; '.join(f'{panel.title}, {panel.note}' for panel in panels)}. Private curves are "
    alt += "dashed" + ("; the true curve is solid." if truth else ".")
    told: Json = {"across": axis(theme, "false positive rate", range=[0, 1], dtick=0.5)}
    told["up"] = axis(theme, "true positive rate", range=[0, 1.01], dtick=0.5)
    told |= {"columns": columns, "corner": (0.97, 0.05, "right bottom")}
    return panels_picture("roc-panels", alt, drawn_panels, theme, **told)


def _line(name: str, fpr: ArrayLike, tpr: ArrayLike, hover: str, line: Json) -> Json:
    x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    across, up = (numbers(one, 4) for one in thin(x, y, tolerance=_TOLERANCE))
    return scatter("lines", name, across, up, hover, line=line)
