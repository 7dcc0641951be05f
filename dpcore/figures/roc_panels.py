"""Small multiples: private ROC curves over epsilon, and over one more parameter, on shared axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, drawn, numbers, of_panel
from dpcore.figures.roc import over_rates, roc_trace
from dpcore.figures.theme import ABOVE, Theme, axis, note
from dpcore.figures.thin import thin

# Okabe and Ito's colours but for that of the true curve, and for yellow on white and blue on black.
_COLOURS = {
    "light": ("#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#0F1A24"),
    "dark": ("#E69F00", "#2BBF94", "#CC79A7", "#F0E442", "#D55E00", "#E6ECF2"),
}

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
    pairs = zip(_COLOURS[theme.name], _DASHES, strict=True)
    return [{"color": colour, "dash": dash} for colour, dash in pairs][:number]


def method_traces(lines: Sequence[dict[str, Any]], theme: Theme) -> list[dict[str, Any]]:
    """Lines of several methods, each in a colour and a dash, with a mark at each of its points."""
    return [
        {
            **line,
            "mode": "lines+markers",
            "line": {**style, "width": 2.25},
            "marker": {"symbol": symbol, "size": 8, "color": style["color"]},
        }
        for line, style, symbol in zip(
            lines, method_styles(theme, len(lines)), _SYMBOLS, strict=False
        )
    ]


def roc_methods_picture(
    curves: Mapping[str, Curve],
    *,
    theme: Theme,
    truth: dict[str, Any] | None = None,
    simulated: bool = True,
) -> Picture:
    """Draw the curves of several methods, each in its own colour and dash.

    Parameters
    ----------
    curves : mapping of str to (fpr, tpr)
        One to six curves by the name of their method; fpr and tpr of shape (points,).
    truth
        From `true_trace`.
    simulated : bool, default True
        Stamps the figure.

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
    return over_rates("roc-methods", words, traces, theme, simulated=simulated)


# Of the width of a panel, which is a third of the figure's.
_TOLERANCE = 1 / 500

_GAP = 0.035

_HEIGHT, _EXTRA = 235, 70


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
    simulated: bool = True,
) -> Picture:
    """Draw a panel for each curve, row by row, all on the same axes and over the same true curve.

    Parameters
    ----------
    panels
        At least one.
    truth : (fpr, tpr), optional
        The exact curve, shape (points,) each.
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If there is no panel.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> one = RocPanel("epsilon 1", "AUC 0.8", [0, 0.2, 1], [0, 0.8, 1])
    >>> picture = roc_panels_picture([one, one, one], columns=2, theme=LIGHT)
    >>> picture.data[2]["xaxis"], picture.layout["xaxis3"]["domain"][0]
    ('x3', 0.0)
    """
    if not panels:
        raise InvalidArgument("panels", panels, "one panel or more")
    rows = -(-len(panels) // columns)
    axes: dict[str, Any] = {}
    words: list[dict[str, Any]] = []
    traces: list[dict[str, Any]] = []
    # The true line is thinned once, and drawn in every panel.
    true = _line(*truth) if truth else None
    for place, panel in enumerate(panels):
        row, column = divmod(place, columns)
        name = "" if place == 0 else str(place + 1)
        axes |= _axes(theme, name, (row, rows), (column, columns), len(panels))
        words += _words(theme, panel, name)
        traces += _traces(theme, panel, name, true, private_name)
    return drawn(
        "roc-panels",
        f"{len(panels)} small ROC curves on the same axes, one for each setting: "
        f"{'; '.join(f'{panel.title}, {panel.note}' for panel in panels)}. Private curves are "
        "dashed" + ("; the true curve is solid." if truth else "."),
        traces,
        theme,
        showlegend=True,
        simulated=simulated,
        stamped_above=40,
        words=words,
        legend={**ABOVE, "y": 1 + 34 / (_HEIGHT * rows)},
        margin={"t": 64},
        height=_HEIGHT * rows + _EXTRA,
        aspect=max(0.45 * rows, 0.7),
        **axes,
    )


def _axes(
    theme: Theme, name: str, row: tuple[int, int], column: tuple[int, int], panels: int
) -> dict[str, Any]:
    """Axes of one panel; only the outer ones carry numbers and titles."""
    first = column[0] == 0
    # Nothing is below the last row, nor below a gap in it.
    last = row[0] * column[1] + column[0] + column[1] >= panels
    tall = 1.6 * _GAP if row[1] > 1 else 0.0
    across = axis(theme, "false positive rate" if last else "", range=[0, 1], dtick=0.5)
    up = axis(theme, "true positive rate" if first else "", range=[0, 1.01], dtick=0.5)
    across |= {"domain": _span(*column, _GAP), "anchor": f"y{name}", "showticklabels": last}
    bottom, top = _span(row[1] - 1 - row[0], row[1], tall)
    up |= {"domain": [bottom, top - 0.06 / row[1]], "anchor": f"x{name}", "showticklabels": first}
    for one in (across, up):
        one["title"]["font"]["size"] = 12.5
        one["tickfont"]["size"] = 11.5
        if name:
            one["matches"] = "x" if one is across else "y"
    return {f"xaxis{name}": across, f"yaxis{name}": up}


def _span(place: int, number: int, gap: float) -> list[float]:
    width = (1.0 - gap * (number - 1)) / number
    return [place * (width + gap), min(place * (width + gap) + width, 1.0)]


def _words(theme: Theme, panel: RocPanel, name: str) -> list[dict[str, Any]]:
    common: dict[str, Any] = {
        "color": theme.text,
        "xref": f"x{name} domain",
        "yref": f"y{name} domain",
    }
    return [
        note(f"<b>{panel.title}</b>", 0, 1, "left bottom", **common),
        note(panel.note, 0.97, 0.05, "right bottom", size=12, **common),
    ]


def _traces(
    theme: Theme, panel: RocPanel, name: str, true: dict[str, list[float]] | None, private_name: str
) -> list[dict[str, Any]]:
    common = of_panel(name)
    private = {
        "name": private_name,
        "legendgroup": "private",
        "line": {"color": theme.private, "width": 2, "dash": "dash"},
        "hovertemplate": f"%{{x:.1%}}, %{{y:.1%}}<extra>{panel.title}</extra>",
        **_line(panel.fpr, panel.tpr),
    }
    exact = {
        "name": "true",
        "legendgroup": "true",
        "line": {"color": theme.true, "width": 1.75},
        "hoverinfo": "skip",
    }
    return [*([{**common, **exact, **true}] if true else []), {**common, **private}]


def _line(fpr: ArrayLike, tpr: ArrayLike) -> dict[str, list[float]]:
    x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
    across, up = thin(x, y, tolerance=_TOLERANCE)
    return {"x": numbers(across, 4), "y": numbers(up, 4)}
