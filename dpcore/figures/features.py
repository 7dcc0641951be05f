"""Feature scores: what the selector saw, and what it chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import BoolArray, FloatArray
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, bar, literal, numbers, scatter
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

LONGEST_NAME, KEPT_END = 26, 14


def features_picture(
    names: Sequence[str],
    noisy: ArrayLike | None,
    selected: ArrayLike,
    *,
    theme: Theme,
    true: ArrayLike | None = None,
    score_name: str = "count",
    most: int = 25,
    simulated: bool = True,
) -> Picture:
    """Draw noisy scores as bars, largest on top, with the true score as a tick across each.

    Parameters
    ----------
    names : sequence of str, length p
    noisy : array-like, shape (p,), or None
        Released scores; None for a method that releases none, and then the bars are the true ones.
    selected : array-like of int
        Positions of the chosen features.
    theme : Theme
    true : array-like, shape (p,), optional
        Exact scores; left out of a private release.
    score_name : str, default "count"
    most : int, default 25
        Bars drawn at most.
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If scores and `names` differ in length, or there are neither noisy nor true scores.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = features_picture(["a", "b"], [3.0, 9.0], [1], theme=LIGHT)
    >>> [trace["name"] for trace in picture.data]
    ['noisy, chosen', 'noisy, left out']
    """
    kind, given = ("noisy", noisy) if noisy is not None else ("true", true)
    scores = np.asarray(given if given is not None else [], dtype=np.float64)
    if scores.shape != (len(names),):
        raise InvalidArgument(kind, scores.shape, f"{len(names)} scores, one per name")
    order = np.argsort(-scores, kind="stable")[:most]
    # Features that were not scored have no bar.
    order = order[np.isfinite(scores[order])]
    bars = _Bars(
        labels=[literal(_short(names[index])) for index in order],
        scores=scores[order],
        chosen=np.isin(order, np.asarray(selected, dtype=np.int64)),
        kind=kind,
        colour=theme.private if noisy is not None else theme.true,
    )
    traces = [bars.trace(picked) for picked in (True, False)]
    if noisy is not None and true is not None:
        traces.append(_ticks(bars.labels, np.asarray(true, dtype=np.float64)[order], theme))
    return Picture(
        name="features",
        alt=bars.words(score_name, len(traces) == 3),
        data=traces,
        layout=_layout(bars, score_name, theme, simulated),
        height=90 + 22 * max(len(bars.labels), 4),
        # Bars need their height on any page, however narrow.
        aspect=100.0,
    )


@dataclass(frozen=True, kw_only=True)
class _Bars:
    labels: list[str]
    scores: FloatArray
    chosen: BoolArray
    kind: str
    colour: str

    def trace(self, picked: bool) -> dict[str, Any]:
        rows = np.flatnonzero(self.chosen == picked)
        return bar(
            f"{self.kind}, {'chosen' if picked else 'left out'}",
            numbers(self.scores[rows], 2),
            rows.tolist(),
            orientation="h",
            text=[self.labels[row] for row in rows],
            textposition="none",
            marker={"color": translucent(self.colour, 0.85 if picked else 0.3)},
            hovertemplate=f"%{{text}}<br>{self.kind} %{{x:,.0f}}<extra></extra>",
        )

    def words(self, score_name: str, with_ticks: bool) -> str:
        return (
            f"Bars of the {self.kind} {score_name} of the {len(self.labels)} features that score "
            "highest; chosen features are drawn strong, the others pale"
            + (", and a tick marks the true value." if with_ticks else ".")
        )


def _layout(bars: _Bars, score_name: str, theme: Theme, simulated: bool) -> dict[str, Any]:
    labels = bars.labels
    # Rows are numbered, because two shortened names may be equal.
    ticks = {"tickvals": list(range(len(labels))), "ticktext": labels, "ticklabelstandoff": 6}
    layout = base_layout(
        theme,
        xaxis=axis(theme, score_name, rangemode="tozero", nticks=6),
        yaxis=axis(theme, "", range=[len(labels) - 0.4, -0.6], showgrid=False, **ticks),
        barmode="overlay",
        bargap=0.35,
        annotations=stamp(theme, simulated, exact=bars.kind == "true"),
    )
    layout["legend"] |= {"x": 0.99, "y": 0.01, "xanchor": "right", "yanchor": "bottom"}
    return layout


def _short(name: str) -> str:
    # Names of bins and levels differ at their end, those of columns at their beginning.
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - KEPT_END - 1]}…{name[-KEPT_END:]}"


def _ticks(labels: list[str], exact: FloatArray, theme: Theme) -> dict[str, Any]:
    return scatter(
        "markers",
        "true",
        numbers(exact, 2),
        list(range(exact.size)),
        text=labels,
        marker={"symbol": "line-ns", "size": 14, "line": {"width": 3, "color": theme.true}},
        hovertemplate="%{text}<br>true %{x:,.0f}<extra></extra>",
    )
