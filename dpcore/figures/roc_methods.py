"""Several methods' private ROC curves over the true one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from dpcore import _check
from dpcore.figures.picture import Picture
from dpcore.figures.roc import roc_picture, roc_trace
from dpcore.figures.theme import Theme

__all__ = ["MOST_METHODS", "method_styles", "roc_methods_picture"]

# Okabe and Ito's colours but for that of the true curve, and for yellow on white and blue on black.
_COLOURS = {
    "light": ("#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#0F1A24"),
    "dark": ("#E69F00", "#2BBF94", "#CC79A7", "#F0E442", "#D55E00", "#E6ECF2"),
}
_DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot", "4px,2px,1px,2px")
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
    theme : Theme
    truth : dict, optional
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
    frame = roc_picture([0, 1], [0, 1], theme=theme, simulated=simulated)
    return Picture(
        name="roc-methods",
        alt=(
            "ROC curves: true positive rate over false positive rate, one broken line for each of "
            f"{', '.join(curves)}" + (", over the true curve, solid" if truth else "") + "."
        ),
        data=traces,
        layout={**frame.layout, "uirevision": "roc-methods"},
        height=frame.height,
    )
