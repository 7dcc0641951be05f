"""The lower bound on epsilon as the draws go on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dpcore.audit import Look
from dpcore.figures.picture import Picture
from dpcore.figures.theme import Theme, axis, base_layout, stamp

__all__ = ["audit_bound_picture"]

# An exact loss far above everything else would flatten the rest: then it is written, not drawn.
_TALLEST = 4.0


def audit_bound_picture(
    looks: Sequence[Look],
    *,
    planned: int,
    declared: float,
    theme: Theme,
    exact: float | None = None,
    simulated: bool = True,
) -> Picture:
    """Draw what was proven after how many draws, against what the method declares.

    Parameters
    ----------
    looks : sequence of Look
        Oldest first; may be empty.
    planned : int
        Draws from each data set in all.
    declared : float
        Epsilon.
    theme : Theme
    exact : float, optional
        The computed loss on these data sets, infinite perhaps.
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = audit_bound_picture([Look(500, 900, 0.4)], planned=900, declared=1, theme=LIGHT)
    >>> picture.data[0]["y"], [line["y0"] for line in picture.layout["shapes"]]
    ([0.4], [1])
    """
    reached = max([declared, *(look.epsilon_lower for look in looks)])
    drawn_exact = exact is not None and exact <= _TALLEST * reached
    top = 1.2 * max(reached, exact if exact is not None and drawn_exact else 0.0) or 1.0
    layout = base_layout(
        theme,
        xaxis=axis(theme, "draws from each data set", range=[0, 1.03 * planned], nticks=5),
        yaxis=axis(theme, "epsilon is at least", range=[0, top], nticks=6),
        annotations=stamp(theme, simulated),
        shapes=[_level(declared, theme.true, "dash")],
        showlegend=False,
    )
    layout["annotations"] += [_word("declared", declared, theme.true)]
    if exact is not None and drawn_exact:
        # Two words on one line of text would be illegible.
        apart = abs(exact - declared) > 0.09 * top
        layout["shapes"] += [_level(exact, theme.text, "dot")]
        layout["annotations"] += [_word("exact", exact, theme.text, left=apart)]
    elif exact is not None:
        layout["annotations"] += [_above(exact, theme)]
    proven: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "proven",
        "x": [look.trials for look in looks],
        "y": [round(look.epsilon_lower, 4) for look in looks],
        "line": {"color": theme.private, "width": 2.5, "shape": "hv"},
        "marker": {"color": theme.private, "size": 5},
        "hovertemplate": "after %{x:,} draws: at least %{y:.3f}<extra></extra>",
    }
    return Picture(
        name="audit-bound",
        alt=(
            "The lower bound on epsilon that the draws have proven, rising with their number. The "
            "dashed line is the declared epsilon: a bound above it refutes the claim."
        ),
        data=[proven],
        layout=layout,
        height=340,
        aspect=1.0,
    )


def _level(at: float, colour: str, dash: str) -> dict[str, Any]:
    line = {"color": colour, "width": 2, "dash": dash}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": line}


def _word(name: str, at: float, colour: str, *, left: bool = True) -> dict[str, Any]:
    return {
        "text": f"{name} {at:.4g}",
        "font": {"size": 12.5, "color": colour},
        "showarrow": False,
        "xref": "paper",
        "x": 0.02 if left else 0.98,
        "xanchor": "left" if left else "right",
        "y": at,
        "yanchor": "bottom",
    }


def _above(exact: float, theme: Theme) -> dict[str, Any]:
    amount = "without limit" if math.isinf(exact) else f"{exact:.4g}"
    return {
        "text": f"exact: {amount} ↑",
        "font": {"size": 12.5, "color": theme.text},
        "showarrow": False,
        "xref": "paper",
        "yref": "paper",
        "x": 0.02,
        "xanchor": "left",
        "y": 0.99,
        "yanchor": "top",
    }
