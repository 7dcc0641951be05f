"""How well an attacker tells two data sets apart, beside the best that privacy allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.audit import AttackerRoc, limit_roc
from dpcore.figures.picture import Picture, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent
from dpcore.figures.thin import thin
from dpcore.privacy import Loss

__all__ = ["audit_roc_picture"]

_POINTS = 201


def audit_roc_picture(
    attacker: AttackerRoc | None, loss: Loss, *, theme: Theme, simulated: bool = True
) -> Picture:
    """Draw the attacker's curve and the limit that an (epsilon, delta) guarantee sets.

    Parameters
    ----------
    attacker : AttackerRoc or None
        None before anything was counted: the limit stands alone.
    loss : Loss
        What the method declares.
    theme : Theme
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> curve = AttackerRoc(np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.5, 1.0]))
    >>> [trace["name"] for trace in audit_roc_picture(curve, Loss(1), theme=LIGHT).data]
    ['not allowed', 'limit at epsilon 1', 'attacker']
    """
    traces = _limit(loss, theme) + ([] if attacker is None else [_reached(attacker, theme)])
    layout = base_layout(
        theme,
        xaxis=axis(theme, "wrongly named the first", range=[0, 1], dtick=0.25),
        yaxis=axis(theme, "rightly named the first", range=[0, 1.01], dtick=0.25),
        annotations=stamp(theme, simulated),
        shapes=[_guessing(theme)],
    )
    layout["legend"] |= {"x": 0.98, "y": 0.03, "xanchor": "right", "yanchor": "bottom"}
    return Picture(
        name="audit-roc",
        alt=(
            f"How often an attacker rightly names the first data set, over how often wrongly. A "
            f"method that keeps {loss} lets nobody above the dashed limit; the solid line is what "
            "this attack reached, the thin diagonal is guessing."
        ),
        data=traces,
        layout=layout,
        height=340,
        aspect=1.0,
    )


def _guessing(theme: Theme) -> dict[str, Any]:
    line = {"color": theme.grid, "width": 1.5}
    return {"type": "line", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "layer": "below", "line": line}


def _limit(loss: Loss, theme: Theme) -> list[dict[str, Any]]:
    """The limit, and the region above it."""
    # Denser near both ends, where the limit bends.
    fpr = np.sin(np.linspace(0.0, np.pi / 2.0, _POINTS)) ** 2
    limit = limit_roc(fpr, loss)
    common = {"type": "scatter", "mode": "lines"}
    return [
        {
            **common,
            "name": "not allowed",
            "x": [*numbers(fpr), 0.0],
            "y": [*numbers(limit), 1.0],
            "fill": "toself",
            "fillcolor": translucent(theme.muted, 0.16),
            "line": {"width": 0},
            "hoverinfo": "skip",
            "showlegend": False,
        },
        {
            **common,
            "name": f"limit at {loss}",
            "x": numbers(fpr),
            "y": numbers(limit),
            "line": {"color": theme.true, "width": 2, "dash": "dash"},
            "hovertemplate": "at most %{y:.1%} at %{x:.1%}<extra>limit</extra>",
        },
    ]


def _reached(attacker: AttackerRoc, theme: Theme) -> dict[str, Any]:
    across, up = thin(attacker.fpr, attacker.tpr)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "attacker",
        "x": numbers(across),
        "y": numbers(up),
        "line": {"color": theme.private, "width": 2.5},
        "hovertemplate": "right %{y:.1%}, wrong %{x:.1%}<extra>attacker</extra>",
    }
