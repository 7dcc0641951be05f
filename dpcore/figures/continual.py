"""Private running counts of a stream against the true ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.figures.numbers import BANDS
from dpcore.figures.picture import Picture, numbers
from dpcore.figures.theme import Theme, axis, base_layout, stamp, translucent

__all__ = ["running_counts_picture"]

_MOST = 400


def running_counts_picture(
    private: ArrayLike,
    *,
    theme: Theme,
    truth: ArrayLike | None = None,
    band: ArrayLike | None = None,
    band_name: str = BANDS[0],
    simulated: bool = True,
) -> Picture:
    """Draw noisy running counts dashed, true ones solid, and the band of both ends shaded.

    Parameters
    ----------
    private : array-like, shape (steps,)
        Released counts.
    theme : Theme
    truth : array-like, shape (steps,), optional
        Exact counts; left out of a private release.
    band : array-like, shape (2, steps), optional
        Lower and upper ends.
    band_name : str
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If an array has another number of steps.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = running_counts_picture([2, 1, 5], truth=[1, 2, 4], theme=LIGHT)
    >>> [trace["name"] for trace in picture.data]
    ['true', 'private']
    """
    counts = np.asarray(private, dtype=np.float64)
    shown = np.unique(np.linspace(0, counts.size - 1, _MOST).round().astype(np.int64))
    traces: list[dict[str, Any]] = []
    if band is not None:
        low, high = _checked("band", band, (2, counts.size))
        edge = {"line": {"width": 0}, "hoverinfo": "skip"}
        fill = {"fill": "tonexty", "fillcolor": translucent(theme.private, 0.2)}
        traces.append(_line("lower end", low, shown, **edge, showlegend=False))
        traces.append(_line(band_name, high, shown, **edge, **fill))
    if truth is not None:
        exact = _checked("truth", truth, counts.shape)
        traces.append(_line("true", exact, shown, line={"color": theme.true, "width": 3}))
    dashed = {"color": theme.private, "width": 2, "dash": "dash"}
    traces.append(_line("private", counts, shown, line=dashed))
    layout = base_layout(
        theme,
        xaxis=axis(theme, "step", range=[1, max(counts.size, 2)]),
        yaxis=axis(theme, "events so far", rangemode="tozero"),
        annotations=stamp(theme, simulated),
        uirevision="running-counts",
    )
    layout["legend"] |= {"x": 0.01, "y": 0.99, "xanchor": "left", "yanchor": "top"}
    return Picture(
        name="running-counts",
        alt=(
            f"Number of events up to each of {counts.size:,} steps. The private counts are dashed"
            + ("; the true counts are solid" if truth is not None else "")
            + ("; a shaded band shows where the true counts may lie." if band is not None else ".")
        ),
        data=traces,
        layout=layout,
        height=360,
        aspect=0.85,
    )


def _checked(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    given = np.asarray(values, dtype=np.float64)
    if given.shape != shape:
        raise InvalidArgument(name, given.shape, f"of shape {shape}")
    return given


def _line(name: str, values: FloatArray, shown: IntArray, **style: Any) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": (shown + 1).tolist(),
        "y": numbers(values[shown], 1),
        "hovertemplate": f"%{{y:,.0f}} up to step %{{x:,}}<extra>{name}</extra>",
        **style,
    }
